/** Shapes the list of messages at the extension points of LangChain and LangGraph, and tells the stream about it. */
import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { emitEvicted } from 'context-shaping/langchain';
import type { ToolSchema } from '../conversation/index.js';
import { Translation } from './messages.js';
import {
  type AgentShaping,
  type MessageListOptions,
  OF_CONVERSATIONS,
  requireMaxTokens,
  resolveOptions,
} from './options.js';
import { threadOf } from './recall.js';

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
    shapings = [],
  } = await conversation.shapeRequest({
    thread,
    messages: translation.messages,
    tools,
    signal,
  });
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

type Block = Record<string, unknown>;

/** Copies of the messages at these places, with `cache_control` on their last block of text. Those without a text stay. */
function withCacheControl(
  messages: readonly BaseMessage[],
  places: readonly number[],
): readonly BaseMessage[] {
  return messages.map((message, at) => (places.includes(at) ? marked(message) : message));
}

function marked(message: BaseMessage): BaseMessage {
  const blocks: readonly Block[] =
    typeof message.content === 'string'
      ? message.content === ''
        ? []
        : [{ type: 'text', text: message.content }]
      : (message.content as Block[]);
  const last = blocks.findLastIndex(({ type, text }) => type === 'text' && text !== '');
  if (last < 0) return message;
  const content = blocks.with(last, { ...blocks[last], cache_control: { type: 'ephemeral' } });
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content });
}

/**
 * A `preModelHook` for LangGraph's `createReactAgent`. It shapes the messages of a request as `contextShapingMiddleware`
 * does; the state stays complete. The agent's `prompt` and its tools do not count, because hooks do not get them. With
 * `handleKey`, notes contain handles for a {@link createRecallTool} with the same key.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function shapedPreModelHook(
  options: MessageListOptions,
): (
  state: { messages: BaseMessage[] },
  config?: RunnableConfig,
) => Promise<{ llmInputMessages: BaseMessage[] }> {
  const shaping = resolveOptions(options, OF_CONVERSATIONS, { recall: options.handleKey !== undefined });
  requireMaxTokens(options.maxTokens);
  return async ({ messages }, config = {}) => {
    const shaped = await shapeList(messages, { thread: threadOf(config), config }, shaping);
    return { llmInputMessages: shaped.messages };
  };
}
