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
import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import type { RequestReport } from 'context-shaping-agents';
import {
  contextShapingMiddleware,
  createRecallTool,
  EVICTED_EVENT,
  RECALL_TOOL,
  shapedPreModelHook,
} from 'context-shaping-agents/langchain';
import fc from 'fast-check';
import { type AgentMiddleware, createAgent, summarizationMiddleware } from 'langchain';
import { describe, expect, test } from 'vitest';
import { deepFreeze, text } from '../../../../test/support.js';
import { calling, results, ScriptedModel, type Step, searching, searchTool, tokensOf } from './support.js';

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
  const shapeWith = async (messages: BaseMessage[], maxTokens: number) =>
    (await shapedPreModelHook({ maxTokens, handleKey })({ messages }, THREAD)).llmInputMessages;
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
const QUESTIONS = [QUESTION, 'When does ferry 4 leave?', 'When does ferry 5 leave?', QUESTION];

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
  const { llmInputMessages } = await shapedPreModelHook({ maxTokens: 100 })({
    messages: [...messages, new HumanMessage('So?')],
  });
  expect(llmInputMessages.map(({ text }) => text)).toEqual([
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
  const hook = shapedPreModelHook({ maxTokens: 100, embedder: { embed } });
  const messages = [
    new HumanMessage(QUESTION),
    calling('search', { query: QUESTION }),
    await search.invoke({ id: 'x', name: 'search', args: { query: QUESTION }, type: 'tool_call' }),
  ];
  await expect(hook({ messages }, { signal: controller.signal })).rejects.toThrow('Enough.');
});

test('the ledger goes to the stream', async () => {
  const agent = createReactAgent({
    llm: new ScriptedModel(searching),
    tools: [search],
    preModelHook: shapedPreModelHook({ maxTokens: 400 }),
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
  const { llmInputMessages } = await shapedPreModelHook({ maxTokens, tokenizer })({
    messages: all,
  });
  expect(countAll(llmInputMessages)).toBeLessThanOrEqual(maxTokens);
});

test('a preModelHook of createReactAgent, and recall of its left-out results', async () => {
  const step: Step = (messages) => {
    const handle = /recall_passage ([\w-]{22})/.exec(messages.map((each) => each.text).join())?.[1];
    const isDone = results(messages).at(-1)?.name === RECALL_TOOL;
    return handle === undefined || isDone
      ? searching(messages)
      : calling(RECALL_TOOL, { handle, query: QUESTION });
  };
  const model = new ScriptedModel(step);
  const agent = createReactAgent({
    llm: model,
    tools: [search, createRecallTool({ handleKey, maxToolTokens: 200 })],
    preModelHook: shapedPreModelHook({ maxTokens: 600, handleKey }),
    checkpointer: new MemorySaver(),
  });
  let messages: BaseMessage[] = [];
  for (const question of QUESTIONS.slice(0, 3))
    ({ messages } = await agent.invoke({ messages: [new HumanMessage(question)] }, THREAD));
  for (const request of model.requests) expect(await tokensOf(request)).toBeLessThanOrEqual(600);
  expect(
    results(messages)
      .filter(({ name }) => name === 'search')
      .every(({ artifact }) => artifact.length === 13),
  ).toBe(true);
  const recalled = results(messages).filter(({ name }) => name === RECALL_TOOL);
  expect(recalled.length).toBeGreaterThan(0);
  expect(recalled.every(({ status }) => status !== 'error')).toBe(true);
  expect(recalled.some((each) => each.text.includes(ANSWER))).toBe(true);
});

test('both ways send the model the same', async () => {
  const requests = [];
  // Hooks do not get the tools, so their schemas count for the middleware alone.
  let schemas = 0;
  const onRequest = ({ tokens }: RequestReport) => {
    schemas = tokens.tools;
  };
  await createAgent({
    model: new ScriptedModel(searching),
    tools: [search],
    middleware: [contextShapingMiddleware({ mode: 'model', maxTokens: 6000, onRequest })],
  }).invoke({ messages: [new HumanMessage(QUESTION)] });
  expect(schemas).toBeGreaterThan(100);
  const options = { handleKey, maxToolTokens: 300 };
  const middleware = contextShapingMiddleware({ ...options, mode: 'model', maxTokens: 600 + schemas });
  const preModelHook = shapedPreModelHook({ ...options, maxTokens: 600 });
  for (const way of ['middleware', 'hook']) {
    let id = 0;
    const llm = new ScriptedModel((messages) => {
      const answer = searching(messages);
      for (const call of answer.tool_calls ?? []) call.id = `call-${id++}`;
      return answer;
    });
    const tools = [search];
    const agent =
      way === 'hook'
        ? createReactAgent({ llm, tools, preModelHook })
        : createAgent({ model: llm, tools, middleware: [middleware] });
    const old = QUESTIONS.slice(1).map((question) => new HumanMessage(question));
    await agent.invoke({ messages: [...old, new HumanMessage(QUESTION)] }, THREAD);
    requests.push(llm.requests.map((request) => request.map((each) => each.text)));
  }
  expect(requests[1]).toEqual(requests[0]);
});

test.each([
  ['maxTokens', {}],
  ['maxToolTokens', { maxTokens: 5, maxToolTokens: 0 }],
  ['waterMarks.low', { maxTokens: 5, waterMarks: { high: 0.5, low: 1 } }],
  ['cacheControl', { maxTokens: 5, cacheControl: true }],
  ['handleKey', { maxTokens: 5, handleKey: 5 }],
  ['onStage', { maxTokens: 5, onStage: () => {} }],
])('%s, if it is wrong, is named', (field, options) => {
  const named = expect.objectContaining({ kind: 'invalid-options', field });
  expect(() => shapedPreModelHook(options as never)).toThrow(named);
});
test('a recall tool without a key could read nothing', () => {
  expect(() => createRecallTool({} as never)).toThrow(
    expect.objectContaining({ kind: 'invalid-options', field: 'handleKey' }),
  );
});
