import * as z from 'zod';
import { checkNames, parseOptions } from '../../src/internal.js';
import {
  type AiSdkShapingOptions,
  aiSdkShaping,
  type MessageLike,
  shapingMiddleware,
} from '../ai-sdk/index.js';
import type { Content } from '../conversation/index.js';
import { type MastraRecallTool, recallTool } from './recall.js';
import { hasView, schemasOf, type ToolsLike } from './tools.js';
import type { HookLike, MessageListLike, RequestContextLike } from './types.js';

export interface MastraShapingOptions extends Omit<AiSdkShapingOptions, 'thread'> {
  /**
   * What the memory and the user interface get of a tool result. `shaped` (default): what the model gets; what it leaves
   * out is in `providerMetadata.contextShaping.held` of the same part. `complete`: the whole result, which is shaped in each
   * request, always to the same bytes.
   */
  storedResults?: 'shaped' | 'complete' | undefined;
  /**
   * The conversation of a request: handles of one are not valid in another. Default: the thread of the memory; without a
   * memory all requests are one conversation.
   */
  thread?: ((requestContext: RequestContextLike | undefined) => string | undefined) | undefined;
}

/** A processor for both `inputProcessors` and `outputProcessors`, and the tool that reads what it leaves out. */
export interface ContextShapingProcessor {
  readonly id: 'context-shaping';
  readonly name: string;
  /** Notes the tools of the step, which `processLLMRequest` counts. */
  processInputStep(
    step: HookLike & { tools?: ToolsLike | undefined; activeTools?: string[] | undefined },
  ): Promise<void>;
  processLLMRequest<M extends MessageLike>(request: HookLike & { prompt: M[] }): Promise<{ prompt: M[] }>;
  processToolResult(
    call: HookLike & {
      messageList: MessageListLike;
      toolName: string;
      toolCallId: string;
      args: unknown;
      result: unknown;
      providerExecuted?: boolean | undefined;
    },
  ): Promise<void>;
  /** For the agent's `tools`, under the name `recall_passage`. */
  readonly recallTool: MastraRecallTool;
}

const ownSchema = z.strictObject({
  storedResults: z.enum(['shaped', 'complete']).default('shaped'),
  thread: z
    .custom<NonNullable<MastraShapingOptions['thread']>>((value) => typeof value === 'function', {
      error: 'must be a function of the request context',
    })
    .optional(),
});

/** The namespace of what a shaped result leaves out, in `providerMetadata` of its part. */
const NAMESPACE = 'contextShaping';

/**
 * Makes a processor that shapes results of tools when they arrive, and each request as a whole. It must be the last of
 * `inputProcessors`, and among `outputProcessors`, where Mastra looks for `processToolResult`.
 *
 * Failed tools, and tools that the provider runs, keep their results.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function contextShapingProcessor(options: MastraShapingOptions = {}): ContextShapingProcessor {
  checkNames(options, options as Record<string, unknown>);
  const { storedResults, thread, ...rest } = options;
  const own = parseOptions(ownSchema, { storedResults, thread });
  const shaping = aiSdkShaping(rest);
  const threadOf = ({ requestContext, messageList }: Pick<HookLike, 'requestContext' | 'messageList'>) =>
    own.thread?.(requestContext) ??
    messageList?.get.all.db().findLast(({ threadId }) => threadId !== undefined)?.threadId ??
    '';
  return {
    id: 'context-shaping',
    name: 'Context shaping',
    async processInputStep({ state, tools = {}, activeTools = Object.keys(tools) }) {
      state.tools = await schemasOf(tools, activeTools);
      state.views = Object.keys(tools).filter((name) => hasView(tools[name]));
    },
    async processLLMRequest<M extends MessageLike>({
      prompt,
      state,
      abortSignal,
      ...hook
    }: HookLike & { prompt: M[] }) {
      const { transformParams } = shapingMiddleware(shaping.withThread(threadOf(hook)));
      const tools = state.tools as Awaited<ReturnType<typeof schemasOf>> | undefined;
      const shaped = await transformParams({ params: { prompt, tools, abortSignal } });
      return { prompt: shaped.prompt.map(withoutHeld) };
    },
    async processToolResult({ toolName, toolCallId, args, result, providerExecuted, ...hook }) {
      const { messageList, state, abortSignal } = hook;
      // What the model gets of a tool with `toModelOutput` is not the result. It is shaped in the request.
      const isOther = providerExecuted || (state.views as string[] | undefined)?.includes(toolName);
      if (own.storedResults === 'complete' || isOther) return;
      const given: readonly Content[] = [
        typeof result === 'string' ? { type: 'text', text: result } : { type: 'json', value: result },
      ];
      const question = messageList.getLatestUserContent();
      const { content, held } = await shaping.conversation.shapeResult(
        { type: 'result', id: toolCallId, tool: toolName, content: given },
        {
          thread: threadOf(hook),
          input: args,
          messages: question ? [{ role: 'user', parts: [{ type: 'text', text: question }] }] : [],
          signal: abortSignal,
        },
      );
      if (content === given) return;
      const { value, modelOutput } = storedAs(content);
      messageList.updateToolInvocation({
        type: 'tool-invocation',
        toolInvocation: { state: 'result', toolCallId, toolName, args, result: value },
        providerMetadata: {
          ...(modelOutput && { mastra: { modelOutput } }),
          ...(held && { [NAMESPACE]: { held } }),
        },
      });
    },
    recallTool: recallTool(shaping, own.thread),
  };
}

/** Data stay data for the application. The model also gets the note behind them, as it would in a request. */
function storedAs(content: readonly Content[]): {
  value: unknown;
  modelOutput?: { type: 'text'; value: string };
} {
  const text = content.map(textOf).join('\n\n');
  const [first, ...more] = content;
  if (first?.type !== 'json') return { value: text };
  return more.length === 0
    ? { value: first.value }
    : { value: first.value, modelOutput: { type: 'text', value: text } };
}

const textOf = (content: Content) =>
  content.type === 'text' ? content.text : content.type === 'json' ? JSON.stringify(content.value) : '';

/** Mastra copies metadata of stored parts into the options for the provider, which may be sent over the network. */
function withoutHeld<M extends MessageLike>(message: M): M {
  const { content } = message;
  if (typeof content === 'string' || !content.some(hasHeld)) return message;
  return { ...message, content: content.map((part) => (hasHeld(part) ? stripped(part) : part)) };
}

type WithOptions = { providerOptions?: Record<string, unknown> };

const hasHeld = (part: object) => (part as WithOptions).providerOptions?.[NAMESPACE] !== undefined;

function stripped<P extends object>(part: P): P {
  const { [NAMESPACE]: _, ...providerOptions } = (part as WithOptions).providerOptions ?? {};
  return { ...part, providerOptions };
}
