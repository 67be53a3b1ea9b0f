/**
 * Messages of the AI SDK as neutral messages, and back. The used part of it is here as structural types that its versions 6
 * and 7 share. Importing its types would bind these declarations to one version, and would force every user of them to
 * install it.
 */
import { contentLike, contentOf } from '../blocks.js';
import type { Content, Message, Part, ResultPart } from '../conversation/index.js';

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
interface OutputLike {
  type: string;
  value?: unknown;
}

interface ToolPart extends PartLike {
  toolCallId: string;
  toolName: string;
  /** A call has it. */
  input?: unknown;
  providerExecuted?: boolean;
  /** A result has it. */
  output?: OutputLike;
}

/** The call options of a language model. */
export interface CallOptionsLike {
  prompt: readonly MessageLike[];
  tools?: readonly { type: string; name: string }[] | undefined;
  abortSignal?: AbortSignal | undefined;
  providerOptions?: object | undefined;
}

/** A `JSONValue` of the AI SDK. */
type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined };

/** `ProviderOptions` and `ProviderMetadata`. */
export type ProviderData = Record<string, { [key: string]: JsonValue | undefined }>;

export function toMessages(given: readonly MessageLike[]): Message[] {
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
  return given.map(({ role, content }): Message => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { role, parts: parts.flatMap((part) => toParts(part as ToolPart, foreign)) };
  });
}

function toParts(part: ToolPart, foreign: ReadonlySet<string>): readonly Part[] {
  const { type, toolCallId: id, toolName: tool, output } = part;
  if (!foreign.has(id) && type === 'tool-call') return [{ type: 'call', id, tool, input: part.input }];
  if (!foreign.has(id) && type === 'tool-result' && output !== undefined)
    return [
      { type: 'result', id, tool, content: itemsOf(output), ...(isFailure(output) && { failed: true }) },
    ];
  return contentOf([part]).filter((each) => each.type !== 'json');
}

/** The message of the host after shaping: the same object if nothing in it changed. Only results change. */
export function toHost<M extends MessageLike>(given: M, before: Message, after: Message): M {
  if (after === before || typeof given.content === 'string') return given;
  const changed = new Map<string, ResultPart>();
  for (const [at, part] of after.parts.entries())
    if (part.type === 'result' && part !== before.parts[at]) changed.set(part.id, part);
  const content = (given.content as readonly ToolPart[]).map((part) => {
    const now = part.type === 'tool-result' ? changed.get(part.toolCallId) : undefined;
    return now === undefined ? part : { ...part, output: outputOf(part.output as OutputLike, now.content) };
  });
  return { ...given, content };
}

/** Errors and denials are for the model as they are. */
const isFailure = ({ type }: OutputLike): boolean => type.startsWith('error') || type === 'execution-denied';

/** The content of an output, in its order. */
function itemsOf({ type, value, ...rest }: OutputLike): Content[] {
  if (type === 'content' && Array.isArray(value)) return contentOf(value);
  if (type.endsWith('json')) return [{ type: 'json', value }];
  return [
    { type: 'text', text: typeof value === 'string' ? value : ((rest as { reason?: string }).reason ?? '') },
  ];
}

/** An item that shaping left as it was stays the same object. */
function outputOf(given: OutputLike, shaped: readonly Content[]): OutputLike {
  const [first] = shaped;
  if (shaped.length === 1 && first?.type === 'json') return { ...given, type: 'json', value: first.value };
  const isList = given.type === 'content' && Array.isArray(given.value);
  return { ...given, type: isList ? 'content' : 'text', value: contentLike(isList && given.value, shaped) };
}
