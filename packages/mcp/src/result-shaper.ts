/**
 * Shapes the results of tools. If the server wrote the same into the content and the structured content, it is shaped once
 * and written to both.
 */

import { isObject, type JsonObject, loadTokenCounter, parseJson } from 'context-shaping/kit';
import { type Content, createConversationShaper, type PassageStore } from 'context-shaping-agents';
import { blocksOf, contentOf, contentText, textsOf, unknownIn } from 'context-shaping-agents/internal';
import { isRead } from 'context-shaping-agents/tool-calls';
import { digest } from './digest.js';
import type { McpCallReport, Settings } from './options.js';
import { repetitionOf } from './repetition.js';

export interface ToolCall {
  tool: string;
  args: unknown;
}

/** The proxy, as the work sees it. The work asks one thing at a time. */
export interface Host {
  signal: AbortSignal;
  /** The output schema of the tool. Rejects if it cannot be known. */
  schema(): Promise<JsonObject | undefined>;
  /** Reads from the store. */
  get(key: string): Promise<string | undefined>;
  onError(error: unknown): unknown;
}

export interface Shaped {
  result: JsonObject;
  report: Omit<McpCallReport, 'request'>;
  /** The left-out passages, for the store. */
  entries: readonly (readonly [key: string, value: string])[];
}

type Item = JsonObject;

interface View {
  items: Item[];
  structured: unknown;
  /** The texts beside the structured content that name the missing passages. */
  notes: readonly string[];
}

/** A field for the note, where the output schema of a tool allows more fields than it names. */
const NOTE_FIELD = 'context_shaping_note';
const META = 'context-shaping/result';

/**
 * How often a result is shaped that is still too long: JSON of a text has more tokens than the text, and the tokens of a
 * handle vary. Each try leaves a hundredth more room.
 */
const MOST_TRIES = 5;

/** @returns a function that resolves to undefined if the result stays as it is. */
export async function resultShaper({
  maxTokens: forAnswers,
  readTokens,
  thread,
  queryFields,
  shaping,
}: Settings): Promise<(result: JsonObject, call: ToolCall, host: Host) => Promise<Shaped | undefined>> {
  const count = await loadTokenCounter(shaping.tokenizer ?? 'estimate');
  const tokensOf = (items: readonly Item[]) =>
    items
      .flatMap((item) => [...textsIn(item), textsOf(item).beside])
      .reduce((sum, text) => sum + count(text), 0);
  const tokensOfJson = (value: unknown) => (value === undefined ? 0 : count(JSON.stringify(value)));

  return async (result, { tool, args }, { schema, signal, onError }) => {
    const given: View = { items: result.content as Item[], structured: result.structuredContent, notes: [] };
    if (!given.items.every(isObject)) return undefined;
    const id = digest([tool, args, given.items, given.structured]);
    const field = queryFields[tool];
    const maxTokens = field === undefined && isRead(args) ? readTokens : forAnswers;
    const input = field !== undefined && isObject(args) ? { ...args, query: args[field] } : args;
    const repetition = repetitionOf(given.items.flatMap(textsIn), given.structured);

    const entries = new Map<string, string>();
    const store: PassageStore = {
      get: async () => undefined,
      set: async (given) => {
        for (const [key, value] of given) entries.set(key, value);
      },
    };

    async function shaped(most: number): Promise<View> {
      entries.clear();
      const shaper = createConversationShaper({ ...shaping, maxToolTokens: most, store });
      /** Undefined if nothing changes. */
      const shape = async (content: readonly Content[], part = '') => {
        const arrived = { type: 'result', id: id + part, tool, content } as const;
        const now = await shaper.shapeResult(arrived, { thread, input, signal });
        return now.content === content ? undefined : now.content;
      };
      const shapeText = async (text: string, part?: string) =>
        (await shape([{ type: 'text', text }], part))?.map((each) => contentText([each])) ?? [];

      let { items, structured, notes } = given;
      if (repetition === undefined) {
        const content = await shape(contentOf(items));
        if (content !== undefined) items = blocksOf(items, content, asItem);
        const isLong = tokensOfJson(structured) > maxTokens;
        const [json = '', ...more] = isLong ? await shapeText(JSON.stringify(structured), '-structured') : [];
        const value = parseJson(json);
        if (value !== undefined) {
          structured = value;
          notes = more;
          items = [...items, ...more.map(asItem)];
        }
      } else {
        const [text, ...more] = await shapeText(repetition.source);
        const both = text === undefined ? undefined : repetition.apply(text);
        if (both !== undefined) {
          const others = items.filter((item) => textsIn(item).length === 0);
          structured = both.structured;
          notes = more;
          items = [...[...both.texts, ...more].map(asItem), ...others];
        }
      }
      return { items, structured, notes };
    }

    const [written, repeated] = [tokensOf(given.items), tokensOfJson(given.structured)];
    let most = repetition && repeated > written ? Math.floor((maxTokens * written) / repeated) : maxTokens;
    let view = await shaped(Math.max(1, most));
    for (let tries = 1; tries < MOST_TRIES; tries++) {
      const long = Math.max(tokensOf(view.items), tokensOfJson(view.structured));
      if (long <= maxTokens) break;
      most = Math.floor(((most * maxTokens) / long) * (1 - tries / 100));
      view = await shaped(Math.max(1, most));
    }
    const { items, notes } = view;
    let { structured } = view;
    if (structured !== given.structured) {
      // Structured content that does not conform to its schema makes clients refuse the whole result.
      const valid = await conforming(structured, notes, schema).catch(async (error) => {
        await onError(error);
      });
      structured = valid === undefined ? given.structured : valid.value;
    }
    if (items === given.items && structured === given.structured) return undefined;
    const tokens = {
      content: { given: tokensOf(given.items), sent: tokensOf(items) },
      ...(structured !== undefined && {
        structured: { given: tokensOfJson(given.structured), sent: tokensOfJson(structured) },
      }),
    };
    const sent = {
      ...result,
      content: items,
      ...(structured !== undefined && { structuredContent: structured }),
    };
    const report = { tool, result: id, tokens, unknown: unknownIn(contentOf(items)), digest: digest(sent) };
    const meta = isObject(result._meta) ? result._meta : {};
    return {
      result: { ...sent, _meta: { ...meta, [META]: { tokens, digest: report.digest } } },
      report,
      entries: [...entries],
    };
  };
}

const textsIn = (item: Item): string[] => textsOf(item).texts.map(({ text }) => text);

const asItem = (text: string): Item => ({ type: 'text', text });

/** The value with the notes if the schema allows them, else without; undefined if it does not conform to the schema. */
async function conforming(value: unknown, notes: readonly string[], schemaOf: Host['schema']) {
  const schema = await schemaOf();
  if (schema === undefined) return { value };
  const isOpen = notes.length > 0 && isObject(value) && isObject(schema.properties);
  const noted = { ...(value as object), [NOTE_FIELD]: notes.join('\n') };
  if (isOpen && (await isValid(noted, schema))) return { value: noted };
  return (await isValid(value, schema)) ? { value } : undefined;
}

/** Whether a value conforms to a JSON schema, by the validator of the SDK, which the client uses too. */
async function isValid(value: unknown, schema: JsonObject): Promise<boolean> {
  // Few tools have a schema of their output.
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
  return new AjvJsonSchemaValidator().getValidator(schema)(value).valid;
}
