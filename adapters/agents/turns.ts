import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';

/** The messages from one question to the next. */
export interface Turn {
  /** Index of its first message. */
  start: number;
  /** Index after its last message. */
  end: number;
}

/**
 * The turns of a conversation, oldest first. Each begins with a human message; the first begins with the first message.
 * A tool call and its answer are always in the same turn: all turns between them are joined.
 */
export function turnsOf(messages: readonly BaseMessage[]): Turn[] {
  const starts = messages.flatMap((message, at) => (at === 0 || message.getType() === 'human' ? [at] : []));
  const callers = new Map<string, number>();
  const joined = new Set<number>();
  for (const [at, message] of messages.entries()) {
    for (const id of toolCallIds(message)) callers.set(id, at);
    if (!ToolMessage.isInstance(message)) continue;
    const caller = callers.get(message.tool_call_id);
    if (caller === undefined) continue;
    for (const start of starts) if (start > caller && start <= at) joined.add(start);
  }
  const parted = starts.filter((start) => !joined.has(start));
  return parted.map((start, turn) => ({ start, end: parted[turn + 1] ?? messages.length }));
}

function toolCallIds(message: BaseMessage): string[] {
  if (!AIMessage.isInstance(message)) return [];
  return (message.tool_calls ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
}

/** The text of a message that counts against the budget: its text, and its tool calls as JSON. */
export function countedText(message: BaseMessage): string {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return calls.length === 0 ? message.text : message.text + JSON.stringify(calls);
}

/** Messages that stay when their turn is dropped: system messages, and summaries of LangChain's middleware. */
export const isStanding = (message: BaseMessage): boolean =>
  message.getType() === 'system' || message.additional_kwargs?.lc_source === 'summarization';

/** Messages with `additional_kwargs: { pinned: true }` stay unchanged. */
export const isPinnedMessage = ({ additional_kwargs }: BaseMessage): boolean =>
  additional_kwargs?.pinned === true;
