/** Tests with an imitation of Ollama that has the numbers of a real model, for several versions and clients. */
import { ChatOllama } from '@langchain/ollama';
import { createShaper, type GeneratedText, type ScoredText, type ScoreRequest } from 'context-shaping';
import { afterEach, describe, expect, test } from 'vitest';
import { withoutControlTokens } from '../../../../adapters/logprobs/chat-template.js';
import { type OllamaModelOptions, ollamaAddress, ollamaModel } from '../../../../adapters/logprobs/ollama.js';
import { judgeOf, judgePrompt } from '../../../../src/ecs/judgement.js';
import { type Item, items, requestOf, tinyModel } from '../../../adapters/logprobs/items.js';
import { faultsOfHttp } from '../../../adapters/logprobs/servers/faults.js';
import {
  type Asked,
  type JsonServer,
  jsonServer,
  type Reply,
} from '../../../adapters/logprobs/servers/json-server.js';
import {
  OLLAMA_DIGEST,
  OLLAMA_MODEL,
  ollamaServer,
  type Quirks,
} from '../../../adapters/logprobs/servers/ollama.js';
import { scripted as modelThatSays } from '../../../adapters/logprobs/servers/scripted.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { Llama } from '../../../gguf/llama.js';

const llama = Llama.parse(tinyModel());
const oracle = ggufModel(tinyModel());

const servers: JsonServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function ollama(quirks: Quirks = {}, options: Partial<OllamaModelOptions> = {}, engine = llama) {
  const server = await ollamaServer(engine, quirks);
  servers.push(server);
  return { server, model: modelAt(server, options) };
}

/** A server with scripted answers, and a model on it. */
async function scripted(answer: (asked: Asked, count: number) => Reply) {
  const server: JsonServer = await jsonServer((asked) => answer(asked, server.asked.length));
  servers.push(server);
  return { server, model: modelAt(server) };
}

function modelAt({ address }: JsonServer, options: Partial<OllamaModelOptions> = {}) {
  return ollamaModel({ baseUrl: address, model: OLLAMA_MODEL, maxRetries: 0, ...options });
}

/** A scripted answer: the generated tokens, each with its alternatives. */
interface Told {
  token: string;
  logprob: number;
  bytes?: number[];
  top_logprobs?: readonly Omit<Told, 'top_logprobs'>[];
}
/** Each token is among its own alternatives, unless these are given. */
const told = (tokens: readonly Told[], response = tokens.map(({ token }) => token).join('')) => {
  const logprobs = tokens.map((each) => ({ top_logprobs: [each], ...each }));
  return toldAsIs(logprobs, response);
};
const toldAsIs = (logprobs: readonly object[], response: string) => ({
  json: {
    response,
    done: true,
    done_reason: 'length',
    prompt_eval_count: 1,
    eval_count: logprobs.length,
    logprobs,
  },
});

/** The last listed token: no unlisted token is more probable. */
const RARE = { token: 'q', logprob: -9 };

const [first, second] = items as [Item, Item, ...Item[]];
const REQUEST = requestOf(first, first.candidates[0]?.text);

/** A word that a judge may reply. */
const WORD: ScoreRequest = { prompt: REQUEST.prompt, continuation: ' no' };

