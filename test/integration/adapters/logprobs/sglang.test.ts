/** Tests with an imitation of SGLang that has the numbers of a real model. */
import type { Failed, GeneratedText, ScoredText, ScoreRequest } from 'context-shaping';
import { afterEach, describe, expect, test } from 'vitest';
import { type SglangOptions, sglang } from '../../../../adapters/logprobs/sglang/sglang.js';
import { logprobModelContract } from '../../../adapters/logprobs/contract.js';
import { type Item, items, requestOf, tinyModel } from '../../../adapters/logprobs/items.js';
import { faultsOfHttp } from '../../../adapters/logprobs/servers/faults.js';
import {
  type Asked,
  type JsonServer,
  jsonServer,
  type Reply,
} from '../../../adapters/logprobs/servers/json-server.js';
import { type SglangQuirks, sglangServer } from '../../../adapters/logprobs/servers/sglang.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { Llama } from '../../../gguf/llama.js';

const llama = Llama.parse(tinyModel());
const oracle = ggufModel(tinyModel());

const servers: JsonServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

for (const [name, options] of Object.entries<Partial<SglangOptions>>({
  'many prompts at once': {},
  'few prompts at once': { batchSize: 4 },
})) {
  logprobModelContract(`sglang with ${name}`, async () => {
    const server = await sglangServer(llama);
    const model = sglang({ baseUrl: server.address, maxRetries: 0, ...options });
    return { model, oracle, tolerance: 1e-9, close: server.close };
  });
}

faultsOfHttp('/tokenize', (settings) => sglang(settings));

async function served(quirks: SglangQuirks = {}, options: Partial<SglangOptions> = {}) {
  const server = await sglangServer(llama, quirks);
  servers.push(server);
  return { server, model: sglang({ baseUrl: `${server.address}/v1`, maxRetries: 0, ...options }) };
}

async function scripted(answer: (asked: Asked) => Reply) {
  const server = await jsonServer(answer);
  servers.push(server);
  return { server, model: sglang({ baseUrl: server.address, maxRetries: 0 }) };
}

const [first, second] = items as [Item, Item, ...Item[]];
const REQUEST = requestOf(first, first.candidates[0]?.text);
const OTHER = requestOf(first, first.candidates[2]?.text);
const MANY = [
  requestOf(first),
  ...[first, second].flatMap(({ candidates }) => candidates.map(({ text }) => requestOf(first, text))),
];
const lengthOf = (text: string) => 1 + llama.tokenizer.encode(text).length;

async function expectTrue(results: readonly (ScoredText | Failed)[], requests: readonly ScoreRequest[]) {
  const truth = await oracle.score(requests);
  expect(results.map((each) => 'logprob' in each && each.logprob)).toEqual(
    truth.results.map((each) => 'logprob' in each && expect.closeTo(each.logprob, 9)),
  );
}

