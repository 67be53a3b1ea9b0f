/** Twenty questions to one agent that searches real documentation, with and without the middleware. */
import type { Document } from '@langchain/core/documents';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { estimateTokens } from 'context-shaping';
import type { contextShapingMiddleware } from 'context-shaping/agents';
import { createAgent } from 'langchain';
import type { Sent } from './priced-requests.js';
import { QUESTIONS, ScriptedModel, searching, searchTool, tokensOf } from './support.js';

export const THREAD = { configurable: { thread_id: 'twenty' } };
export type Middleware = ReturnType<typeof contextShapingMiddleware>;

/** The 40 requests, two a turn, with their tokens; the second ones, which answer; the states; and the tools. */
export async function twentyTurns(documents: Document[], middleware: Middleware[]) {
  const model = new ScriptedModel(searching);
  const agent = createAgent({
    model,
    tools: [searchTool(documents)],
    middleware,
    checkpointer: new MemorySaver(),
    systemPrompt: 'Answer from the documentation.',
  });
  const states: BaseMessage[][] = [];
  for (const [question] of QUESTIONS) {
    const { messages } = await agent.invoke({ messages: [new HumanMessage(question)] }, THREAD);
    states.push(messages);
  }
  const tokens = await Promise.all(model.requests.map(tokensOf));
  const answers = model.requests.filter((_, at) => at % 2 === 1);
  return { tokens, answers, states, requests: model.requests, tools: model.boundTools };
}

/** Most messages are in many requests. */
const known = new Map<string, Sent>();

async function sentOf(message: BaseMessage): Promise<Sent> {
  const { content, tool_calls: calls, tool_call_id: call } = message as BaseMessage & Record<string, unknown>;
  const text = JSON.stringify([message.getType(), content, calls, call]);
  const sent = known.get(text) ?? { text, tokens: await tokensOf([message]) };
  known.set(text, sent);
  return sent;
}

/** The requests as they are sent, byte for byte: the tools, and the messages. */
export async function sentIn({
  requests,
  tools,
}: Pick<Awaited<ReturnType<typeof twentyTurns>>, 'requests' | 'tools'>): Promise<Sent[][]> {
  const ofTools = tools.map((tool): Sent => {
    const text = JSON.stringify(tool);
    return { text, tokens: estimateTokens(text) };
  });
  return Promise.all(
    requests.map(async (messages) => [...ofTools, ...(await Promise.all(messages.map(sentOf)))]),
  );
}
