/** The list of messages, whichever way it comes to be shaped: invariants over random histories, and the real hosts. */
import { Document } from '@langchain/core/documents';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { contextShapingMiddleware, EVICTED_EVENT } from 'context-shaping-agents/langchain';
import fc from 'fast-check';
import { type AgentMiddleware, createAgent, summarizationMiddleware } from 'langchain';
import { describe, expect, test } from 'vitest';
import { deepFreeze, text } from '../../../../test/support.js';
import { calling, listShaper, results, ScriptedModel, searching, searchTool } from './support.js';

const THREAD = { configurable: { thread_id: 'one' } };
const handleKey = 'a key of the tests';

/** A history as agents leave it: turns of a question, calls of tools with their results, and an answer. */
const result = fc.oneof(
  fc.record({ kind: fc.constant('documents' as const), texts: fc.array(text, { maxLength: 5 }) }),
  fc.record({
    kind: fc.constantFrom('text' as const, 'error' as const),
    texts: fc.array(text, { maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('json' as const), texts: fc.array(text, { maxLength: 5 }) }),
);
const turn = fc.record({
  question: text,
  rounds: fc.array(fc.array(result, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  answer: fc.option(text, { nil: undefined }),
  pinned: fc.constantFrom(false, false, false, true),
});
const history = fc.record({
  system: fc.option(text, { nil: undefined }),
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
  /** An answer to a call may come after the next question. */
  late: fc.boolean(),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

function messagesOf({ system, turns, late }: History): BaseMessage[] {
  const messages: BaseMessage[] = system === undefined ? [] : [new SystemMessage(system)];
  for (const [at, { question, rounds, answer, pinned }] of turns.entries()) {
    const additional_kwargs = pinned ? { pinned: true } : {};
    messages.push(new HumanMessage({ content: `${at} ${question}`, additional_kwargs }));
    for (const [round, calls] of rounds.entries()) {
      const tool_calls = calls.map((_, call) => ({
        id: `call-${at}-${round}-${call}`,
        name: 'search',
        args: { query: question },
        type: 'tool_call' as const,
      }));
      messages.push(new AIMessage({ content: '', tool_calls }));
      for (const [call, { kind, texts }] of calls.entries()) {
        const documents = texts.map(
          (pageContent, place) => new Document({ pageContent, id: `${at}-${place}` }),
        );
        messages.push(
          new ToolMessage({
            tool_call_id: tool_calls[call]?.id as string,
            name: 'search',
            content: kind === 'json' ? JSON.stringify(texts) : texts.join('\n\n'),
            ...(kind === 'documents' ? { artifact: documents } : {}),
            ...(kind === 'error' ? { status: 'error' as const } : {}),
          }),
        );
      }
    }
    if (answer !== undefined) messages.push(new AIMessage(answer));
  }
  const human = messages.findLastIndex((message) => message.getType() === 'human');
  const tool = messages.findLastIndex((message, at) => at < human && message.getType() === 'tool');
  if (late && tool >= 0) messages.splice(human, 0, ...messages.splice(tool, 1));
  return messages;
}

const callIds = (messages: readonly BaseMessage[]) =>
  messages.flatMap((message) =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(({ id }) => id) : [],
  );
const answeredIds = (messages: readonly BaseMessage[]) =>
  results(messages).map(({ tool_call_id }) => tool_call_id);

describe('over random histories', () => {
  const shapeWith = (messages: BaseMessage[], maxTokens: number) =>
    listShaper({ maxTokens, handleKey })(messages, THREAD);
  const anyCase = [history, fc.integer({ min: 1, max: 1500 })] as const;

  test('every call has its result, in its order, and the newest turn is there', async () => {
    await fc.assert(
      fc.asyncProperty(...anyCase, async (given, maxTokens) => {
        const messages = messagesOf(given);
        const shaped = await shapeWith(messages, maxTokens);
        expect(answeredIds(shaped).toSorted()).toEqual(callIds(shaped).toSorted());
        const left = new Set<unknown>(shaped.map(({ id, text }) => id ?? text));
        const newest = messages.findLastIndex((message) => message.getType() === 'human');
        const stays = messages.filter(
          (message, at) =>
            message.getType() === 'system' ||
            message.additional_kwargs.pinned === true ||
            (at >= newest && message.getType() !== 'tool'),
        );
        for (const message of stays) expect(shaped).toContain(message);
        // A message that is no result of a tool stays the same object, or is gone.
        for (const message of shaped) if (message.getType() !== 'tool') expect(messages).toContain(message);
        expect(left.size).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });

  test('shaped once more, nothing changes; and nothing that was given is written to', async () => {
    await fc.assert(
      fc.asyncProperty(...anyCase, async (given, maxTokens) => {
        const messages = messagesOf(given);
        const before = JSON.stringify(messages);
        const shaped = await shapeWith(messages, maxTokens);
        expect(JSON.stringify(messages)).toBe(before);
        const again = await shapeWith(shaped, maxTokens);
        expect(again.length).toBe(shaped.length);
        for (const [at, message] of again.entries()) expect(message).toBe(shaped[at]);
        expect(JSON.stringify(await shapeWith(messages, maxTokens))).toBe(JSON.stringify(shaped));
      }),
      { numRuns: 60 },
    );
  });
});

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

test.each([
  ['maxTokens', { mode: 'model' }],
  ['maxToolTokens', { maxTokens: 5, maxToolTokens: 0 }],
  ['waterMarks.low', { maxTokens: 5, waterMarks: { high: 0.5, low: 1 } }],
  ['cacheControl', { maxTokens: 5, cacheControl: 5 }],
  ['handleKey', { maxTokens: 5, handleKey: 5 }],
  ['onStage', { maxTokens: 5, onStage: () => {} }],
])('%s, if it is wrong, is named', (field, options) => {
  const named = expect.objectContaining({ kind: 'invalid-options', field });
  expect(() => contextShapingMiddleware(options as never)).toThrow(named);
});
