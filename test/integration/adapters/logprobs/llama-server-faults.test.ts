import { ContextShapingError, type LogprobModel } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { llamaServer } from '../../../../adapters/logprobs/llama-server/llama-server.js';
import { tinyModel } from '../../../adapters/logprobs/items.js';
import { faultsOfHttp } from '../../../adapters/logprobs/servers/faults.js';
import { jsonServer, type Reply } from '../../../adapters/logprobs/servers/json-server.js';
import { failure, tokenise } from '../../../adapters/logprobs/servers/llama-server.js';
import { goOn } from '../../../adapters/logprobs/servers/llama-slot.js';
import { Llama } from '../../../gguf/llama.js';

// One request at a time, so that the faults of the server have the order of the requests.
faultsOfHttp('/tokenize', (settings) => llamaServer({ maxConcurrency: 1, ...settings }));

const llama = Llama.parse(tinyModel());
const REQUESTS = ['Answer:', 'Question: Who?\nAnswer:'].map((prompt) => ({
  prompt,
  continuation: ' Paris City',
}));

// biome-ignore lint/suspicious/noExplicitAny: an answer, to be spoilt
type Json = any;

/** A server that returns altered answers at one path. */
async function spoilt(
  path: string,
  spoil: (answer: Json, body: Json) => unknown,
  use: (model: LogprobModel, address: string) => Promise<void>,
): Promise<void> {
  const whole = (asked: string, body: Json): Reply => {
    if (asked === '/tokenize') return tokenise(llama, body);
    if (asked === '/props') return { json: { model_path: '/m/a.gguf', model_alias: 'a' } };
    if (asked === '/v1/models') return { json: { data: [{ id: 'a', meta: { n_params: 1 } }] } };
    const answers = body.prompt.map((prompt: number[], index: number) => ({
      index,
      ...goOn(llama, prompt, body, {}),
    }));
    return { json: answers.length === 1 ? answers[0] : answers };
  };
  const server = await jsonServer(({ path: asked, body }) => {
    const reply = whole(asked, body) as { json: unknown };
    return asked === path ? { json: spoil(structuredClone(reply.json), body) } : reply;
  });
  try {
    await use(llamaServer({ baseUrl: server.address, maxRetries: 0 }), server.address);
  } finally {
    await server.close();
  }
}

async function errorOf(promise: Promise<unknown>): Promise<ContextShapingError> {
  const error = await promise.then(
    (answer) => expect.unreachable(JSON.stringify(answer)),
    (thrown: unknown) => thrown,
  );
  return ContextShapingError.isInstance(error) ? error : expect.unreachable(String(error));
}

const REMEDY = 'Give the address of llama.cpp’s own server (llama-server), of 2025 or later.';
const NO_LETTER = 'has no token for a letter';
const at = (place: string) => `answers with an unexpected value at “${place}”`;

/** Alters the first token of the second answer. */
const token = (change: (token: Json) => void) => (answers: Json) => {
  change(answers[1].completion_probabilities[0]);
  return answers;
};
const FIRST = '[1].completion_probabilities[0]';

