import * as z from 'zod';
import { toMessages } from './messages.js';
import { restored } from './prepare-step.js';
import type { AiSdkShaping } from './shaping.js';
import type { MessageLike } from './types.js';

const schema = z.object({ handle: z.string(), query: z.string().optional() });

export interface RecallInput {
  handle: string;
  query?: string | undefined;
}

/** A tool of a `ToolSet`. Its input has a schema by Standard Schema, with its JSON schema. */
export interface RecallTool {
  description: string;
  inputSchema: z.ZodType<RecallInput, RecallInput>;
  execute(
    input: RecallInput,
    call: {
      toolCallId: string;
      messages: readonly MessageLike[];
      abortSignal?: AbortSignal | undefined;
      context?: unknown;
      experimental_context?: unknown;
    },
  ): Promise<string>;
}

/**
 * The tool that reads left-out passages. Its name among the tools must be `recall_passage`, which the notes tell the model.
 *
 * @param shaping what the other functions share: `aiSdkShaping(…)`.
 */
export function recallTool({ conversation, threadOf }: AiSdkShaping): RecallTool {
  return {
    description:
      'Reads passages that were left out of the results of other tools, by the handle in the note at the end of such a ' +
      'result. Call it if the passages that are shown do not answer the question.',
    inputSchema: schema,
    async execute({ handle, query }, { toolCallId, messages, abortSignal, context, experimental_context }) {
      const { text } = await conversation.recall({
        handle,
        query,
        thread: threadOf({ context: experimental_context ?? context }),
        callId: toolCallId,
        messages: toMessages(restored(messages)).messages,
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      });
      return text;
    },
  };
}
