import { ContextShapingError } from 'context-shaping';
import {
  type AiSdkShaping,
  type MessageLike,
  type RecallInput,
  type RecallTool,
  recallTool as recallToolOf,
} from '../ai-sdk/index.js';
import { RECALL_TOOL } from '../conversation/index.js';
import type { NewestRequests } from './newest-requests.js';
import type { RequestContextLike } from './types.js';

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
