/** Shapes the messages of one request, and tells the stream about it. */
import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { ToolSchema } from '../conversation/index.js';
import { emitEvicted } from '../documents/index.js';
import { withCacheControl } from './cache-control.js';
import { emitDropped } from './events.js';
import { Translation } from './messages.js';
import type { AgentShaping } from './options.js';

export interface ListCall {
  thread: string;
  config: RunnableConfig & { writer?: unknown };
  systemMessage?: SystemMessage | undefined;
  tools?: readonly ToolSchema[] | undefined;
}

/** Returns the same array if nothing changes, and the same system message. */
export async function shapeList(
  given: BaseMessage[],
  { thread, config, systemMessage, tools }: ListCall,
  { conversation, passages, cacheControl }: AgentShaping,
): Promise<{ messages: BaseMessage[]; systemMessage?: SystemMessage | undefined }> {
  const system = systemMessage === undefined || systemMessage.text === '' ? [] : [systemMessage];
  const all: BaseMessage[] = [...system, ...given];
  const translation = new Translation(all, passages());
  const { signal } = config;
  const {
    messages,
    breakpoints,
    report,
    shapings = [],
  } = await conversation.shapeRequest({
    thread,
    messages: translation.messages,
    tools,
    signal,
  });
  await emitDropped(
    report.dropped.map((at) => all[at] as BaseMessage),
    config,
  );
  for (const shaping of shapings) await emitEvicted(shaping, config);
  const sent = messages.map(({ at, message }) => translation.written(at, message));
  const marked = cacheControl ? withCacheControl(sent, breakpoints) : sent;
  const isSame = marked.length === all.length && marked.every((message, at) => message === all[at]);
  if (isSame) return { messages: given, systemMessage };
  const [first] = marked;
  return system.length > 0 && SystemMessage.isInstance(first)
    ? { messages: marked.slice(1), systemMessage: first }
    : { messages: [...marked], systemMessage };
}
