/** The items of the OpenAI Agents SDK as neutral messages, and the answer of the engine as items. */
import { estimateTokens } from 'context-shaping';
import { isObject, parseJson } from 'context-shaping/kit';
import {
  type Content,
  contentText,
  type Message,
  type OtherPart,
  type Part,
  type ResultPart,
  type ShapedRequest,
  type TextPart,
} from '../conversation/index.js';

/** The fields that this package uses of an item: `AgentInputItem`. Items of unknown types stay as they are. */
export interface AgentItemLike {
  type?: string | undefined;
  role?: string | undefined;
  content?: unknown;
  name?: string | undefined;
  callId?: unknown;
  arguments?: unknown;
  status?: unknown;
  output?: unknown;
}

/** Neutral messages, and the items that each of them has. */
export interface Translation<Item> {
  messages: Message[];
  items: Item[][];
}

/**
 * Consecutive items of the model are one message, as are consecutive results: the SDK stores an answer of the model as
 * several items.
 */
export function messagesOf<Item extends AgentItemLike>(items: readonly Item[]): Translation<Item> {
  const messages: (Message & { parts: Part[] })[] = [];
  const groups: Item[][] = [];
  const called = new Set(items.flatMap(({ type, callId }) => (type === 'function_call' ? [callId] : [])));
  for (const item of items) {
    const { role, parts } = messageOf(item, called);
    const last = messages.at(-1);
    if (last?.role === role && (role === 'assistant' || role === 'tool')) {
      last.parts.push(...parts);
      groups.at(-1)?.push(item);
    } else {
      messages.push({ role, parts: [...parts] });
      groups.push([item]);
    }
  }
  return { messages, items: groups };
}

/** The items that stay. An unchanged item is the same object. */
export function itemsOf<Item extends AgentItemLike>(
  { messages }: ShapedRequest,
  given: Translation<Item>,
): Item[] {
  return messages.flatMap(({ at, message }) => {
    const items = given.items[at] ?? [];
    const before = given.messages[at];
    if (message === before) return items;
    const unchanged = new Set<Part>(before?.parts);
    const changed = new Map(
      message.parts.flatMap((part) =>
        part.type === 'result' && !unchanged.has(part) ? [[part.id, part] as const] : [],
      ),
    );
    return items.map((item) => {
      const now = isResult(item) ? changed.get(String(item.callId)) : undefined;
      return now === undefined ? item : { ...item, output: outputOf(now.content, item.output) };
    });
  });
}

const isResult = ({ type }: AgentItemLike) => type === 'function_call_result';

function messageOf(item: AgentItemLike, called: ReadonlySet<unknown>): Pick<Message, 'role' | 'parts'> {
  const { type, role, content, status } = item;
  if (type === undefined || type === 'message') {
    if (role === 'user' || role === 'assistant') return { role, parts: contentOf(content) };
    return { role: 'system', parts: contentOf(content) };
  }
  if (type === 'function_call') {
    const call = {
      type: 'call' as const,
      id: String(item.callId),
      tool: item.name ?? '',
      input: parsed(item.arguments),
    };
    return { role: 'assistant', parts: [call] };
  }
  // If the server keeps the conversation, the list lacks the call, and so nothing tells the query.
  if (isResult(item) && called.has(item.callId)) {
    const result: ResultPart = {
      type: 'result',
      id: String(item.callId),
      tool: item.name ?? '',
      content: contentOf(item.output),
      ...(status === 'incomplete' ? { failed: true } : {}),
    };
    return { role: 'tool', parts: [result] };
  }
  return { role: ANSWERS.test(type) ? 'tool' : 'assistant', parts: [otherOf(type, item)] };
}

/** Answers of tools that are no functions. All other items of unknown types are of the model. */
const ANSWERS = /(_result|_output)$/;

/** Items that the model reads as the text that they are. The others have images, or data that only the provider reads. */
const TEXTS = /^(function_call_result|shell_call|apply_patch_call|program)/;

const otherOf = (type: string, item: unknown): Part => ({
  type: 'other',
  kind: type,
  ...(TEXTS.test(type) ? { tokens: estimateTokens(JSON.stringify(item)) } : {}),
});

/** Pieces of a content in order, without empty texts. */
export function contentOf(content: unknown): (TextPart | OtherPart)[] {
  const pieces = Array.isArray(content) ? content : content === undefined ? [] : [content];
  return pieces.map(pieceOf).filter((piece) => piece.type !== 'text' || piece.text !== '');
}

function pieceOf(piece: unknown): TextPart | OtherPart {
  if (typeof piece === 'string') return { type: 'text', text: piece };
  const { type = 'unknown', text, refusal = text } = isObject(piece) ? piece : {};
  if (typeof refusal === 'string') return { type: 'text', text: refusal };
  return { type: 'other', kind: String(type).replace('input_', '') };
}

/** Shaped content in the form that the output had. Images and files stay the same objects. */
export function outputOf(content: readonly Content[], before: unknown): unknown {
  if (!Array.isArray(before)) {
    const text = contentText(content);
    return isObject(before) ? { ...before, text } : text;
  }
  const others = before.filter((piece) => pieceOf(piece).type === 'other');
  const { type } = before.find((piece) => pieceOf(piece).type === 'text') ?? { type: 'input_text' };
  return content.map((piece) =>
    piece.type === 'other' ? others.shift() : { type, text: contentText([piece]) },
  );
}

/** The arguments of a call, which are JSON unless the model made a mistake. */
export function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const value = parseJson(text);
  return value === undefined ? text : value;
}
