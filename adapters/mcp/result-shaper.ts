/**
 * Shapes the results of tools. Where the server wrote the same into the content and the structured content, it is shaped
 * once and written to both.
 */
import type { ResolvedOptions } from '../../src/index.js';
import { isObject, type JsonObject, loadTokenCounter } from '../../src/internal.js';
import type { Content, ConversationShaper } from '../conversation/index.js';
import { digest } from './digest.js';
import { isValid } from './is-valid.js';
import { asItem, contentOf, type Item, textOf, textsOf, toItems, unknownIn } from './items.js';
import type { McpCallReport } from './options.js';
import { parseJson, repetitionOf } from './repetition.js';

export interface ToolCall {
  tool: string;
  args: unknown;
}

interface Settings {
  maxTokens: number;
  thread: string;
  queryFields: Readonly<Record<string, string>>;
  tokenizer: ResolvedOptions['tokenizer'] | undefined;
}

interface Context {
  /** The output schema of the tool. Rejects if it cannot be known. */
  schema(): Promise<JsonObject | undefined>;
  signal: AbortSignal;
  onError(error: unknown): void;
}

interface Shaped {
  result: JsonObject;
  report: Omit<McpCallReport, 'request'>;
}

/** A field for the note, where the output schema of a tool allows more fields than it names. */
const NOTE_FIELD = 'context_shaping_note';
const META = 'context-shaping/result';

/** @returns a function that resolves to undefined if the result stays as it is. */
export async function resultShaper(
  shaper: ConversationShaper,
  { maxTokens, thread, queryFields, tokenizer = 'estimate' }: Settings,
): Promise<(result: JsonObject, call: ToolCall, context: Context) => Promise<Shaped | undefined>> {
  const count = await loadTokenCounter(tokenizer);
  const tokensOf = (items: readonly Item[]) =>
    items.reduce((sum, item) => sum + count(textOf(item) ?? ''), 0);
  const tokensOfJson = (value: unknown) => (value === undefined ? 0 : count(JSON.stringify(value)));

  return async (result, { tool, args }, { schema, signal, onError }) => {
    const given = { items: result.content as Item[], structured: result.structuredContent };
    if (result.isError === true || !given.items.every(isObject)) return undefined;
    const id = digest([tool, args, given.items, given.structured]);
    const field = queryFields[tool];
    const input = field !== undefined && isObject(args) ? { query: args[field] } : args;
    /** Undefined if nothing changes. */
    const shape = async (content: readonly Content[], part = ''): Promise<readonly Content[] | undefined> => {
      const shaped = await shaper.shapeResult(
        { type: 'result', id: id + part, tool, content },
        { thread, input, signal },
      );
      return shaped.content === content ? undefined : shaped.content;
    };
    const shapeText = async (text: string, part?: string) => {
      const shaped = await shape([{ type: 'text', text }], part);
      return shaped && textsOf(shaped);
    };

    let { items, structured } = given;
    const texts = items.flatMap((item) => textOf(item) ?? []);
    const repetition = repetitionOf(texts, structured);
    const notes: string[] = [];
    if (repetition === undefined) {
      const shaped = await shape(items.map(contentOf));
      if (shaped !== undefined) items = toItems(items, shaped);
    } else {
      const [text, ...more] = (await shapeText(repetition.source)) ?? [];
      const both = text === undefined ? undefined : repetition.apply(text);
      if (both !== undefined) {
        const others = items.filter((item) => textOf(item) === undefined);
        items = [...both.texts.map(asItem), ...more.map(asItem), ...others];
        structured = both.structured;
        notes.push(...more);
      }
    }
    if (tokensOfJson(structured) > maxTokens) {
      const [text = '', ...more] = (await shapeText(JSON.stringify(structured), '-structured')) ?? [];
      const value = parseJson(text);
      if (value !== undefined) {
        structured = value;
        items = [...items, ...more.map(asItem)];
        notes.push(...more);
      }
    }
    if (structured !== given.structured) {
      // Structured content that does not conform to its schema makes clients refuse the whole result.
      const valid = await conforming(structured, notes, schema).catch(onError);
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
    const report = { tool, result: id, tokens, unknown: unknownIn(items), digest: digest(sent) };
    const meta = isObject(result._meta) ? result._meta : {};
    return { result: { ...sent, _meta: { ...meta, [META]: { tokens, digest: report.digest } } }, report };
  };
}

/** The value with the notes if the schema allows them, else without; undefined if it does not conform to the schema. */
async function conforming(value: unknown, notes: readonly string[], schemaOf: Context['schema']) {
  const schema = await schemaOf();
  if (schema === undefined) return { value };
  const isOpen = notes.length > 0 && isObject(value) && isObject(schema.properties);
  const noted = { ...(value as object), [NOTE_FIELD]: notes.join('\n') };
  if (isOpen && (await isValid(noted, schema))) return { value: noted };
  return (await isValid(value, schema)) ? { value } : undefined;
}
