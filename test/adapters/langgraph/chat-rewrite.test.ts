import { FakeListChatModel } from '@langchain/core/utils/testing';
import { describe, expect, test } from 'vitest';
import { chatRewrite } from '../../../adapters/langgraph/chat.js';

const REQUEST = { query: 'When was the harbour bridge opened?' };
const says = (reply: unknown) => {
  const prompts: string[] = [];
  return {
    prompts,
    async invoke(prompt: string, _options?: { signal?: AbortSignal }) {
      prompts.push(prompt);
      if (reply instanceof Error) throw reply;
      return { content: reply };
    },
  };
};

test.each([
  ['harbour bridge opening date', 'harbour bridge opening date'],
  ['  Query: "harbour bridge 1932"\n', 'harbour bridge 1932'],
  ['"Search query: harbour bridge"', 'harbour bridge'],
  ['**Query:** harbour', '**Query:** harbour'],
  ['`harbour bridge`', 'harbour bridge'],
  ['```\nharbour bridge\n```', 'harbour bridge'],
  ['"harbour bridge" opened "May 1932"', '"harbour bridge" opened "May 1932"'],
  ['<think>bridge?\n\nyes</think>\n\nharbour bridge', 'harbour bridge'],
  ['harbour\tbridge\u0007', 'harbour bridge'],
  ['ponts: histoire', 'ponts: histoire'],
])('the reply %j', async (reply, query) => {
  expect(await chatRewrite(says(reply))(REQUEST, {})).toBe(query);
});

test.each([
  '',
  ' \n ',
  '""',
  'Query:',
  'Here it is:\nharbour bridge',
  'x'.repeat(301),
  'query:'.repeat(50_000),
  null,
  undefined,
])('the reply %j is none', async (reply) => {
  await expect(chatRewrite(says(reply))(REQUEST, {})).rejects.toMatchObject({
    kind: 'service',
    field: 'chat:Object',
    value: reply ?? '',
    problem: 'must reply with one line of 1 to 300 characters',
  });
});

test('the prompt: the question, as data', async () => {
  const model = says('bridge');
  const rewrite = chatRewrite(model);
  await rewrite(REQUEST, {});
  await chatRewrite(model, { prompt: 'Write it in French.' })(REQUEST, {});
  const [once, french] = model.prompts as [string, string];
  expect(once).toContain('<question-1>\nWhen was the harbour bridge opened?\n</question-1>');
  expect(french).toContain('\n\nWrite it in French.\n\n');
  expect(french).not.toContain('few words');
});

test('FakeListChatModel', async () => {
  const rewrite = chatRewrite(new FakeListChatModel({ responses: ['"harbour bridge"'] }));
  expect(await rewrite(REQUEST, {})).toBe('harbour bridge');
});

describe('when it fails', () => {
  test.each([
    [500, 'failed'],
    [401, 'is not allowed to call its service'],
  ])('with status %d', async (status, problem) => {
    const cause = Object.assign(new Error('no'), { status });
    await expect(chatRewrite(says(cause))(REQUEST, {})).rejects.toMatchObject({
      kind: 'service',
      problem,
      cause,
    });
  });

  test('an abort ends it at once, though the model does not heed it', async () => {
    const reason = new Error('not wanted any more');
    const controller = new AbortController();
    const rewritten = chatRewrite({ invoke: () => new Promise<never>(() => {}) })(REQUEST, {
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(reason), 5);
    await expect(rewritten).rejects.toBe(reason);
    const model = says('bridge');
    await expect(chatRewrite(model)(REQUEST, { signal: controller.signal })).rejects.toBe(reason);
    expect(model.prompts).toEqual([]);
  });

  test('the interrupt of a graph goes up', async () => {
    const interrupt = Object.assign(new Error('ask a person'), { is_bubble_up: true });
    await expect(chatRewrite(says(interrupt))(REQUEST, {})).rejects.toBe(interrupt);
  });

  test.each([
    [undefined, {}, 'chatModel'],
    [says('a'), { prompt: '' }, 'prompt'],
    [says('a'), { temperature: 0 }, 'temperature'],
  ])('malformed replies are refused', (model, options, field) => {
    expect(() => chatRewrite(model as never, options as never)).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field }),
    );
  });
});
