/** Tests of the judge on `/generative_scoring` with an imitation of vLLM that has the numbers of a real model. */
import type { JudgeRequest } from 'context-shaping';
import { afterEach, expect, test } from 'vitest';
import { type VllmJudgeOptions, vllmJudge } from '../../../../adapters/logprobs/vllm-judge/vllm-judge.js';
import { judgeOf } from '../../../../src/ecs/judgement.js';
import { type Item, items, tinyModel } from '../../../adapters/logprobs/items.js';
import {
  type Asked,
  type JsonServer,
  jsonServer,
  type Reply,
} from '../../../adapters/logprobs/servers/json-server.js';
import { logprobsAfter } from '../../../adapters/logprobs/servers/remembered.js';
import { type Quirks, VLLM_MODEL, vllmServer } from '../../../adapters/logprobs/servers/vllm.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { Llama } from '../../../gguf/llama.js';

const llama = Llama.parse(tinyModel());

const servers: JsonServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function judgeAt({ address }: JsonServer, options: Partial<VllmJudgeOptions> = {}) {
  return vllmJudge({ baseUrl: `${address}/v1`, model: VLLM_MODEL, maxRetries: 0, ...options });
}

async function served(quirks: Quirks = {}, options: Partial<VllmJudgeOptions> = {}) {
  const server = await vllmServer(llama, quirks);
  servers.push(server);
  return { server, judge: judgeAt(server, options) };
}

async function scripted(answer: (asked: Asked) => Reply) {
  const server = await jsonServer(answer);
  servers.push(server);
  return { server, judge: judgeAt(server) };
}

const [first, second] = items as [Item, Item, ...Item[]];
const REQUESTS: JudgeRequest[] = [first, second].flatMap(({ candidates }) =>
  candidates.map(({ text }) => ({ question: first.question, passage: text })),
);
const firstOf = (text: string) => llama.tokenizer.encode(text)[0] as number;
const paths = ({ asked }: JsonServer) => asked.map(({ path }) => path);

test('judges 16 passages in one request for each spelling of yes, exactly', async () => {
  const { server, judge } = await served();
  const { results, usage } = await judge.judge(REQUESTS);
  expect(paths(server)).toEqual([...Array(5).fill('/tokenize'), '/generative_scoring']);
  expect(usage.requests).toBe(6);
  expect(usage).not.toHaveProperty('cachedTokens');

  // In the small model, " Yes" and " No" begin with the same token, which says nothing.
  const [yes, capitalYes, no, capitalNo] = [' yes', ' Yes', ' no', ' No'].map(firstOf) as number[];
  expect([capitalYes === capitalNo, yes === no]).toEqual([true, false]);
  const prompts: string[] = server.asked[5]?.body.items;
  expect(prompts).toHaveLength(16);
  expect(server.asked[5]?.body).toMatchObject({ query: '', label_token_ids: [yes, no], apply_softmax: true });
  const truth = prompts.map((prompt) => {
    const after = logprobsAfter(llama, [llama.tokenizer.bos, ...llama.tokenizer.encode(prompt)]);
    return 1 / (1 + Math.exp((after[no as number] as number) - (after[yes as number] as number)));
  });
  expect(results).toEqual(truth.map((each) => ({ yes: expect.closeTo(each, 9) })));
  expect(usage.tokens).toBe(prompts.reduce((sum, each) => sum + 1 + llama.tokenizer.encode(each).length, 0));

  // The tokens of the words are known from then on.
  await judge.judge(REQUESTS.slice(0, 2));
  expect(paths(server).slice(6)).toEqual(['/generative_scoring']);
});

test('asks the same question as a model with log-probabilities', async () => {
  const { server, judge } = await served();
  const asked: string[] = [];
  const model = ggufModel(tinyModel());
  const other = judgeOf({
    ...model,
    score: (requests, call) => {
      asked.push(...requests.map(({ prompt }) => prompt));
      return model.score(requests, call);
    },
    generate: (requests, call) => {
      asked.push(...requests.map(({ prompt }) => prompt));
      return model.generate(requests, call);
    },
  });
  const requests = [REQUESTS[0] as JudgeRequest, { ...(REQUESTS[1] as JudgeRequest), answer: first.answer }];
  await judge.judge(requests);
  await other.judge(requests);
  expect(server.asked.at(-1)?.body.items).toEqual([...new Set(asked)]);
});

test('sends as many passages at once as allowed', async () => {
  const { server, judge } = await served({}, { batchSize: 7 });
  await judge.judge(REQUESTS);
  expect(
    server.asked.flatMap(({ body }) => (body.items === undefined ? [] : [body.items.length])).sort(),
  ).toEqual([2, 7, 7]);
});

test('a passage that is too long fails by itself, because the server would cut it off', async () => {
  const { server, judge } = await served({ maxModelLength: 120 });
  const long = { question: first.question, passage: 'the garden is full of flowers. '.repeat(20) };
  const { results } = await judge.judge([REQUESTS[0] as JudgeRequest, long]);
  expect(results).toEqual([
    { yes: expect.any(Number) },
    { failure: expect.stringMatching(/^The prompt has \d+ tokens; the context holds 119\.$/) },
  ]);
  expect(server.asked.at(-1)?.body.items).toHaveLength(1);
});

