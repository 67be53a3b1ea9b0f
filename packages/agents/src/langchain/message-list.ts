/** Shapes the list of messages at the extension points of LangChain and LangGraph. */
import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import type { ContextEdit } from 'langchain';
import { type MessageListOptions, OF_CONVERSATIONS, requireMaxTokens, resolveOptions } from './options.js';
import { threadOf } from './recall.js';
import { shapeList } from './shape-list.js';

/**
 * An edit for LangChain's `contextEditingMiddleware({ edits: [contextShapingEdit({ maxTokens: 8000 })] })`. It shapes the
 * messages of a request as `contextShapingMiddleware` does. `tokenizer` counts the tokens, not the middleware's
 * `tokenCountMethod`. The system prompt and the tools do not count, because edits do not get them.
 *
 * The edit changes the given array, as that middleware requires. The array is the agent's own, so later requests lack the
 * left-out passages and the dropped turns as well.
 * With `handleKey`, notes contain handles for a {@link createRecallTool} with the same key.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function contextShapingEdit(options: MessageListOptions): ContextEdit {
  const shape = listShaper(options);
  return {
    apply: async ({ messages }) => {
      const shaped = await shape(messages, AsyncLocalStorageProviderSingleton.getRunnableConfig() ?? {});
      if (shaped !== messages) messages.splice(0, messages.length, ...shaped);
    },
  };
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
  const shape = listShaper(options);
  return async ({ messages }, config = {}) => ({ llmInputMessages: await shape(messages, config) });
}

function listShaper(options: MessageListOptions) {
  const shaping = resolveOptions(options, OF_CONVERSATIONS, { recall: options.handleKey !== undefined });
  requireMaxTokens(options.maxTokens);
  return async (messages: BaseMessage[], config: RunnableConfig) =>
    (await shapeList(messages, { thread: threadOf(config), config }, shaping)).messages;
}
