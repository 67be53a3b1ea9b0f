import type { Message, ToolSchema } from '../conversation/index.js';
import { type AgentItemLike, itemsOf, messagesOf } from './items.js';
import { type OpenAiAgentsShaping, type OpenAiAgentsShapingOptions, shapingOf } from './shaping.js';

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
  const { conversation, threadOf, newest } = shapingOf(options);
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
    newest.set(thread, messages);
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
