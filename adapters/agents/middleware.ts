import { ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { ContextShapingError } from '../../src/index.js';
import { makeHandles } from './handles.js';
import { type MessageListOptions, resolveSettings, type ToolResultOptions } from './options.js';
import { type RecallTool, recallTool, threadOf } from './recall.js';
import { shapeMessages } from './shape-messages.js';
import { queryOf, shapeResult } from './shape-result.js';

export interface ContextShapingMiddlewareOptions extends ToolResultOptions, Partial<MessageListOptions> {
  /**
   * `tool`: shapes tool results when they arrive; the agent's state has the shaped results. `model`: shapes the messages
   * of each request; the state stays complete. `both` (default): does both; shapes messages only if `maxTokens` is given.
   */
  mode?: 'tool' | 'model' | 'both' | undefined;
}

/**
 * Shapes the context of an agent: `createAgent({ middleware: [contextShapingMiddleware({ maxTokens: 8000 })] })`.
 *
 * **Tool results** are shaped into `maxToolTokens`. The query is the `query` argument of the tool call, else its first text
 * argument, else the newest question. Shaping applies to the documents of an `artifact` if the content shows them, else to
 * the paragraphs or JSON elements of a text that is too long. A result that fits and has no duplicates stays the same
 * message, and is sanitised if necessary; so are errors, commands, and content that is not one text. The `artifact` of a
 * shaped result contains the documents that it shows.
 *
 * **The messages of a request** are shaped if they exceed `maxTokens`. The first passages to go are those that a newer
 * result has as well; then the passages of all older results that are least relevant to the newest question; then passages
 * of the newest turn. All other messages stay unchanged, and every tool call keeps its result, which may be reduced to a
 * note. If that is not enough, the oldest turns are dropped as a whole, until the newest results fit completely, or get a
 * quarter of the room that they would have alone. System messages, the summary of LangChain's `summarizationMiddleware`,
 * the newest turn, newly recalled passages and pinned messages stay even beyond `maxTokens`. To pin a message, set
 * `additional_kwargs: { pinned: true }`; to pin documents, use the option `pin`. Metadata cannot pin a document, because a
 * stranger may have written it.
 *
 * **Left-out passages** are mentioned in a note at the end of the result. The tool `recall_passage` reads them by the
 * handle in that note, more of them with each call. If another middleware has changed the content, for instance to redact
 * it, the result counts as a plain text. Handles are HMACs of thread and passage: they cannot be forged, and they do not
 * work in another thread. The passages are stored only in the messages of the thread
 * (`additional_kwargs.context_shaping`, which chat models do not send).
 *
 * The event {@link EVICTED_EVENT} reports every shaping, and {@link DROPPED_EVENT} reports dropped turns
 * (`streamMode: 'custom'`). `onReport` and `onEvict` are called as well. Aborts and interrupts are rethrown.
 *
 * @throws ContextShapingError `invalid-options`, with the first wrong option as its field.
 */
export function contextShapingMiddleware(
  options: ContextShapingMiddlewareOptions = {},
): AgentMiddleware<undefined, undefined, unknown, readonly [RecallTool]> {
  const resolved = resolveSettings(options, [
    'mode',
    'maxTokens',
    'maxToolTokens',
    'tools',
    'withhold',
    'handleKey',
  ]);
  const settings = { ...resolved, handles: resolved.handles ?? makeHandles() };
  const { mode, maxTokens } = settings;
  if (mode === 'model' && maxTokens === undefined) {
    throw new ContextShapingError('invalid-options', {
      field: 'maxTokens',
      value: maxTokens,
      is: 'is required if mode is "model"',
      remedy: 'Give the maximum tokens of all messages of one request.',
    });
  }
  return createMiddleware({
    name: 'ContextShaping',
    tools: [recallTool(settings)] as const,
    ...(mode === 'model'
      ? {}
      : {
          wrapToolCall: async (request, handler) => {
            const result = await handler(request);
            const { toolCall, state, runtime } = request;
            if (!ToolMessage.isInstance(result) || !settings.isShaped(toolCall.name)) return result;
            const query = queryOf(toolCall.args, state.messages);
            const config = configOf(runtime);
            return shapeResult(result, { query, thread: threadOf(runtime), config }, settings);
          },
        }),
    ...(mode === 'tool' || maxTokens === undefined
      ? {}
      : {
          wrapModelCall: async (request, handler) => {
            const { messages, systemMessage, runtime } = request;
            const shaped = await shapeMessages(
              messages,
              { system: systemMessage?.text, thread: threadOf(runtime), config: configOf(runtime) },
              { ...settings, maxTokens },
            );
            return handler(shaped === messages ? request : { ...request, messages: shaped });
          },
        }),
  });
}

/** Callbacks are in the enclosing run, not in the agent's runtime. */
function configOf(runtime: { writer?: unknown; signal?: AbortSignal | undefined }): RunnableConfig {
  const enclosing = AsyncLocalStorageProviderSingleton.getRunnableConfig() as RunnableConfig | undefined;
  const { writer, signal = enclosing?.signal } = runtime;
  return { ...enclosing, ...{ writer }, ...(signal === undefined ? {} : { signal }) };
}
