import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { type DynamicStructuredTool, type ToolRuntime, tool } from '@langchain/core/tools';
import { convertToOpenAITool, isLangChainTool } from '@langchain/core/utils/function_calling';
import { isObject } from 'context-shaping/kit';
import { emitEvicted } from 'context-shaping/langchain';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import {
  RECALL_DESCRIPTION,
  RECALL_TOOL,
  type RecallInput,
  type ResultPart,
  recallToolSchema,
  type ToolSchema,
} from '../conversation/index.js';
import { recalled } from '../host.js';
import { messagesOf, withResult } from './messages.js';
import {
  type AgentShaping,
  type ContextShapingMiddlewareOptions,
  resolveOptions,
  shapeList,
  threadOf,
} from './shaping.js';

/**
 * Shapes the context of an agent: `createAgent({ middleware: [contextShapingMiddleware({ maxTokens: 8000 })] })`.
 *
 * **Tool results** are shaped into `maxToolTokens`. The query is the `query` argument of the tool call, else its first text
 * argument, else the newest question. Shaping applies to the documents of an `artifact` if the content shows them, else to
 * the paragraphs or JSON elements of a text that is too long. A result that fits and has no duplicates stays the same
 * message, and is sanitised if necessary; so are errors and commands. Blocks that are no text stay, and are counted. The `artifact` of a
 * shaped result contains the documents that it shows.
 *
 * **The messages of a request** keep the provider's prompt cache: each result stays as it was first sent. If a request
 * exceeds `maxTokens`, the oldest results are reduced to their notes in one batch, down to `waterMarks.low`; then results
 * of the newest turn that the model has answered. If that is not enough, the oldest turns are dropped as a whole. All other
 * messages stay unchanged, and every tool call keeps its result. System messages, the summary of LangChain's `summarizationMiddleware`,
 * the newest turn, newly recalled passages and pinned messages stay even beyond `maxTokens`. To pin a message, set
 * `additional_kwargs: { pinned: true }`; to pin documents, use the option `pin`. Metadata cannot pin a document, because a
 * stranger may have written it.
 *
 * **Left-out passages** are mentioned in a note at the end of the result. The tool `recall_passage` reads them by the
 * handle in that note, more of them with each call. Handles are HMACs of thread and passage: they cannot be forged, and
 * they do not work in another thread. The passages are in `store`, else in the store of the graph, else in the memory of
 * this process.
 *
 * The event {@link EVICTED_EVENT} reports every shaping (`streamMode: 'custom'`). `onReport` and `onEvict` are called as
 * well. The report of `onRequest` names dropped turns. Aborts and interrupts are rethrown.
 *
 * @throws ContextShapingError `invalid-options`, with the first wrong option as its field.
 */
export function contextShapingMiddleware(
  options: ContextShapingMiddlewareOptions = {},
): AgentMiddleware<undefined, undefined, unknown, readonly [RecallTool]> {
  const shaping = resolveOptions(options);
  const { mode, conversation, documentOptions } = shaping;
  return createMiddleware({
    name: 'ContextShaping',
    tools: [recallTool(shaping)] as const,
    ...(mode === 'model'
      ? {}
      : {
          wrapToolCall: async (request, handler) => {
            const result = await handler(request);
            const { toolCall, state, runtime } = request;
            if (!ToolMessage.isInstance(result)) return result;
            const config = configOf(runtime);
            const messages = messagesOf([...state.messages, result], documentOptions);
            const given = messages.pop()?.parts[0] as ResultPart;
            const { report, ...shaped } = await conversation.shapeResult(
              { ...given, tool: toolCall.name },
              {
                thread: threadOf(runtime),
                input: toolCall.args,
                messages,
                signal: config.signal,
              },
            );
            if (report !== undefined) await emitEvicted(report, config);
            return shaped.content === given.content ? result : withResult(result, { ...given, ...shaped });
          },
        }),
    ...(mode === 'tool' || options.maxTokens === undefined
      ? {}
      : {
          wrapModelCall: async (request, handler) => {
            const { runtime } = request;
            const call = { thread: threadOf(runtime), tools: toolSchemas(request.tools) };
            const shaped = await shapeList(request, call, configOf(runtime), shaping);
            return handler(shaped === undefined ? request : { ...request, ...shaped });
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

/** The schemas of tools as a chat model sends them. A tool of the provider's own is counted as it stands. */
function toolSchemas(tools: readonly unknown[]): ToolSchema[] {
  return tools.map((tool) => {
    if (isLangChainTool(tool)) {
      const { name, description, parameters } = convertToOpenAITool(tool as never).function;
      return { name, description, parameters };
    }
    const { name, type, ...parameters } = isObject(tool) ? tool : {};
    return { name: String(name ?? type ?? ''), parameters };
  });
}

export type RecallTool = DynamicStructuredTool<
  Record<string, unknown>,
  RecallInput,
  RecallInput,
  ToolMessage,
  unknown,
  typeof RECALL_TOOL
>;

/**
 * The tool `recall_passage`. It reads only passages of the calling thread. It returns a single passage completely, unless
 * that exceeds both `maxToolTokens` and 4000 tokens; of several, those that were not recalled in this turn, up to
 * `maxToolTokens`; or lines by their numbers or by a pattern.
 */
function recallTool({ conversation, documentOptions }: AgentShaping): RecallTool {
  return tool(
    async (input: RecallInput, runtime: ToolRuntime) => {
      const { messages = [] } = (runtime.state ?? {}) as { messages?: BaseMessage[] };
      const { toolCallId, signal } = runtime;
      const answer = await recalled(conversation, input, {
        thread: threadOf(runtime),
        callId: toolCallId,
        messages: messagesOf(messages, documentOptions),
        signal,
      });
      const message = new ToolMessage({
        tool_call_id: toolCallId,
        name: RECALL_TOOL,
        content: answer.text,
        ...(answer.found ? {} : { status: 'error' as const }),
      });
      const content = [{ type: 'text', text: answer.text }] as const;
      const result = { type: 'result', id: toolCallId, tool: RECALL_TOOL, content } as const;
      return answer.passages ? withResult(message, { ...result, passages: answer.passages }) : message;
    },
    { name: RECALL_TOOL, description: RECALL_DESCRIPTION, schema: recallToolSchema },
  ) as unknown as RecallTool;
}
