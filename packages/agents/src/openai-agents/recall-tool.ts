import { RECALL_DESCRIPTION, RECALL_TOOL, readRecallInput, recallToolSchema } from '../conversation/index.js';
import type { OpenAiAgentsShaping } from './shaping.js';

/** The options of a function tool, for the SDK's function `tool`. */
export interface RecallToolOptions {
  name: string;
  description: string;
  parameters: {
    type: 'object';
    properties: Record<string, { type: 'string'; description: string }>;
    required: string[];
    /** The SDK's type of a schema that is not strict. The schema itself has `false`. */
    additionalProperties: true;
  };
  strict: false;
  execute(
    input: unknown,
    runContext?: { context: unknown },
    details?: { toolCall?: { callId: string }; signal?: AbortSignal },
  ): Promise<string>;
}

/**
 * The tool that reads left-out passages, for the `tools` of each agent: `tool(recallTool(shaping))`, with the function
 * `tool` of the SDK.
 *
 * @param shaping what the other functions share: `openAiAgentsShaping(…)`.
 */
export function recallTool({ conversation, threadOf, newest }: OpenAiAgentsShaping): RecallToolOptions {
  return {
    name: RECALL_TOOL,
    description: RECALL_DESCRIPTION,
    parameters: structuredClone(recallToolSchema) as unknown as RecallToolOptions['parameters'],
    strict: false,
    async execute(input, runContext, { toolCall, signal } = {}) {
      // A call without a handle gets the answer for a wrong handle.
      const thread = threadOf({ context: runContext?.context });
      const { text } = await conversation.recall({
        ...(readRecallInput(input) ?? { handle: '' }),
        thread,
        callId: toolCall?.callId ?? '',
        messages: newest.get(thread),
        signal,
      });
      return text;
    },
  };
}
