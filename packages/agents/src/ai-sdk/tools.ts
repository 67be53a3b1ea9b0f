/** Tools of a `ToolSet`: those that are shaped, and the one that recalls. */
import {
  RECALL_DESCRIPTION,
  type RecallInput,
  readRecallInput,
  recallToolSchema,
} from '../conversation/index.js';
import {
  defaultOutput,
  isFailure,
  itemsOf,
  type MessageLike,
  type OutputLike,
  outputOf,
  type ToolLike,
  toMessages,
} from './messages.js';
import { type AiSdkShaping, type AiSdkShapingOptions, shapingOf } from './shaping.js';

/**
 * A tool whose results the model gets shaped, for the arguments of the call. The whole output stays in the result and in
 * the UI message. The AI SDK asks for the model's view at each conversion of UI messages, and gets the same bytes.
 *
 * An existing `toModelOutput` is asked first, and its answer is shaped; errors and files stay.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function shapedTool<T extends ToolLike>(tool: T, options: AiSdkShapingOptions | AiSdkShaping = {}): T {
  const { conversation, threadOf, toolName } = shapingOf(options);
  const view = tool.toModelOutput as ((call: Call) => OutputLike | PromiseLike<OutputLike>) | undefined;
  return {
    ...tool,
    async toModelOutput(call: Call): Promise<OutputLike> {
      const output = view === undefined ? defaultOutput(call.output) : await view.call(tool, call);
      if (isFailure(output)) return output;
      const items = itemsOf(output);
      const given = [...items.keys()];
      const { content } = await conversation.shapeResult(
        { type: 'result', id: call.toolCallId, tool: toolName, content: given },
        { thread: threadOf({}), input: call.input },
      );
      return content === given ? output : outputOf(output, items, content);
    },
  };
}

interface Call {
  toolCallId: string;
  input: unknown;
  output: unknown;
}

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
        messages: toMessages(messages).messages,
        signal: abortSignal,
      });
      return text;
    },
  };
}
