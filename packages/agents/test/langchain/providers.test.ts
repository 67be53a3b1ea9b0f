/** The messages that providers get after shaping, by the converters of their LangChain packages. */
import { ChatAnthropic } from '@langchain/anthropic';
import { Document } from '@langchain/core/documents';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { contextShapingMiddleware } from 'context-shaping-agents/langchain';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { listShaper, ScriptedModel, searching, searchTool, tokensOf } from './support.js';

const ferry = (at: number) =>
  `Ferry ${at} leaves pier ${at + 1} every ${at + 10} minutes, tickets at counter ${at * 3}.`;
const TURNS = 6;
const messages: BaseMessage[] = [new SystemMessage('Be brief.')];
for (let turn = 0; turn < TURNS; turn++) {
  const ids = [`a${turn}`, `b${turn}`];
  messages.push(
    new HumanMessage(`When does ferry ${turn} leave?`),
    new AIMessage({
      content: '',
      tool_calls: ids.map((id) => ({
        id,
        name: 'search',
        args: { query: `ferry ${turn}` },
        type: 'tool_call' as const,
      })),
    }),
    ...ids.map(
      (tool_call_id) =>
        new ToolMessage({
          tool_call_id,
          name: 'search',
          content: Array.from({ length: 20 }, (_, at) => ferry(at)).join('\n\n'),
        }),
    ),
  );
  if (turn < TURNS - 1) messages.push(new AIMessage(`Every ${turn + 10} minutes.`));
}

interface Sent {
  role: string;
  content?:
    | string
    | { type: string; id?: string; tool_use_id?: string; cache_control?: unknown; content?: unknown }[];
  parts?: { functionCall?: unknown; functionResponse?: unknown }[];
}

/** The messages of the request's body. */
async function anthropic(list: BaseMessage[]): Promise<Sent[]> {
  let body = '';
  const model = new ChatAnthropic({
    apiKey: 'none',
    model: 'claude-sonnet-4-5',
    maxRetries: 0,
    clientOptions: {
      fetch: async (_: unknown, init?: { body?: unknown }) => {
        body = String(init?.body);
        return new Response('{}', { status: 400 });
      },
    },
  });
  await model.invoke(list).catch(() => {});
  return JSON.parse(body).messages;
}

async function gemini(list: BaseMessage[]): Promise<Sent[]> {
  const model = new ChatGoogleGenerativeAI({ apiKey: 'none', model: 'gemini-2.5-flash', maxRetries: 0 });
  const fetched = globalThis.fetch;
  let body = '';
  globalThis.fetch = async (_, init) => {
    body = String(init?.body);
    return new Response('{}', { status: 400 });
  };
  try {
    await model.invoke(list).catch(() => {});
  } finally {
    globalThis.fetch = fetched;
  }
  return JSON.parse(body).contents;
}

describe.each([250, 500, 1200])('in %i tokens', (maxTokens) => {
  const shaped = async () => {
    const sent = await listShaper({ maxTokens, maxToolTokens: 200 })(messages);
    expect(await tokensOf(sent)).toBeLessThan(await tokensOf(messages));
    return sent;
  };

  test('Anthropic: a user begins, roles alternate, and each call has its result in the next message', async () => {
    const sent = await anthropic(await shaped());
    expect(sent[0]?.role).toBe('user');
    for (const [at, { role, content }] of sent.entries()) {
      expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant');
      if (typeof content === 'string') continue;
      const calls = (content ?? []).filter(({ type }) => type === 'tool_use').map(({ id }) => id);
      const next = sent[at + 1]?.content;
      const answers = (Array.isArray(next) ? next : []).flatMap(({ tool_use_id: id }) => id ?? []);
      expect(answers).toEqual(calls);
    }
  });

  test('Gemini: a user begins, and each turn with calls is followed by one with as many responses', async () => {
    const sent = await gemini(await shaped());
    expect(sent[0]?.role).toBe('user');
    const count = (at: number, kind: 'functionCall' | 'functionResponse') => {
      let parts = 0;
      for (let place = at; sent[place]?.parts?.some((part) => part[kind] !== undefined); place++)
        parts += sent[place]?.parts?.filter((part) => part[kind] !== undefined).length ?? 0;
      return parts;
    };
    let calls = 0;
    for (const at of sent.keys()) {
      const own = count(at, 'functionCall');
      if (own === 0) continue;
      calls += own;
      expect(count(at + 1, 'functionResponse')).toBe(own);
    }
    expect(calls).toBeGreaterThan(0);
    for (const [at, { role }] of sent.entries())
      if (role === 'model') expect(sent[at - 1]?.role).not.toBe('model');
  });
});

test('with cacheControl, the ends of repeated prefixes are marked, at most four, and the state is not', async () => {
  const documents = Array.from(
    { length: 20 },
    (_, at) => new Document({ id: `f${at}`, pageContent: ferry(at) }),
  );
  const model = new ScriptedModel(searching);
  const middleware = [contextShapingMiddleware({ maxTokens: 2000, maxToolTokens: 200, cacheControl: true })];
  const agent = createAgent({ model, tools: [searchTool(documents)], middleware, systemPrompt: 'Be brief.' });
  const end = await agent.invoke({ messages: [new HumanMessage('When does ferry 7 leave?')] });
  const request = model.requests.at(-1) as BaseMessage[];
  const marks =
    JSON.stringify((await anthropic(request)).concat()).match(/"cache_control":\{"type":"ephemeral"\}/g) ??
    [];
  expect(marks.length).toBeGreaterThan(0);
  expect(marks.length).toBeLessThanOrEqual(4);
  expect(JSON.stringify(end.messages.map(({ content }) => content))).not.toContain('cache_control');
});
