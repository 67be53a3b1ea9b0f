import { defaultOutput, isFailure, itemsOf, outputOf } from './output.js';
import { type AiSdkShaping, type AiSdkShapingOptions, shapingOf } from './shaping.js';
import type { OutputLike, ToolLike } from './types.js';

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
