import { ContextShapingError } from 'context-shaping';
import { parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import {
  type AiSdkShaping,
  type AiSdkShapingOptions,
  aiSdkShaping,
  type MessageLike,
  type RecallInput,
  type RecallTool,
  recallTool as recallToolOf,
  shapingMiddleware,
} from '../ai-sdk/index.js';
import { RECALL_TOOL } from '../conversation/index.js';
import { optionsOf, threadName } from '../host.js';

/*
 * The used part of Mastra, as structural types: importing its own would force every user of these declarations to install
 * it, in the same version.
 */

/** `RequestContext`. */
export interface RequestContextLike {
  get(key: string): unknown;
}

/** `MessageList`. */
export interface MessageListLike {
  get: { all: { db(): readonly { threadId?: string | undefined }[] } };
}

/** The argument of every hook of a processor. */
interface HookLike {
  messageList?: MessageListLike | undefined;
  /** Shared by the hooks of one processor in one run. */
  state: Record<string, unknown>;
  requestContext?: RequestContextLike | undefined;
  abortSignal?: AbortSignal | undefined;
}

export interface MastraShapingOptions extends Omit<AiSdkShapingOptions, 'thread'> {
  /**
   * The conversation of a request: handles of one are not valid in another. Default: the thread of the memory; without a
   * memory, all requests are one conversation.
   */
  thread?: ((requestContext: RequestContextLike | undefined) => string | undefined) | undefined;
}

/** A processor, and the tool that reads the passages that it leaves out. */
export interface ContextShapingProcessor {
  readonly id: 'context-shaping';
  readonly name: string;
  /** For the agent's `tools`, as `recall_passage: createTool(processor.recallTool)`. */
  readonly recallTool: MastraRecallTool;
  /** Notes the tools of the step for the other hook. */
  processInputStep(
    step: HookLike & { tools?: ToolsLike | undefined; activeTools?: string[] | undefined },
  ): Promise<void>;
  /** Shapes the request. */
  processLLMRequest<M extends MessageLike>(request: HookLike & { prompt: M[] }): Promise<{ prompt: M[] }>;
}

const ownSchema = z.strictObject({
  thread: z
    .custom<NonNullable<MastraShapingOptions['thread']>>((value) => typeof value === 'function', {
      error: 'must be a function of the request context',
    })
    .optional(),
});

/**
 * Makes a processor for agents. As the last of `inputProcessors` it shapes each request: results of tools, and the whole
 * list of messages. The memory and the user interface have complete results.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function contextShapingProcessor(options: MastraShapingOptions = {}): ContextShapingProcessor {
  const { thread, ...rest } = optionsOf(options);
  const own = parseOptions(ownSchema, { thread });
  const shaping = aiSdkShaping(rest);
  const given = own.thread && ((context?: RequestContextLike) => threadName(own.thread?.(context)));
  const threadOf = ({ requestContext, messageList }: Omit<HookLike, 'state'>) =>
    given?.(requestContext) ??
    messageList?.get.all.db().findLast(({ threadId }) => threadId !== undefined)?.threadId ??
    '';
  return {
    id: 'context-shaping',
    name: 'Context shaping',
    recallTool: recallTool(shaping, given),
    async processInputStep({ state, tools = {}, activeTools = Object.keys(tools) }) {
      state.tools = await schemasOf(tools, activeTools);
    },
    async processLLMRequest<M extends MessageLike>({
      prompt,
      state,
      abortSignal,
      ...hook
    }: HookLike & { prompt: M[] }) {
      const thread = threadOf(hook);
      const { transformParams } = shapingMiddleware(shaping.withThread(thread));
      const tools = state.tools as Awaited<ReturnType<typeof schemasOf>> | undefined;
      const shaped = await transformParams({ params: { prompt, tools, abortSignal } });
      return { prompt: [...shaped.prompt] as M[] };
    },
  };
}

/** The tools of a step, by name, as a processor gets them: `parameters` has a JSON schema, in some versions a promise of it. */
type ToolsLike = Record<string, unknown>;

/** The tools as the provider gets them, without `$schema`: only some hosts add it, and the same tools count the same in all. */
async function schemasOf(
  tools: ToolsLike,
  activeTools: readonly string[],
): Promise<{ type: 'function'; name: string; description?: string | undefined; inputSchema: unknown }[]> {
  const active = Object.entries(tools).filter(([name]) => activeTools.includes(name));
  return Promise.all(
    active.map(async ([name, tool]) => {
      const { description, parameters, args } = tool as {
        description?: string;
        parameters?: { jsonSchema?: object | PromiseLike<object> };
        args?: object;
      };
      const { $schema: _, ...inputSchema } = ((await parameters?.jsonSchema) ?? args ?? {}) as {
        $schema?: unknown;
      };
      return { type: 'function' as const, name, description, inputSchema };
    }),
  );
}

/** The argument of `createTool`. */
export interface MastraRecallTool {
  id: string;
  description: string;
  inputSchema: RecallTool['inputSchema'];
  execute(
    input: RecallInput,
    context?: {
      requestContext?: RequestContextLike | undefined;
      abortSignal?: AbortSignal | undefined;
      agent?: { toolCallId: string; threadId?: string | undefined } | undefined;
    },
  ): Promise<string>;
}

function recallTool(
  shaping: AiSdkShaping,
  threadOf: ((requestContext: RequestContextLike | undefined) => string | undefined) | undefined,
): MastraRecallTool {
  const { description, inputSchema } = recallToolOf(shaping);
  return {
    id: RECALL_TOOL,
    description,
    inputSchema,
    async execute(input, { requestContext, abortSignal, agent, ...others } = {}) {
      // Mastra takes a plain object for a tool of the AI SDK, which does not get to know the thread.
      if ('toolCallId' in others) throw isPlain();
      const thread = threadOf?.(requestContext) ?? agent?.threadId ?? '';
      return recallToolOf(shaping.withThread(thread)).execute(input, {
        toolCallId: agent?.toolCallId ?? '',
        abortSignal,
      });
    },
  };
}

const isPlain = () =>
  new ContextShapingError('invalid-input', {
    field: 'recallTool',
    value: 'a plain object',
    is: 'must be made a tool of Mastra',
    remedy: 'Give the agent createTool(processor.recallTool).',
  });
