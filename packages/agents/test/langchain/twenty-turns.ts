/** Twenty questions to one agent that searches real documentation, with and without the middleware. */
import type { Document } from '@langchain/core/documents';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { estimateTokens } from 'context-shaping';
import type { contextShapingMiddleware } from 'context-shaping-agents/langchain';
import { createAgent } from 'langchain';
import type { Sent } from './priced-requests.js';
import { QUESTIONS, ScriptedModel, type Step, searching, searchTool, tokensOf } from './support.js';

export const THREAD = { configurable: { thread_id: 'twenty' } };
export type Middleware = ReturnType<typeof contextShapingMiddleware>;

/** An agent's tools, its questions, and how it answers them. */
export interface Work {
  readonly tools: readonly StructuredToolInterface[];
  readonly step: Step;
  readonly questions: readonly string[];
  readonly systemPrompt: string;
}

/** Searches documentation. */
export const searchWork = (documents: Document[]): Work => ({
  tools: [searchTool(documents)],
  step: searching,
  questions: QUESTIONS.map(([question]) => question),
  systemPrompt: 'Answer from the documentation.',
});

/** The 40 requests, two a turn, with their tokens; the second ones, which answer; the states; and the tools. */
export async function twentyTurns({ tools, step, questions, systemPrompt }: Work, middleware: Middleware[]) {
  const model = new ScriptedModel(step);
  const agent = createAgent({
    model,
    tools: [...tools],
    middleware,
    checkpointer: new MemorySaver(),
    systemPrompt,
  });
  const states: BaseMessage[][] = [];
  for (const question of questions) {
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