test('asks in the chat template of the model', async () => {
  const { server, judge } = await served({}, { chatTemplate: true });
  const { results } = await judge.judge(REQUESTS.slice(0, 2));
  const { items, add_special_tokens, label_token_ids } = server.asked.at(-1)?.body ?? {};
  expect(add_special_tokens).toBe(false);
  const { bos, eos } = llama.tokenizer;
  for (const ids of items) {
    expect(ids.filter((id: number) => id === bos)).toHaveLength(1);
    expect(ids.filter((id: number) => id === eos)).toHaveLength(1);
  }
  expect(label_token_ids).toEqual([' yes', ' no'].map(firstOf));
  expect(results).toEqual([{ yes: expect.any(Number) }, { yes: expect.any(Number) }]);
  expect(await judge.identify()).toMatch(/^vllm:tiny:test\/ecs-tiny:chat-[0-9a-f]{12}$/);
});

test('is named after the model and its weights', async () => {
  const { judge } = await served();
  expect(await judge.identify()).toBe('vllm:tiny:test/ecs-tiny');
  expect([judge.provider, judge.modelId]).toEqual(['vllm', VLLM_MODEL]);
});

test('judges nothing without a request', async () => {
  const { server, judge } = await served();
  expect(await judge.judge([])).toEqual({ results: [], usage: { requests: 0, tokens: 0 } });
  expect(server.asked).toEqual([]);
});

test('says so if the server is too old', async () => {
  const { server, judge } = await served({ generativeScoring: 'missing' });
  await expect(judge.judge(REQUESTS)).rejects.toMatchObject({
    kind: 'service',
    field: `POST ${server.address}/generative_scoring`,
    problem: 'does not exist on the server',
    remedy: 'Use a newer vLLM, or openAICompatible as ecs.model, with the method judge.',
  });
});

const scored = (data: object[]) => ({ json: { data, usage: {} } });
/** Each word has one token, in both spellings. */
const tokens = ({ body }: Asked) => {
  const word = /(yes|no)$/i.exec(body.prompt)?.[1]?.toLowerCase();
  return { json: { tokens: word === undefined ? [1] : [1, word === 'yes' ? 2 : 3] } };
};

test('the probabilities of both spellings add up', async () => {
  const numbers: Readonly<Record<string, number>> = { yes: 2, Yes: 4, no: 3, No: 5 };
  const { server, judge } = await scripted(({ path, body }) => {
    if (path === '/tokenize') {
      const id = numbers[/(yes|no)$/i.exec(body.prompt)?.[1] ?? ''];
      return { json: { tokens: id === undefined ? [1] : [1, id] } };
    }
    return scored([{ index: 0, score: body.label_token_ids[0] === 2 ? 0.25 : 0.5 }]);
  });
  const { results, usage } = await judge.judge(REQUESTS.slice(0, 1));
  expect(results).toEqual([{ yes: 0.75 }]);
  expect(server.asked.slice(5).map(({ body }) => body.label_token_ids)).toEqual([
    [2, 4, 3, 5],
    [4, 2, 3, 5],
  ]);
  expect(usage.requests).toBe(7);
});

test('equal tokens of both spellings count once', async () => {
  const { server, judge } = await scripted((asked) =>
    asked.path === '/tokenize' ? tokens(asked) : scored([{ index: 0, score: 0.25 }]),
  );
  expect((await judge.judge(REQUESTS.slice(0, 1))).results).toEqual([{ yes: 0.25 }]);
  expect(server.asked.at(-1)?.body.label_token_ids).toEqual([2, 3]);
});

test.each<[string, (asked: Asked) => Reply, problem: object]>([
  [
    'words with the same first token',
    () => ({ json: { tokens: [1, 2] } }),
    { problem: 'has no tokens of their own for “yes” and “no”' },
  ],
  [
    'a score above 1',
    (asked) => (asked.path === '/tokenize' ? tokens(asked) : scored([{ index: 0, score: 1.5 }])),
    { problem: 'answers with an unexpected value at “.data[0].score”', value: 1.5 },
  ],
  [
    'too few scores',
    (asked) => (asked.path === '/tokenize' ? tokens(asked) : scored([])),
    { problem: 'does not answer each of 1 prompts once' },
  ],
  [
    'a model that it does not have',
    (asked) =>
      asked.path === '/tokenize'
        ? tokens(asked)
        : { status: 404, json: { error: { message: 'The model `tiny` does not exist.' } } },
    { field: 'model', value: 'tiny', problem: 'is not known to the server' },
  ],
])('refuses a server with %s', async (_, answer, problem) => {
  const { judge } = await scripted(answer);
  await expect(judge.judge(REQUESTS.slice(0, 1))).rejects.toMatchObject({ kind: 'service', ...problem });
});

test.each([{ baseUrl: 'nowhere' }, { model: '' }, { batchSize: 0 }])('refuses %o', (wrong) => {
  const [field] = Object.keys(wrong);
  const options = { baseUrl: 'http://127.0.0.1:9', model: 'tiny', ...wrong };
  expect(() => vllmJudge(options)).toThrow(expect.objectContaining({ kind: 'invalid-options', field }));
});