describe('requests', () => {
  test('16 passages and the context without them take two: one to tokenize, one to score', async () => {
    const { server, model } = await served();
    const { results, usage } = await model.score(MANY, { topLogprobs: 3 });
    await expectTrue(results, MANY);
    expect(server.asked.map(({ path }) => path)).toEqual(['/tokenize', '/generate']);
    const [tokenized, scored] = server.asked.map(({ body }) => body);
    // One passage occurs twice.
    expect(tokenized.prompt).toHaveLength(32);
    expect(scored).toMatchObject({
      sampling_params: { temperature: 0, max_new_tokens: 0 },
      return_logprob: true,
      top_logprobs_num: 3,
      logprob_start_len: MANY.map(({ prompt }) => lengthOf(prompt) - 1),
    });
    expect(usage).toEqual({
      requests: 2,
      tokens: MANY.reduce((sum, each) => sum + lengthOf(each.prompt + each.continuation), 0),
      cachedTokens: 0,
    });
  });

  test('take the beginning of a prompt from the cache, up to the token before the continuation', async () => {
    const { model } = await served();
    await model.score([REQUEST]);
    const start = lengthOf(REQUEST.prompt);
    expect((await model.score([REQUEST])).usage.cachedTokens).toBe(start - 1);
    const generated = await model.generate([{ prompt: REQUEST.prompt, maxTokens: 2 }]);
    expect(generated.usage).toMatchObject({ tokens: start, cachedTokens: start - 1 });
  });

  test('that generate hold prompts with other ends, and end each at its own', async () => {
    const { server, model } = await served();
    const requests = [
      { prompt: REQUEST.prompt, maxTokens: 9 },
      { prompt: REQUEST.prompt, maxTokens: 0 },
      { prompt: OTHER.prompt, maxTokens: 1, stop: ['', '\n'] },
      { prompt: REQUEST.prompt, maxTokens: 4, stop: [first.answer.slice(-4)] },
    ];
    const { results } = await model.generate(requests, { topLogprobs: 2 });
    expect(server.asked.map(({ path }) => path)).toEqual(['/tokenize', '/generate']);
    expect(server.asked[1]?.body.sampling_params).toMatchObject([
      { max_new_tokens: 9, stop: [], repetition_penalty: 1 },
      { max_new_tokens: 1, stop: ['\n'] },
      { max_new_tokens: 4 },
    ]);
    const truth = (await oracle.generate(requests)).results as GeneratedText[];
    expect(results.map((each) => 'text' in each && each.text)).toEqual(truth.map(({ text }) => text));
    // Neither the token that ends the text, nor those of the stop text.
    for (const [place, result] of (results as GeneratedText[]).entries()) {
      expect(result.tokens.length).toBe(truth[place]?.tokens.length);
      for (const { top } of result.tokens) expect(top).toHaveLength(2);
    }
  });

  test('are none for nothing', async () => {
    const { server, model } = await served();
    expect((await model.score([{ prompt: 'A', continuation: '' }])).results).toEqual([
      { tokens: [], logprob: 0, exact: true },
    ]);
    expect((await model.generate([{ prompt: 'A', maxTokens: 0 }])).usage.requests).toBe(0);
    expect(server.asked).toEqual([]);
  });

  test('leave out the token that begins every text, if asked to', async () => {
    const { server, model } = await served({}, { addSpecialTokens: false });
    const prompt = `<|bos|>${REQUEST.prompt}`;
    const { results } = await model.score([{ ...REQUEST, prompt }]);
    await expectTrue(results, [REQUEST]);
    expect(server.asked[1]?.body.input_ids[0].slice(0, 2)).not.toEqual(Array(2).fill(llama.tokenizer.bos));
  });
});

describe('a text fails by itself', () => {
  test('if it is too long', async () => {
    const { server, model } = await served({ maxModelLength: 100 });
    const long = { prompt: 'the garden is full of flowers. '.repeat(20), continuation: ' it' };
    const { results } = await model.score([REQUEST, long, OTHER]);
    expect(results[1]).toEqual({
      failure: expect.stringContaining("longer than the model's context length"),
    });
    await expectTrue([results[0], results[2]] as ScoredText[], [REQUEST, OTHER]);
    expect(server.asked.map(({ body }) => body.input_ids?.length)).toEqual([undefined, 3, 1, 1, 1]);
  });

  test('if nothing stands before its first token', async () => {
    const { model } = await served({ bos: false });
    const { results } = await model.score([{ prompt: '', continuation: 'The garden' }, REQUEST]);
    expect(results).toEqual([
      { failure: 'The service reports no probability of the token "The".' },
      expect.objectContaining({ exact: true }),
    ]);
  });

  test('if its continuation has no token', async () => {
    const { server, model } = await scripted(() => ({ json: { tokens: [[1], [1]] } }));
    expect((await model.score([{ prompt: 'a', continuation: '\u200b' }])).results).toEqual([
      { failure: 'The tokens of the continuation cannot be told from those of the prompt.' },
    ]);
    expect(server.asked).toHaveLength(1);
  });
});

