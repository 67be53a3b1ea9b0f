/** The list of messages, whichever way it comes to be shaped: what LangChain's own parts do with it. */
import { Document } from '@langchain/core/documents';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { contextShapingMiddleware, EVICTED_EVENT } from 'context-shaping-agents/langchain';
import { type AgentMiddleware, createAgent, summarizationMiddleware } from 'langchain';
import { expect, test } from 'vitest';
import { deepFreeze } from '../../../../test/support.js';
import { calling, listShaper, ScriptedModel, searching, searchTool } from './support.js';

const QUESTION = 'When was the harbour bridge opened to traffic?';
const ANSWER = 'The harbour bridge was opened to traffic on 4 May 1932, after seven years of work.';
const documents = deepFreeze([
  new Document({ id: 'answer', pageContent: ANSWER }),
  ...Array.from(
    { length: 12 },
    (_, at) =>
      new Document({
        id: `other-${at}`,
        pageContent: `Ferry ${at} to the bridge leaves pier ${at + 1} every ${at + 10} minutes, tickets at counter ${at * 3}.`,
      }),
  ),
]);
const search = searchTool(documents);

test('the summary that LangChain’s middleware wrote stays, no matter how messages behind it change', async () => {
  const summaries = new FakeListChatModel({ responses: ['They asked for the bridge.'] });
  const options = { model: summaries, trigger: { messages: 3 }, keep: { messages: 1 } };
  // LangChain's types of these do not know exactOptionalPropertyTypes.
  const summarizing = summarizationMiddleware(options as never) as AgentMiddleware;
  const old = [new HumanMessage(QUESTION), new AIMessage('In 1932.'), new HumanMessage('And?')];
  const { messages } = await createAgent({
    model: new ScriptedModel(() => new AIMessage('word '.repeat(300))),
    tools: [],
    middleware: [summarizing],
  }).invoke({ messages: old });
  const sent = await listShaper({ maxTokens: 100 })([...messages, new HumanMessage('So?')]);
  expect(sent.map(({ text }) => text)).toEqual([
    expect.stringContaining('They asked for the bridge.'),
    'So?',
  ]);
});

test('an abort while messages are shaped reaches the caller', async () => {
  const controller = new AbortController();
  const embed = () => {
    controller.abort(new Error('Enough.'));
    return new Promise<never>(() => {});
  };
  const shape = listShaper({ maxTokens: 100, embedder: { embed } });
  const messages = [
    new HumanMessage(QUESTION),
    calling('search', { query: QUESTION }),
    await search.invoke({ id: 'x', name: 'search', args: { query: QUESTION }, type: 'tool_call' }),
  ];
  await expect(shape(messages, { signal: controller.signal })).rejects.toThrow('Enough.');
});

test('the ledger goes to the stream', async () => {
  const agent = createAgent({
    model: new ScriptedModel(searching),
    tools: [search],
    middleware: [contextShapingMiddleware({ mode: 'model', maxTokens: 1000, maxToolTokens: 300 })],
  });
  const events: unknown[] = [];
  const question = { messages: [new HumanMessage(QUESTION)] };
  for await (const event of await agent.stream(question, { streamMode: 'custom' })) events.push(event);
  expect(events).toEqual([
    {
      type: EVICTED_EVENT,
      kept: expect.arrayContaining(['answer']),
      evicted: expect.any(Array),
      tokens: expect.any(Object),
      digest: expect.any(String),
    },
  ]);
});

test('the budget is kept where a whole counts more than its parts', async () => {
  const tokenizer = (text: string) => Math.ceil(text.length ** 1.3);
  const { messages } = await createAgent({ model: new ScriptedModel(searching), tools: [search] }).invoke({
    messages: [new HumanMessage(QUESTION)],
  });
  const all = [...messages, new HumanMessage('When does ferry 4 leave?')];
  const countAll = (list: readonly BaseMessage[]) =>
    list.reduce((sum, each) => {
      const calls = ((each as AIMessage).tool_calls ?? []).map(({ id, name, args }) =>
        JSON.stringify({ id, tool: name, input: args }),
      );
      const texts = [...(each.text === '' ? [] : [each.text]), ...calls];
      return texts.reduce((all, text) => all + 4 + tokenizer(text), sum);
    }, 0);
  const maxTokens = Math.floor(countAll(all) * 0.7);
  const sent = await listShaper({ maxTokens, tokenizer })(all);
  expect(countAll(sent)).toBeLessThanOrEqual(maxTokens);
});
