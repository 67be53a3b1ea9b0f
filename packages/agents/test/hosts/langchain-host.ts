/** LangChain as a host: `createAgent` with the middleware, a checkpointer, and a scripted model. */
import { readFileSync } from 'node:fs';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import type { ConversationShapingOptions, RequestReport } from '../../src/conversation/index.js';
import { type ContextShapingMiddlewareOptions, contextShapingMiddleware } from '../../src/langchain/index.js';
import type { Host, Run, Script, Sent } from './host.js';
import { IMAGE } from './image.js';

const manifest = new URL('../../../../node_modules/langchain/package.json', import.meta.url);

/** `model`: the state keeps complete results. `both`: it has the shaped ones. */
export const langchainHost = (mode: 'both' | 'model'): Host => ({
  name: mode === 'both' ? 'LangChain' : 'LangChain, complete state',
  version: JSON.parse(readFileSync(manifest, 'utf8')).version,
  takesImages: true,
  run: (script, options) => run(script, options, mode),
});

async function run(
  { thread = 'conformance', system, questions, images = [], tools, reply }: Script,
  { maxTokens, ...options }: ConversationShapingOptions,
  mode: 'both' | 'model',
): Promise<Run> {
  const reports: RequestReport[] = [];
  const requests: Sent[][] = [];
  const model = new ScriptedModel((messages) => {
    const sent = messages.flatMap(sentOf);
    requests.push(sent);
    const said = reply(sent);
    return 'text' in said
      ? new AIMessage(said.text)
      : new AIMessage({
          content: '',
          tool_calls: said.calls.map(({ id, tool, input }) => ({
            id,
            name: tool,
            args: input,
            type: 'tool_call',
          })),
        });
  });
  const agent = createAgent({
    model,
    tools: tools.map(({ name, description, parameters, run }) =>
      tool(async (input) => run(input as Record<string, unknown>), { name, description, schema: parameters }),
    ),
    systemPrompt: system,
    checkpointer: new MemorySaver(),
    middleware: [
      contextShapingMiddleware({
        ...options,
        maxTokens,
        // Without a budget there is no list to shape.
        mode: maxTokens === undefined ? 'tool' : mode,
        onRequest: (report: RequestReport) => reports.push(report),
      } as ContextShapingMiddlewareOptions),
    ],
  });
  let unchanged = true;
  let before: string[] = [];
  for (const [at, question] of questions.entries()) {
    const content = [
      { type: 'text' as const, text: question },
      ...(images.includes(at) ? [{ type: 'image_url' as const, image_url: { url: IMAGE } }] : []),
    ];
    const message = new HumanMessage({ content: content.length === 1 ? question : content });
    const { messages } = await agent.invoke(
      { messages: [message] },
      { configurable: { thread_id: thread }, recursionLimit: 100 },
    );
    const after = messages.map((each) => JSON.stringify([each.id, each.content]));
    unchanged &&= before.every((each, place) => after[place] === each);
    before = after;
  }
  return { requests, reports, unchanged };
}

class ScriptedModel extends BaseChatModel {
  constructor(readonly step: (messages: BaseMessage[]) => AIMessage) {
    super({});
  }
  override _llmType() {
    return 'scripted';
  }
  override bindTools() {
    return this;
  }
  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = this.step(messages);
    return { generations: [{ text: message.text, message }] };
  }
}

function sentOf(message: BaseMessage): Sent[] {
  if (ToolMessage.isInstance(message))
    return [{ role: 'tool', id: message.tool_call_id, tool: message.name ?? '', result: message.text }];
  const role = ({ system: 'system', human: 'user' } as const)[message.getType() as 'human'] ?? 'assistant';
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return [
    ...(message.text === '' ? [] : [{ role, text: message.text }]),
    ...calls.map(
      ({ id = '', name, args }): Sent => ({ role: 'assistant', call: { id, tool: name, input: args } }),
    ),
  ];
}
