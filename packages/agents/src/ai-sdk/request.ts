/** One request: its messages before and after shaping. */
import type { Message, RequestReport, ToolSchema } from '../conversation/index.js';
import { toHost, toMessages } from './messages.js';
import type { AiSdkShaping, ThreadCall } from './shaping.js';
import type { MessageLike } from './types.js';

export interface ShapedList<M> {
  /** The messages that stay. `at`: the index in the given messages. */
  list: { at: number; message: M }[];
  report: RequestReport;
}

export async function shapeList<M extends MessageLike>(
  given: readonly M[],
  { conversation, threadOf, cacheMark }: AiSdkShaping,
  {
    tools,
    signal,
    ...call
  }: ThreadCall & { tools?: readonly ToolSchema[]; signal?: AbortSignal | undefined },
): Promise<ShapedList<M>> {
  const translation = toMessages(given);
  const { messages, breakpoints, report } = await conversation.shapeRequest({
    thread: threadOf(call),
    messages: translation.messages,
    tools,
    signal,
  });
  const marked = new Set(cacheMark === undefined ? [] : breakpoints);
  const list = messages.map(({ at, message }, index) => {
    const after = toHost(given[at] as M, translation.messages[at] as Message, message, translation);
    const providerOptions = marked.has(index) && { ...after.providerOptions, ...cacheMark };
    return { at, message: providerOptions ? { ...after, providerOptions } : after };
  });
  return { list, report };
}
