import {
  type AiSdkShaping,
  type MessageLike,
  type RecallInput,
  type RecallTool,
  recallTool as recallToolOf,
} from '../ai-sdk/index.js';
import { RECALL_TOOL } from '../conversation/index.js';
import type { RequestContextLike } from './types.js';

/** A tool for `tools` of an agent, or for `createTool`. */
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
  threadOf: ((requestContext: RequestContextLike | undefined) => string | undefined) | undefined,
): MastraRecallTool {
  const { description, inputSchema } = recallToolOf(shaping);
  return {
    id: RECALL_TOOL,
    description,
    inputSchema,
    async execute(input, { requestContext, abortSignal, agent } = {}) {
      const thread = threadOf?.(requestContext) ?? agent?.threadId ?? '';
      return recallToolOf(shaping.withThread(thread)).execute(input, {
        toolCallId: agent?.toolCallId ?? '',
        messages: agent?.messages ?? [],
        abortSignal,
      });
    },
  };
}