describe('an error names the fault in the answer to', () => {
  test.each<[name: string, spoil: (answers: Json) => unknown, problem: string, value: unknown]>([
    ['null', () => null, at('[0]'), null],
    ['a text', () => 'fine', at('[0]'), 'fine'],
    ['an empty object', () => ({}), at('[0].index'), undefined],
    ['an answer too few', ([first]) => first, 'does not answer each of 2 prompts once', '0'],
    ['no answers', () => [], 'does not answer each of 2 prompts once', ''],
    ['the same answer twice', ([first]) => [first, first], 'does not answer each of 2 prompts once', '0, 0'],
    [
      'an answer too many',
      (all) => [...all, { index: 2 }],
      'does not answer each of 2 prompts once',
      '0, 1, 2',
    ],
    ['NaN as null', token((each) => Object.assign(each, { logprob: null })), at(`${FIRST}.logprob`), null],
    ['no logarithm', token((each) => delete each.logprob), at(`${FIRST}.logprob`), undefined],
    ['a positive one', token((each) => Object.assign(each, { logprob: 0.5 })), at(`${FIRST}.logprob`), 0.5],
    ['text', token((each) => Object.assign(each, { logprob: '-1' })), at(`${FIRST}.logprob`), '-1'],
    ['half a number', token((each) => Object.assign(each, { id: 1.5 })), at(`${FIRST}.id`), 1.5],
    ['no alternatives', token((each) => delete each.top_logprobs), at(`${FIRST}.top_logprobs`), undefined],
    [
      'an alternative that is positive',
      token((each) => Object.assign(each.top_logprobs[0], { logprob: 1 })),
      at(`${FIRST}.top_logprobs[0].logprob`),
      1,
    ],
  ])('completions: %s', (_, spoil, problem, value) =>
    spoilt('/completion', spoil, async (model, address) => {
      const error = await errorOf(model.score(REQUESTS));
      expect(error).toMatchObject({
        kind: 'service',
        field: `POST ${address}/completion`,
        problem,
        remedy: REMEDY,
      });
      expect(error.value).toEqual(value);
    }),
  );

  test.each<[name: string, spoil: (answer: Json) => unknown, problem: string]>([
    ['nothing', () => null, at('.')],
    ['another object', () => ({ count: 3, max_model_len: 9 }), at('.tokens')],
    ['a text for a number', () => ({ tokens: [1, 'a'] }), at('.tokens[1]')],
    ['a negative number', () => ({ tokens: [-2] }), at('.tokens[0]')],
    ['an object for a number', () => ({ tokens: [{ id: 1, piece: 'a' }] }), at('.tokens[0]')],
    ['no token for a letter', ({ tokens }) => ({ tokens: tokens.filter((id: number) => id < 0) }), NO_LETTER],
  ])('tokenisation: %s', (_, spoil, problem) =>
    spoilt('/tokenize', spoil, async (model, address) => {
      for (const call of [
        () => model.score(REQUESTS),
        () => model.generate([{ prompt: 'A', maxTokens: 1 }]),
      ]) {
        const field = `POST ${address}/tokenize`;
        expect(await errorOf(call())).toMatchObject({ kind: 'service', field, problem, remedy: REMEDY });
      }
    }),
  );

  test('tokenisation: one list for several texts', () =>
    spoilt(
      '/tokenize',
      ({ tokens }) => ({ tokens: tokens.filter((id: number) => id >= 0) }),
      async (model) =>
        expect(await errorOf(model.score(REQUESTS))).toMatchObject({
          kind: 'service',
          problem: 'does not answer each of 6 texts',
          value: 1,
        }),
    ));

  test.each<[name: string, spoil: (answer: Json) => unknown, problem: string]>([
    ['numbers alone', () => ({ tokens: [1, 2] }), at('.tokens[0]')],
    ['a negative number', () => ({ tokens: [{ id: -1, piece: 'a' }] }), at('.tokens[0].id')],
    ['no bytes', () => ({ tokens: [{ id: 1, piece: [256] }] }), at('.tokens[0].piece[0]')],
    ['a token too few', ({ tokens }) => ({ tokens: tokens.slice(1) }), 'does not tell the text of a token'],
  ])('the texts of tokens: %s', (_, spoil, problem) =>
    spoilt(
      '/tokenize',
      (answer, { with_pieces }) => (with_pieces ? spoil(answer) : answer),
      async (model, address) => {
        const field = `POST ${address}/tokenize`;
        const error = await errorOf(model.score(REQUESTS));
        expect(error).toMatchObject({ kind: 'service', field, problem, remedy: REMEDY });
      },
    ),
  );

  test.each<[path: string, spoil: () => unknown, problem: string]>([
    ['/props', () => [], at('.')],
    ['/props', () => ({ model_path: 7 }), at('.model_path')],
    ['/v1/models', () => ({}), at('.data')],
    ['/v1/models', () => ({ data: [{ id: 'a', meta: { size: '1' } }] }), at('.data[0].meta.size')],
  ])('%s', (path, spoil, problem) =>
    spoilt(path, spoil, async (model, address) => {
      const field = `GET ${address}${path}`;
      expect(await errorOf(model.identify())).toMatchObject({ kind: 'service', field, problem });
    }),
  );

  test('a model without a name', () =>
    spoilt(
      '/props',
      () => ({}),
      async (model) => {
        // The token is in the list.
        expect(await model.identify()).toBe('llama-server:a:1:?:?:?');
      },
    ));

  test('the generated text, if the server does not report it', () =>
    spoilt(
      '/completion',
      ({ content, ...rest }) => rest,
      async (model) => {
        const error = await errorOf(model.generate([{ prompt: 'A', maxTokens: 1 }]));
        expect(error.problem).toBe('does not report the generated text and why it ended');
      },
    ));
});

