/** Function tools: those that are shaped, and the one that recalls. */
import { isObject } from 'context-shaping/kit';
import { RECALL_DESCRIPTION, RECALL_TOOL, readRecallInput, recallToolSchema } from '../conversation/index.js';
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