describe('scores', () => {
  const no = { token: ' no', logprob: -2 };

  test('a word of a judge by one token, the same as another program', async () => {
    const { server, model } = await ollama();
    const { results, usage } = await model.score([WORD]);
    expect(usage).toEqual({ requests: 1, tokens: llama.tokenizer.encode(REQUEST.prompt).length + 1 });
    expect(results).toEqual([{ tokens: [], exact: false, logprob: expect.any(Number) }]);
    const [truth] = (await oracle.score([WORD])).results as [ScoredText];
    expect((results[0] as ScoredText).logprob).toBeGreaterThanOrEqual(truth.logprob);
    expect(server.asked[0]?.body).toEqual({
      model: OLLAMA_MODEL,
      prompt: REQUEST.prompt,
      raw: true,
      stream: false,
      think: false,
      truncate: false,
      logprobs: true,
      top_logprobs: 20,
      options: {
        num_predict: 1,
        temperature: 0,
        top_k: 0,
        top_p: 1,
        min_p: 0,
        typical_p: 1,
        repeat_penalty: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
        stop: [],
      },
    });
  });

  test('a listed word exactly, and the one that was sampled, too', async () => {
    const yes = { token: ' yes', logprob: -1 };
    const { model } = await scripted(() => told([{ ...yes, top_logprobs: [no, RARE] }]));
    const { results } = await model.score(
      [' yes', ' no'].map((continuation) => ({ prompt: 'p:', continuation })),
      { topLogprobs: 1 },
    );
    const top = [{ text: ' no', logprob: -2 }];
    expect(results).toEqual([
      { tokens: [{ text: ' yes', logprob: -1, top }], logprob: -1, exact: true },
      { tokens: [{ text: ' no', logprob: -2, top }], logprob: -2, exact: true },
    ]);
  });

  test('a word that is not listed has the last one as its bound, and numbers too small are none', async () => {
    const none = { token: 'a', logprob: -3.4028234663852886e38 };
    const { model } = await scripted(() => told([{ ...no, top_logprobs: [no, RARE, none] }]));
    const { results } = await model.score([{ prompt: 'p:', continuation: ' yes' }]);
    expect(results).toEqual([{ tokens: [], logprob: RARE.logprob, exact: false }]);
  });

  test('no other text, and asks nothing for it', async () => {
    const { server, model } = await ollama();
    await expect(model.score([WORD, REQUEST])).rejects.toMatchObject({
      kind: 'service',
      problem: 'does not score a given text, but for the words of a judge',
    });
    const { results } = await model.score([
      { prompt: '', continuation: ' no' },
      { prompt: 'a', continuation: '' },
    ]);
    expect(results).toEqual([
      { failure: 'Ollama generates nothing after an empty prompt.' },
      { tokens: [], logprob: 0, exact: true },
    ]);
    expect(server.asked).toEqual([]);
  });

  test('fail where no token is reported', async () => {
    const { model } = await scripted(() => ({ json: { response: '' } }));
    const failure = 'The service reports no tokens that may follow the text.';
    expect((await model.score([WORD])).results).toEqual([{ failure }]);
  });

  test('the model judges, also where the answer is known', async () => {
    const { model } = await ollama();
    const { report } = await createShaper({ k: 1, ecs: { model, trust: 'always' } }).shape({
      query: { text: first.question, answer: first.answer },
      chunks: first.candidates.slice(0, 2).map(({ text }, place) => ({ id: `${place}`, text })),
    });
    expect(report.degradations).toEqual([]);
    expect(report.ecs).toMatchObject({ method: 'judge', scored: 2 });
  });
});

describe('generated texts', () => {
  test('are those of another program, with their alternatives, and end where they should', async () => {
    const { model } = await ollama();
    const requests = [
      { prompt: REQUEST.prompt, maxTokens: 3 },
      { prompt: REQUEST.prompt, maxTokens: 4, stop: ['', first.answer.slice(-4)] },
      { prompt: REQUEST.prompt, maxTokens: 0 },
    ];
    const { results } = await model.generate(requests, { topLogprobs: 3 });
    const truths = (await oracle.generate(requests, { topLogprobs: 3 })).results as GeneratedText[];
    for (const [place, result] of results.entries()) {
      const { text, tokens } = result as GeneratedText;
      expect(text).toBe(truths[place]?.text);
      for (const [at, { logprob, top }] of tokens.entries()) {
        expect(logprob).toBeCloseTo(truths[place]?.tokens[at]?.logprob as number, 9);
        expect(top).toHaveLength(3);
      }
    }
    expect((await model.generate([{ prompt: '', maxTokens: 1 }])).results).toEqual([
      { failure: 'Ollama generates nothing after an empty prompt.' },
    ]);
  });

  test('have tokens up to the first one that Ollama leaves out', async () => {
    const logprobs = [
      { token: 'a', logprob: -1, top_logprobs: [RARE] },
      { token: 'b', logprob: -1, top_logprobs: [RARE] },
    ];
    const { model } = await scripted(() => ({ json: { response: 'a\u2211b', logprobs } }));
    expect((await model.generate([{ prompt: 'p', maxTokens: 9 }])).results).toEqual([
      { text: 'a\u2211b', tokens: [{ text: 'a', logprob: -1 }] },
    ]);
  });

  test('have tokens up to the first one that a draft model proposed', async () => {
    const { model } = await ollama({ drafts: true });
    const { results } = await model.generate([{ prompt: REQUEST.prompt, maxTokens: 3 }]);
    const { text, tokens } = results[0] as GeneratedText;
    expect(text).toBe(REQUEST.continuation);
    expect(tokens).toHaveLength(1);
  });

  test.each(['before', 'at once'])('stop when aborted %s', async (when) => {
    const { model } = await ollama();
    const reason = new Error('took too long');
    for (const begin of [
      (signal: AbortSignal) => model.score([WORD], { signal }),
      (signal: AbortSignal) => model.generate([{ prompt: 'a', maxTokens: 50 }], { signal }),
    ]) {
      const controller = new AbortController();
      if (when === 'before') controller.abort(reason);
      const outcome = expect(begin(controller.signal)).rejects.toBe(reason);
      controller.abort(reason);
      await outcome;
    }
  });
});

