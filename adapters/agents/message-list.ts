/** The list of messages, shaped where LangChain and LangGraph let others edit it. */
import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import type { ContextEdit } from 'langchain';
import { ContextShapingError } from '../../src/index.js';
import { type MessageListOptions, resolveSettings } from './options.js';
import { threadOf } from './recall.js';
import { shapeMessages } from './shape-messages.js';

/**
 * An edit for LangChain's `contextEditingMiddleware({ edits: [contextShapingEdit({ maxTokens: 8000 })] })`, which does
 * what `contextShapingMiddleware` does with the messages of a request. Tokens are counted by `tokenizer`, not by the
 * middleware's `tokenCountMethod`; the system prompt is not counted, for edits are not shown it.
 *
 * It edits the array it is given, as that middleware wants it, and that array is the agent's own: what was left out
 * stays out of later requests, and with it turns that were dropped. Passages stay in the messages that are left.
 * With `handleKey`, notes name handles for a {@link createRecallTool} of the same key.
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
 * A `preModelHook` for LangGraph's `createReactAgent`, which does what `contextShapingMiddleware` does with the messages
 * of a request; the state stays whole. The agent's `prompt` is not counted, for hooks are not shown it. With
 * `handleKey`, notes name handles for a {@link createRecallTool} of the same key.
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
  const settings = resolveSettings(options, ['maxTokens', 'tools', 'withhold', 'handleKey']);
  const { maxTokens } = settings;
  if (maxTokens === undefined) {
    throw new ContextShapingError('invalid-options', {
      field: 'maxTokens',
      value: maxTokens,
      is: 'must be given',
      remedy: 'Give the most tokens of all messages of one request.',
    });
  }
  return (messages: BaseMessage[], config: RunnableConfig) =>
    shapeMessages(messages, { thread: threadOf(config), config }, { ...settings, maxTokens });
}
