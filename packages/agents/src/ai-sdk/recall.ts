import {
  RECALL_DESCRIPTION,
  type RecallInput,
  readRecallInput,
  recallToolSchema,
} from '../conversation/index.js';
import { toMessages } from './messages.js';
import { restored } from './prepare-step.js';
import type { AiSdkShaping } from './shaping.js';
import type { MessageLike } from './types.js';

/** A tool of a `ToolSet`. Its schema is a Standard Schema that knows its JSON schema. */
export interface RecallTool {
  description: string;
  inputSchema: {
    readonly '~standard': {
      readonly version: 1;
      readonly vendor: string;
      readonly validate: (value: unknown) => { value: RecallInput } | { issues: { message: string }[] };
      readonly jsonSchema: Record<'input' | 'output', () => Record<string, unknown>>;
      readonly types?: { input: RecallInput; output: RecallInput };
    };
  };
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
 * @param shaping the shaper of the other functions: `aiSdkShaping(…)`.
 */
export function recallTool({ conversation, threadOf }: AiSdkShaping): RecallTool {
  return {
    description: RECALL_DESCRIPTION,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'context-shaping',
        validate(given) {
          const value = readRecallInput(given);
          return value ? { value } : { issues: [{ message: 'must be an object with the text handle' }] };
        },
        jsonSchema: {
          input: () => structuredClone(recallToolSchema),
          output: () => structuredClone(recallToolSchema),
        },
      },
    },
    async execute(input, { toolCallId, messages, abortSignal, context, experimental_context }) {
      const { text } = await conversation.recall({
        ...input,
        thread: threadOf({ context: experimental_context ?? context }),
        callId: toolCallId,
        messages: toMessages(restored(messages)).messages,
        signal: abortSignal,
      });
      return text;
    },
  };
}
