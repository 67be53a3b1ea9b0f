/** Messages of the AI SDK as neutral messages, and back. */
import type { Message, Part, ResultPart } from '../conversation/index.js';
import { type Items, isFailure, itemsOf, otherOf, outputOf } from './output.js';
import type { MessageLike, OutputLike, PartLike, ToolPart } from './types.js';

/** A list of messages, and what each neutral part stands for. */
export interface Translation {
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