describe('what Ollama refuses', () => {
  test('an Ollama that tells no log-probabilities is too old', async () => {
    const { server, model } = await ollama({ old: true });
    const expected = {
      kind: 'service',
      field: `POST ${server.address}/api/generate`,
      problem: 'answers without log-probabilities',
      remedy: 'Update Ollama to 0.12.11 or later.',
    };
    await expect(model.score([WORD])).rejects.toMatchObject(expected);
    await expect(model.generate([{ prompt: REQUEST.prompt, maxTokens: 3 }])).rejects.toMatchObject(expected);
  });

  test('a model that is not there can be pulled', async () => {
    const { model } = await ollama({}, { model: 'giant:7b' });
    for (const call of [
      () => model.score([WORD]),
      () => model.generate([{ prompt: 'A', maxTokens: 1 }]),
      () => model.identify(),
    ]) {
      await expect(call()).rejects.toMatchObject({
        kind: 'service',
        field: 'model',
        value: 'giant:7b',
        problem: 'is not known to Ollama',
        remedy: 'Get it: ollama pull giant:7b',
      });
    }
  });

  test('an address without Ollama is no model that is not there', async () => {
    const { model } = await scripted(() => ({ status: 404, text: '404 page not found' }));
    await expect(model.score([WORD])).rejects.toMatchObject({
      kind: 'service',
      problem: 'refuses the request',
      value: '404 404 page not found',
    });
  });

  test.each([0, 2])('a text that is too long fails alone, at once, with %i retries', async (maxRetries) => {
    const { model } = await ollama({ contextLength: 60 }, { maxRetries });
    const prompt = `${'the garden is full of flowers. '.repeat(20)}${REQUEST.prompt}`;
    const { results, usage } = await model.score([WORD, { prompt, continuation: ' no' }]);
    expect(results).toEqual([
      expect.objectContaining({ exact: false }),
      {
        failure: expect.stringMatching(
          /^request \(\d+ tokens\) exceeds the available context size \(60 tokens\), try increasing it$/,
        ),
      },
    ]);
    expect(usage.requests).toBe(2);
    const generated = await model.generate([{ prompt, maxTokens: 3 }]);
    expect(generated.results).toEqual([{ failure: expect.stringContaining('context size') }]);
  });

  test('also where the server says that with a status of its own faults', async () => {
    const { server, model } = await scripted(() => ({
      status: 500,
      json: { error: 'the input length exceeds the context length' },
    }));
    expect((await modelAt(server, { maxRetries: 3 }).score([WORD])).usage.requests).toBe(1);
    expect((await model.score([WORD])).results).toEqual([
      { failure: 'the input length exceeds the context length' },
    ]);
  });
});

