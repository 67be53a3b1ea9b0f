import { isObject } from 'context-shaping/kit';
import { contentOf, outputOf, parsed } from './items.js';
import { type OpenAiAgentsShaping, type OpenAiAgentsShapingOptions, shapingOf } from './shaping.js';

/** The fields that this package uses of a `FunctionTool`. */
export interface FunctionToolLike {
  type: 'function';
  name: string;
  outputSchema?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK has classes for these, and any result.
  invoke(runContext: any, input: string, details?: any): Promise<any>;
}

/**
 * A function tool whose results are shaped when they arrive, for the arguments of the call. The session then has the shaped
 * results. This is for conversations that the server keeps (`conversationId`, `previousResponseId`), where a filter gets
 * only new items; elsewhere `shapedModelInput` keeps the session complete.
 *
 * Tools with an `outputSchema` stay as they are, because the model was promised that schema.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function shapedTool<T extends FunctionToolLike>(
  tool: T,
  options: OpenAiAgentsShapingOptions | OpenAiAgentsShaping = {},
): T {
  const { conversation, threadOf, newest } = shapingOf(options);
  if (tool.outputSchema !== undefined) return tool;
  const invoke: FunctionToolLike['invoke'] = async (runContext, input, details) => {
    const output = await tool.invoke(runContext, input, details);
    const shown = isShown(output) ? output : JSON.stringify(output);
    const given = contentOf(shown);
    const thread = threadOf({ context: runContext?.context });
    const { content } = await conversation.shapeResult(
      { type: 'result', id: details?.toolCall?.callId ?? '', tool: tool.name, content: given },
      { thread, input: parsed(input), messages: newest.get(thread), signal: details?.signal },
    );
    return content === given ? output : outputOf(content, shown);
  };
  return { ...tool, invoke };
}

/** The SDK sends these values as they are, and all others as JSON. */
const isShown = (output: unknown): boolean =>
  typeof output === 'string' || (Array.isArray(output) ? output.every(isPiece) : isPiece(output));

const isPiece = (value: unknown) => isObject(value) && /^(text|image|file)$/.test(String(value.type));
