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
   * `tool`: results of tools are shaped as they come, and stay so in the agent's state. `model`: the messages of each
   * request are shaped, and the state stays whole. `both`: default; the latter only where `maxTokens` is given.
   */
  mode?: 'tool' | 'model' | 'both' | undefined;
}

/**
 * Shapes what an agent reads: `createAgent({ middleware: [contextShapingMiddleware({ maxTokens: 8000 })] })`.
 *
 * **Results of tools** are shaped for what the tool was asked (its `query`, else the first text among its arguments,
 * else the newest question) into `maxToolTokens`: the documents of an `artifact`, if the content shows them, or the
 * paragraphs or JSON elements of a text that is longer. What fits, and says nothing twice, is handed on as the very
 * message that it was, sanitised where that changes it; so are errors, commands, and content that is not one text. The `artifact` of a shaped result
 * is the documents that are shown.
 *
 * **The messages of a request** are shaped into `maxTokens` if they are more; a list that fits is not touched. First go
 * passages that a newer result has too, then, of all older results together, what is least relevant to the newest
 * question, and of the newest turn's results at last. Every other message stays as it is, and every tool call keeps
 * its result, though a note may be all that is left of it. Only if that is still too much, the oldest turns go as a
 * whole, so that the newest results have all they need, or a quarter of what there would be for them alone.
 * System messages, the summary of LangChain's `summarizationMiddleware`, the newest turn, what was just recalled and
 * what is pinned stay even beyond `maxTokens`: mark a message with `additional_kwargs: { pinned: true }`, and pin
 * documents with the option `pin`. No document pins itself by its metadata: those may be a stranger's.
 *
 * **What is left out** is named in a note at the end of the result, with a handle by which the tool `recall_passage`
 * reads it back, more of it each time. A result whose content another middleware has changed since, to redact it say,
 * is a text like any other. Handles are HMACs of thread and passage: nobody can make one up that works, and none works
 * in another thread. The passages are in the messages of the thread (`additional_kwargs.context_shaping`, which chat
 * models do not send), and nowhere else.
 *
 * Every shaping is told by the event {@link EVICTED_EVENT}, turns that were dropped by {@link DROPPED_EVENT}
 * (`streamMode: 'custom'`), and by `onReport` and `onEvict`. Aborts and interrupts pass.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
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
      is: 'must be given where mode is "model"',
      remedy: 'Give the most tokens of all messages of one request.',
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

/** Callbacks are not in an agent's runtime, but in the run around it. */
function configOf(runtime: { writer?: unknown; signal?: AbortSignal | undefined }): RunnableConfig {
  const enclosing = AsyncLocalStorageProviderSingleton.getRunnableConfig() as RunnableConfig | undefined;
  const { writer, signal = enclosing?.signal } = runtime;
  return { ...enclosing, ...{ writer }, ...(signal === undefined ? {} : { signal }) };
}