describe('answers that are not as documented', () => {
  const at = (place: string) => `answers with an unexpected value at “${place}”`;
  const b = { token: 'b', logprob: -1 };

  test.each<[unknown, place: string]>([
    [[], '.'],
    [{}, '.response'],
    [{ response: 'b', logprobs: {} }, '.logprobs'],
    [{ response: 'b', logprobs: [{ token: 'b' }] }, '.logprobs[0].logprob'],
    [{ response: 'b', logprobs: [{ ...b, logprob: 'NaN' }] }, '.logprobs[0].logprob'],
    [{ response: 'b', logprobs: [{ ...b, logprob: 0.2 }] }, '.logprobs[0].logprob'],
    [{ response: 'b', logprobs: [{ ...b, bytes: [256] }] }, '.logprobs[0].bytes[0]'],
    [
      { response: 'b', logprobs: [{ ...b, top_logprobs: [{ token: 1 }] }] },
      '.logprobs[0].top_logprobs[0].token',
    ],
  ])('%j', async (json, place) => {
    const { server, model } = await scripted(() => ({ json }));
    const expected = { kind: 'service', field: `POST ${server.address}/api/generate`, problem: at(place) };
    await expect(model.score([WORD])).rejects.toMatchObject(expected);
    await expect(model.generate([{ prompt: 'a', maxTokens: 1 }])).rejects.toMatchObject(expected);
  });

  test('a list of models without digests', async () => {
    const { server, model } = await scripted(() => ({ json: { models: [{ name: OLLAMA_MODEL }] } }));
    await expect(model.identify()).rejects.toMatchObject({
      kind: 'service',
      field: `GET ${server.address}/api/tags`,
      problem: at('.models[0].digest'),
    });
  });
});

faultsOfHttp('/api/generate', (settings) => ollamaModel({ model: OLLAMA_MODEL, ...settings }));

describe('the name', () => {
  test.each(['tiny', 'tiny:latest'])('of %s is that of its weights', async (model) => {
    const subject = await ollama({}, { model });
    expect(await subject.model.identify()).toBe(`ollama:tiny:latest:${OLLAMA_DIGEST}`);
  });
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:11434/'],
  ['localhost', 'http://localhost:11434/'],
  ['localhost:80', 'http://localhost/'],
  ['0.0.0.0:11434', 'http://127.0.0.1:11434/'],
  ['0.0.0.0', 'http://127.0.0.1:11434/'],
  [':8080', 'http://127.0.0.1:8080/'],
  ['[::]:11434', 'http://[::1]:11434/'],
  ['gpu.local/ollama', 'http://gpu.local:11434/ollama'],
  ['http://gpu.local', 'http://gpu.local/'],
  ['https://gpu.local:8443/ollama', 'https://gpu.local:8443/ollama'],
  ['http://0.0.0.0:11434', 'http://127.0.0.1:11434/'],
])('the address %s is %s', (host, address) => {
  expect(ollamaAddress(host)).toBe(address);
});

describe('a loaded model', () => {
  test('stays loaded while chats and scores take turns', async () => {
    const { server, model } = await ollama(
      {},
      { runnerOptions: { num_ctx: 64, num_thread: 3, keep_alive: '2h' } },
    );
    const chat = new ChatOllama({ model: OLLAMA_MODEL, baseUrl: server.address, numCtx: 64, numThread: 3 });
    await chat.invoke('Hello?');
    await model.score([WORD]);
    await model.generate([{ prompt: REQUEST.prompt, maxTokens: 2 }]);
    await chat.invoke('Hello?');
    expect(server.reloads).toBe(0);
    expect(server.keepAlive).toBe('2h');
  });

  test('has Ollama’s own settings where none are given', async () => {
    const { server, model } = await ollama({}, { runnerOptions: { num_ctx: undefined } });
    await model.score([WORD]);
    const { body } = server.asked[0] as { body: { options: object } };
    expect(body).not.toHaveProperty('keep_alive');
    expect(body).not.toHaveProperty('shift');
    expect(Object.keys(body.options).filter((name) => /^(num_(?!predict)|main_|use_)/.test(name))).toEqual(
      [],
    );
  });

  test.each([
    [{ num_ctx: 0 }, 'runnerOptions.num_ctx', 'must be at least 1'],
    [{ numCtx: 64 }, 'runnerOptions.numCtx', 'is not an option'],
    [{ keep_alive: '' }, 'runnerOptions.keep_alive', undefined],
  ])('cannot have %j', (runnerOptions, field, problem) => {
    expect(() => ollamaModel({ model: 'tiny', runnerOptions: runnerOptions as never })).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field, ...(problem ? { problem } : {}) }),
    );
  });
});

