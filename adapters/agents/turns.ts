import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';

/** What is said from one question to the next. */
export interface Turn {
  /** Place of its first message. */
  start: number;
  /** Place behind its last message. */
  end: number;
}

/**
 * The turns of a conversation, oldest first: each begins with a human message, the first with whatever there is.
 * No tool call is parted from its answer: turns between the two are one.
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

/** What a message takes of the budget beside its constant: its text, and the tool calls as JSON. */
export function countedText(message: BaseMessage): string {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return calls.length === 0 ? message.text : message.text + JSON.stringify(calls);
}

/** What no turn takes along when it goes: system messages, and what LangChain's middleware wrote for those before. */
export const isStanding = (message: BaseMessage): boolean =>
  message.getType() === 'system' || message.additional_kwargs?.lc_source === 'summarization';

/** Whoever marks a message, `additional_kwargs: { pinned: true }`, has it stay as it is. */
export const isPinnedMessage = ({ additional_kwargs }: BaseMessage): boolean =>
  additional_kwargs?.pinned === true;
