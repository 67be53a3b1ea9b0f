/** The items of the OpenAI Agents SDK as neutral messages, and the answer of the engine as items. */
import { isObject, parseJson } from 'context-shaping/kit';
import { contentLike, contentOf } from '../blocks.js';
import type { Content, Message, Part, ResultPart, ShapedRequest } from '../conversation/index.js';
import { contentText } from '../conversation/tokens.js';

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
    if (role === 'user' || role === 'assistant') return { role, parts: partsOf(content) };
    return { role: 'system', parts: partsOf(content) };
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
      content: piecesOf(item.output),
      ...(status === 'incomplete' ? { failed: true } : {}),
    };
    return { role: 'tool', parts: [result] };
  }
  return { role: ANSWERS.test(type) ? 'tool' : 'assistant', parts: partsOf(item) };
}

/** Answers of tools that are no functions. All other items of unknown types are of the model. */
const ANSWERS = /(_result|_output)$/;

const partsOf = (content: unknown): Part[] => piecesOf(content).filter((each) => each.type !== 'json');

/** A content in pieces: a text, a block, or a list of both. */
const piecesOf = (content: unknown): Content[] =>
  contentOf(Array.isArray(content) ? content : content === undefined ? [] : [content]);

/** Shaped content in the form that the output had. Images and files stay the same objects. */
function outputOf(content: readonly Content[], before: unknown): unknown {
  if (isObject(before)) return { ...before, text: contentText(content) };
  const blocks: readonly { type?: string }[] = Array.isArray(before) ? before : [];
  const { type = 'input_text' } = blocks.find((each) => /text$/.test(String(each?.type))) ?? {};
  return contentLike(before, content, type);
}

/** The arguments of a call, which are JSON unless the model made a mistake. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const value = parseJson(text);
  return value === undefined ? text : value;
}
