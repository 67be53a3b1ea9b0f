/**
 * Messages of the AI SDK as neutral messages, and back. The used part of it is here as structural types that its versions 6
 * and 7 share. Importing its types would bind these declarations to one version, and would force every user of them to
 * install it.
 */
import {
  type Content,
  contentText,
  type Message,
  type OtherPart,
  type Part,
  type ResultPart,
} from '../conversation/index.js';

/** `ModelMessage`, or a message of a `LanguageModelV3Prompt` or `LanguageModelV4Prompt`. */
export interface MessageLike {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | readonly PartLike[];
  providerOptions?: object | undefined;
}

/** A part of a message, or one item of a `content` output. */
export interface PartLike {
  type: string;
}

/** `ToolResultOutput`. */
export interface OutputLike {
  type: string;
  value?: unknown;
}

export interface ToolPart extends PartLike {
  toolCallId: string;
  toolName: string;
  /** A call has it. */
  input?: unknown;
  providerExecuted?: boolean;
  /** A result has it. */
  output?: OutputLike;
}

/** Any tool of a `ToolSet`. */
export interface ToolLike {
  inputSchema: unknown;
  toModelOutput?: ((call: never) => unknown) | undefined;
}

/** The call options of a language model. */
export interface CallOptionsLike {
  prompt: readonly MessageLike[];
  tools?: readonly { type: string; name: string }[] | undefined;
  abortSignal?: AbortSignal | undefined;
  providerOptions?: object | undefined;
}

/** A `JSONValue` of the AI SDK. */
export type JsonValue =
  | null
  | string
  | number
  | boolean
  | JsonValue[]
  | { [key: string]: JsonValue | undefined };

/** `ProviderOptions` and `ProviderMetadata`. */
export type ProviderData = Record<string, { [key: string]: JsonValue | undefined }>;

/** A list of messages, and what each neutral part stands for. */
interface Translation {
  messages: readonly Message[];
  partOf: ReadonlyMap<Part, { part: PartLike; items?: Items }>;
}

export function toMessages(given: readonly MessageLike[]): Translation {
  const partOf = new Map<Part, { part: PartLike; items?: Items }>();
  // Provider-executed tools: the provider needs its own calls and results exactly as they were.
  const foreign = new Set(
    given.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : (content as readonly ToolPart[]).flatMap((part) =>
            part.providerExecuted ? [part.toolCallId] : [],
          ),
    ),
  );
  const messages = given.map(({ role, content }): Message => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { role, parts: parts.flatMap((part) => translated(part, foreign, partOf)) };
  });
  return { messages, partOf };
}

function translated(part: PartLike, foreign: ReadonlySet<string>, partOf: Map<Part, object>): Part[] {
  const items = part.type === 'tool-result' ? itemsOf((part as ToolPart).output as OutputLike) : undefined;
  const neutral = toPart(part as ToolPart & { text?: string }, foreign, items);
  if (neutral.type === 'text' && neutral.text === '') return [];
  partOf.set(neutral, items === undefined ? { part } : { part, items });
  return [neutral];
}

function toPart(
  part: ToolPart & { text?: string },
  foreign: ReadonlySet<string>,
  items: Items | undefined,
): Part {
  const { type, toolCallId: id, toolName: tool } = part;
  if (type === 'text') return { type, text: part.text ?? '' };
  if (foreign.has(id)) return { type: 'other', kind: 'provider-executed' };
  if (type === 'tool-call') return { type: 'call', id, tool, input: part.input };
  if (items === undefined) return otherOf(part);
  const failed = isFailure(part.output as OutputLike);
  return { type: 'result', id, tool, content: [...items.keys()], ...(failed ? { failed } : {}) };
}

/** The message of the host after shaping: the same object if nothing in it changed. */
export function toHost<M extends MessageLike>(
  given: M,
  neutral: Message,
  shaped: Message,
  { partOf }: Translation,
): M {
  if (shaped === neutral || typeof given.content === 'string') return given;
  const results = new Map(
    neutral.parts.flatMap((part) => (part.type === 'result' ? [[part.id, part] as const] : [])),
  );
  const content = shaped.parts.flatMap((part): PartLike[] => {
    const same = partOf.get(part);
    if (same !== undefined) return [same.part];
    return part.type === 'result' ? [shapedResult(part, results.get(part.id), partOf)] : [part];
  });
  return { ...given, content };
}

function shapedResult(
  shaped: ResultPart,
  given: ResultPart | undefined,
  partOf: Translation['partOf'],
): PartLike {
  const { part, items } = partOf.get(given as ResultPart) as { part: ToolPart; items: Items };
  if (shaped.content === given?.content) return part;
  return { ...part, output: outputOf(part.output as OutputLike, items, shaped.content) } as ToolPart;
}

/** The content of an output in order, each with the item of the output that it stands for, if the output is a list. */
type Items = ReadonlyMap<Content, PartLike | undefined>;

/** Errors and denials are for the model as they are. */
export const isFailure = ({ type }: OutputLike): boolean =>
  type.startsWith('error') || type === 'execution-denied';

/** The view of an output that the AI SDK makes if there is no `toModelOutput`. */
export function defaultOutput(output: unknown): OutputLike {
  if (typeof output === 'string') return { type: 'text', value: output };
  const json = JSON.stringify(output);
  return { type: 'json', value: json === undefined ? null : JSON.parse(json) };
}

export function itemsOf({ type, value, ...rest }: OutputLike): Items {
  if (type === 'content' && Array.isArray(value))
    return new Map((value as PartLike[]).map((item) => [itemOf(item), item]));
  if (type.endsWith('json')) return new Map([[{ type: 'json', value }, undefined]]);
  const text = typeof value === 'string' ? value : ((rest as { reason?: string }).reason ?? '');
  return new Map([[{ type: 'text', text }, undefined]]);
}

function itemOf(item: PartLike): Content {
  if (item.type === 'text') return { type: 'text', text: (item as { text?: string }).text ?? '' };
  return otherOf(item);
}

/** An item that shaping left as it was stays the same object. */
export function outputOf(given: OutputLike, items: Items, shaped: readonly Content[]): OutputLike {
  const [first] = shaped;
  if (given.type === 'content') {
    const value = shaped.map((each) => items.get(each) ?? { type: 'text', text: contentText([each]) });
    return { ...given, value };
  }
  if (shaped.length === 1 && first?.type === 'json') return { ...given, type: 'json', value: first.value };
  return { ...given, type: 'text', value: contentText(shaped) };
}

/** A part that is no text. */
const otherOf = (part: PartLike): OtherPart => ({ type: 'other', kind: kindOf(part) });

function kindOf(part: PartLike): string {
  const { type, mediaType = '' } = part as { type: string; mediaType?: string };
  if (type.startsWith('reasoning')) return 'reasoning';
  if (type.startsWith('image') || mediaType.startsWith('image/')) return 'image';
  if (mediaType.startsWith('audio/')) return 'audio';
  return type.startsWith('file') || type === 'media' ? 'file' : type;
}