describe('the name', () => {
  test.each([{}, { oldModelInfo: true }])('is that of the weights and their version: %o', async (quirks) => {
    const { model } = await served(quirks);
    expect(await model.identify()).toBe('sglang:test/ecs-tiny:default');
  });
});

describe('a chat template', () => {
  const TEMPLATE = '<|bos|>User: {}<|eos|>\nAssistant:';
  const wrapped = (prompt: string, template = TEMPLATE) =>
    template.replace('<|bos|>', '').replace('<|eos|>', '').replace('{}', prompt);

  test.each([{}, { alwaysAddsSpecialTokens: true }])('is that of the server: %o', async (quirks) => {
    const { server, model } = await served(quirks, { chatTemplate: true });
    const [scored] = (await model.score([REQUEST])).results as [ScoredText];
    const ids: number[] = server.asked.at(-1)?.body.input_ids[0];
    expect(ids.filter((id) => id === llama.tokenizer.bos)).toHaveLength(1);
    expect(ids.filter((id) => id === llama.tokenizer.eos)).toHaveLength(1);
    expect(ids[0]).toBe(llama.tokenizer.bos);
    expect(llama.tokenizer.decode(ids)).toBe(wrapped(REQUEST.prompt) + REQUEST.continuation);
    expect(scored.tokens.map(({ text }) => text).join('')).toBe(REQUEST.continuation);
    expect(server.asked.find(({ body }) => body.messages)?.body).toMatchObject({
      add_generation_prompt: true,
      chat_template_kwargs: { enable_thinking: false },
    });
    expect(await model.identify()).toMatch(/^sglang:test\/ecs-tiny:default:chat-[0-9a-f]{12}$/);
  });

  test('is unknown to old versions', async () => {
    const { model } = await served({ template: 'missing' }, { chatTemplate: true });
    await expect(model.score([REQUEST])).rejects.toMatchObject({
      kind: 'service',
      value: '422 prompt: Field required',
    });
  });
});

describe('answers that are not as documented', () => {
  const tokens = { tokens: [[1], [1, 2]] };
  const answer = (meta_info: object, text = '') => [{ text, meta_info }];
  test.each<[string, unknown, problem: string]>([
    ['no list', {}, 'answers with an unexpected value at “.”'],
    ['no text', [{}], 'answers with an unexpected value at “[0].text”'],
    ['too few', [], 'does not answer each of 1 prompts once'],
    ['no probabilities', answer({}), 'reports no log-probabilities of the prompt'],
    [
      'other tokens',
      answer({
        input_token_logprobs: [
          [null, 1, 'a'],
          [-1, 7, 'b'],
        ],
      }),
      'reports other tokens than 2',
    ],
    ['too few tokens', answer({ input_token_logprobs: [] }), 'reports other tokens than 2'],
  ])('%s', async (_, json, problem) => {
    const { model } = await scripted(({ path }) => ({ json: path === '/tokenize' ? tokens : json }));
    await expect(model.score([{ prompt: 'a', continuation: 'b' }])).rejects.toMatchObject({
      kind: 'service',
      problem,
    });
  });

  test('tokens of too few texts', async () => {
    const { model } = await scripted(() => ({ json: { tokens: [[1]] } }));
    await expect(model.score([{ prompt: 'a', continuation: 'b' }])).rejects.toMatchObject({
      problem: 'does not answer each of 2 prompts once',
    });
  });

  test.each([
    [{}, 'reports no log-probabilities of the tokens that it generated'],
    [{ output_token_logprobs: [[null, 1, 'b']] }, 'reports a token without its probability'],
  ])('a text that is generated with %j', async (meta_info, problem) => {
    const { model } = await scripted(({ path }) => ({
      json: path === '/tokenize' ? { tokens: [[1]] } : answer(meta_info, 'b'),
    }));
    await expect(model.generate([{ prompt: 'a', maxTokens: 1 }])).rejects.toMatchObject({ problem });
  });
});
