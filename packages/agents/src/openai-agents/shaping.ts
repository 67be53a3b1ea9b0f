import {
  type ConversationShapingOptions,
  type Message,
  RECALL_DESCRIPTION,
  RECALL_TOOL,
  recallToolSchema,
  type ToolSchema,
} from '../conversation/index.js';
import { type HostShaping, hostShaping, optionsOf, recalled, sharedOr } from '../host.js';
import { type AgentItemLike, itemsOf, messagesOf } from './items.js';

export interface OpenAiAgentsShapingOptions extends ConversationShapingOptions {
  /**
   * The conversation: handles of one are not valid in another. A function gets the `context` of the run, which is all that
   * the SDK tells a filter. Default: one conversation.
   */
  thread?: string | ((call: ThreadCall) => string) | undefined;
}

export interface ThreadCall {
  /** The `context` that was given to `run`. */
  context: unknown;
}

/** The functions of this adapter share it: the shaper with its store and its handles. */
export type OpenAiAgentsShaping = HostShaping<ThreadCall>;

/**
 * Makes what `shapedModelInput` and `recallTool` share, so that one recalls what another left out.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function openAiAgentsShaping(options: OpenAiAgentsShapingOptions = {}): OpenAiAgentsShaping {
  return hostShaping(optionsOf(options));
}

const shapingOf = sharedOr(openAiAgentsShaping);

/** A `callModelInputFilter` of a runner or of one run. */
export interface ShapedModelInput {
  <Item extends AgentItemLike>(args: {
    modelData: ModelData<Item>;
    agent: unknown;
    context: unknown;
  }): Promise<ModelData<Item>>;
  /** The SDK gives the items themselves and no copies. They are never changed. */
  preserveInputIdentity: true;
}

interface ModelData<Item> {
  input: Item[];
  instructions?: string;
}

/**
 * Shapes what the model gets in each request: results of function tools, and the list. The items of the run and of its
 * session stay complete, apart from results in the input of the run itself: the SDK saves those as they are sent.
 *
 * `instructions` count as the system prompt, and the agent's own function tools count with their schemas. The SDK does not
 * show a filter the tools of MCP servers, handoffs and output types: leave room for them.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function shapedModelInput(
  options: OpenAiAgentsShapingOptions | OpenAiAgentsShaping = {},
): ShapedModelInput {
  const { conversation, threadOf } = shapingOf(options);
  const filter: Omit<ShapedModelInput, 'preserveInputIdentity'> = async <Item extends AgentItemLike>({
    modelData,
    agent,
    context,
  }: {
    modelData: ModelData<Item>;
    agent: unknown;
    context: unknown;
  }) => {
    const { input, instructions } = modelData;
    const given = messagesOf(input);
    const system: Message[] = instructions
      ? [{ role: 'system', parts: [{ type: 'text', text: instructions }] }]
      : [];
    const thread = threadOf({ context });
    const messages = [...system, ...given.messages];
    const shaped = await conversation.shapeRequest({ thread, messages, tools: toolsOf(agent) });
    const items = itemsOf(shaped, { messages, items: [...system.map(() => []), ...given.items] });
    return { ...modelData, input: items };
  };
  return Object.assign(filter, { preserveInputIdentity: true as const }) as ShapedModelInput;
}

function toolsOf(agent: unknown): ToolSchema[] {
  const { tools } = (agent ?? {}) as { tools?: readonly (ToolSchema & { type?: string })[] };
  return (Array.isArray(tools) ? tools : []).flatMap(({ type, name, description, parameters }) =>
    type === 'function' ? [{ name, description, parameters }] : [],
  );
}

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
export function recallTool({ conversation, threadOf }: OpenAiAgentsShaping): RecallToolOptions {
  return {
    name: RECALL_TOOL,
    description: RECALL_DESCRIPTION,
    parameters: structuredClone(recallToolSchema) as unknown as RecallToolOptions['parameters'],
    strict: false,
    async execute(input, runContext, { toolCall, signal } = {}) {
      const thread = threadOf({ context: runContext?.context });
      const { text } = await recalled(conversation, input, {
        thread,
        callId: toolCall?.callId ?? '',
        signal,
      });
      return text;
    },
  };
}
