import { ContextShapingError } from 'context-shaping';
import {
  type AiSdkShaping,
  type MessageLike,
  type RecallInput,
  type RecallTool,
  recallTool as recallToolOf,
} from '../ai-sdk/index.js';
import { RECALL_TOOL } from '../conversation/index.js';
import type { RequestContextLike } from './types.js';

/**
 * The newest request of each conversation of a run, as it was before shaping. The recall tool needs it, because Mastra
 * tells a tool only the new messages of the user. Runs are known by their request contexts, and forgotten with them; a
 * context that many runs share has many conversations.
 */
export class NewestRequests {
  readonly #ofRun = new WeakMap<RequestContextLike, Map<string, readonly MessageLike[]>>();

  note(context: RequestContextLike | undefined, thread: string, prompt: readonly MessageLike[]): void {
    if (context === undefined) return;
    const ofThread = this.#ofRun.get(context) ?? new Map<string, readonly MessageLike[]>();
    this.#ofRun.set(context, ofThread.set(thread, prompt));
  }

  of(context: RequestContextLike | undefined, thread: string): readonly MessageLike[] | undefined {
    return context && this.#ofRun.get(context)?.get(thread);
  }
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
      agent?: { toolCallId: string; messages: MessageLike[]; threadId?: string | undefined } | undefined;
    },
  ): Promise<string>;
}

export function recallTool(
  shaping: AiSdkShaping,
  requests: NewestRequests,
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
        messages: requests.of(requestContext, thread) ?? agent?.messages ?? [],
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
