import * as z from 'zod';
import { RECALL_DESCRIPTION, RECALL_TOOL, recallToolSchema } from '../conversation/index.js';
import { parsed } from './items.js';
import type { OpenAiAgentsShaping } from './shaping.js';

/** A function tool for an `Agent`, with the fields that the SDK's function `tool` would give it. */
export interface RecallTool {
  type: 'function';
  name: string;
  description: string;
  parameters: {
    type: 'object';
    properties: Record<string, { type: string; description?: string }>;
    required: string[];
    additionalProperties: false;
  };
  strict: boolean;
  invoke(runContext: { context?: unknown }, input: string, details?: CallDetails): Promise<string>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

interface CallDetails {
  toolCall?: { callId: string };
  signal?: AbortSignal;
}

const inputSchema = z
  .object({ handle: z.string().catch(''), query: z.string().optional().catch(undefined) })
  .catch({ handle: '' });

/**
 * The tool that reads left-out passages, for the `tools` of each agent.
 *
 * @param shaping what the other functions share: `openAiAgentsShaping(…)`.
 */
export function recallTool({ conversation, threadOf, newest }: OpenAiAgentsShaping): RecallTool {
  return {
    type: 'function',
    name: RECALL_TOOL,
    description: RECALL_DESCRIPTION,
    parameters: { ...recallToolSchema, required: [...recallToolSchema.required] },
    strict: false,
    async invoke(runContext, input, { toolCall, signal } = {}) {
      // A call without a handle gets the answer for a wrong handle: an error would end the run.
      const { handle, query } = inputSchema.parse(parsed(input));
      const thread = threadOf({ context: runContext.context });
      const { text } = await conversation.recall({
        handle,
        query,
        thread,
        callId: toolCall?.callId ?? '',
        messages: newest.get(thread),
        signal,
      });
      return text;
    },
    needsApproval: async () => false,
    isEnabled: async () => true,
  };
}