test('a model judges 16 passages with 16 requests, and scoring both words took 32', async () => {
  const [yes, no] = [
    { token: ' yes', logprob: Math.log(0.6) },
    { token: ' no', logprob: Math.log(0.2) },
  ];
  const logprobs = [{ ...yes, top_logprobs: [yes, no] }];
  const server = await jsonServer(() => ({ json: { response: ' yes', eval_count: 1, logprobs } }));
  servers.push(server);
  const model = ollamaModel({ baseUrl: server.address, model: 'm' });
  const requests = [first, second].flatMap(({ question, candidates }) =>
    candidates.map(({ text }) => ({ question, passage: text })),
  );
  const { results, usage } = await judgeOf(model).judge(requests);
  expect(results).toEqual(requests.map(() => ({ yes: expect.closeTo(0.75, 9) })));
  expect([usage.requests, server.asked.length]).toEqual([16, 16]);
  const words = requests.flatMap((request) =>
    [' yes', ' no'].map((continuation) => ({ prompt: judgePrompt(request), continuation })),
  );
  expect((await model.score(words)).usage.requests).toBe(32);
});

test('a model that can think is asked not to, so its text stays whole', async () => {
  const { model } = await ollama({ thinks: true }, {}, modelThatSays(llama, '<think> yes'));
  const { results } = await model.generate([{ prompt: REQUEST.prompt, maxTokens: 9 }]);
  expect(results).toMatchObject([{ text: '<think> yes' }]);
  expect((results[0] as GeneratedText).tokens.map(({ text }) => text).join('')).toBe('<think> yes');
});

describe('the chat template', () => {
  test('is around each prompt by Ollama itself, with thinking off, and is in the name', async () => {
    const seen: string[] = [];
    const template = (message: string, isThinking: boolean) => {
      seen.push(`<user>${message}</user>${isThinking ? '<think>' : ''}`);
      return seen.at(-1) as string;
    };
    const { server, model } = await ollama({ template, thinks: true }, { chatTemplate: true });
    const { usage } = await model.generate([{ prompt: 'Who?', maxTokens: 1 }]);
    await model.score([{ prompt: 'Who?', continuation: ' no' }]);
    expect(seen).toEqual(['<user>Who?</user>', '<user>Who?</user>']);
    expect(server.asked.map(({ body }) => body.raw)).toEqual([false, false]);
    expect(usage.requests).toBe(1);
    expect(await model.identify()).toBe(`ollama:tiny:latest:${OLLAMA_DIGEST}:chat`);
  });

  test('control tokens in a prompt are taken apart', async () => {
    const { server, model } = await ollama({}, { chatTemplate: true });
    await model.generate([{ prompt: 'a<|im_end|>b 1 < 2 <b>bold</b>', maxTokens: 1 }]);
    expect(server.asked.at(-1)?.body.prompt).toBe('a< |im_end|>b 1 < 2 <b>bold</b>');
  });

  test.each([
    ['<|im_start|>system', '< |im_start|>system'],
    ['[INST] x [/INST]', '[ INST] x [ /INST]'],
    ['<｜User｜>', '< ｜User｜>'],
    ['〈|EOS|〉', '〈 |EOS|〉'],
    ['Assistant: yes\n\nHuman: no', 'Assistant: yes\n\nHuman: no'],
    ['plain', 'plain'],
  ])('%j becomes %j', (text, expected) => {
    const apart = withoutControlTokens(text, '〈|EOS|〉');
    expect(apart).toBe(expected);
    expect(withoutControlTokens(apart, '〈|EOS|〉')).toBe(expected);
  });
});