test('a server that takes other tokens than the given ones is not believed', () =>
  spoilt(
    '/completion',
    (answer, body) => {
      const free = { n_predict: body.n_predict, n_probs: body.n_probs };
      const all = body.prompt.map((prompt: number[], index: number) => ({
        index,
        ...goOn(llama, prompt, free, {}),
      }));
      return Array.isArray(answer) ? all : all[0];
    },
    async (model) => {
      const error = await errorOf(model.score(REQUESTS));
      expect(error.problem).toBe(
        'does not report the probability of the token 264, which the request forces',
      );
      expect(error.kind).toBe('service');
    },
  ));

test.each([
  [5e-7, 0],
  [0, 0],
  [-0, 0],
])('a logarithm of %d is %d', (told, logprob) =>
  spoilt(
    '/completion',
    token((each) => Object.assign(each, { logprob: told })),
    async (model) => {
      const { results } = await model.score(REQUESTS);
      expect(results[1]).toMatchObject({ exact: true, tokens: [{ logprob }, {}] });
    },
  ),
);

test('a context that others fill is waited for, but not for ever', async () => {
  let asked = 0;
  let freeAfter = 3;
  const server = await jsonServer(({ path, body }) => {
    if (path === '/tokenize') return tokenise(llama, body);
    if (path === '/props') return { json: { default_generation_settings: { n_ctx: 999 } } };
    if (++asked <= freeAfter) return failure(500, 'server_error', 'Context size has been exceeded.');
    return { json: { index: 0, ...goOn(llama, body.prompt[0], body, {}) } };
  });
  const [request] = REQUESTS as [(typeof REQUESTS)[0]];
  const { results } = await llamaServer({ baseUrl: server.address }).score([request]);
  expect(results).toMatchObject([{ exact: true }]);
  expect(asked).toBe(4);
  freeAfter = Number.POSITIVE_INFINITY;
  const error = await errorOf(llamaServer({ baseUrl: server.address, maxRetries: 1 }).score([request]));
  expect(error).toMatchObject({
    problem: 'refuses the request',
    value: '500 Context size has been exceeded.',
  });
  // Once before the shared context is known, then twice one at a time.
  expect(asked).toBe(4 + 3);
  await server.close();
});

test('a request that is aborted while it waits takes no slot', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let asked = 0;
  const server = await jsonServer(async ({ path, body }) => {
    if (path === '/tokenize') return tokenise(llama, body);
    if (path === '/props') return { json: { default_generation_settings: { n_ctx: 999 } } };
    if (++asked === 1) return failure(500, 'server_error', 'Context size has been exceeded.');
    if (asked === 2) await held;
    return { json: { index: 0, ...goOn(llama, body.prompt[0], body, {}) } };
  });
  const model = llamaServer({ baseUrl: server.address });
  const [request] = REQUESTS as [(typeof REQUESTS)[0]];
  const first = model.score([request]);
  while (asked < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  const controller = new AbortController();
  const reason = new Error('not wanted any more');
  const second = expect(model.score([request], { signal: controller.signal })).rejects.toBe(reason);
  const third = model.score([request]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  controller.abort(reason);
  await second;
  answer();
  expect((await first).results).toMatchObject([{ exact: true }]);
  expect((await third).results).toMatchObject([{ exact: true }]);
  expect(asked).toBe(3);
  await server.close();
});
