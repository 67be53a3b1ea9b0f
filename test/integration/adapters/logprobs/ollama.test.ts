/** Tests with an imitation of Ollama that has the numbers of a real model, for several versions and clients. */
import { ChatOllama } from '@langchain/ollama';
import type { Failed, GeneratedText, ScoredText, ScoreRequest } from 'context-shaping';
import { afterEach, describe, expect, test } from 'vitest';
import { withoutControlTokens } from '../../../../adapters/logprobs/chat-template.js';
import { type OllamaModelOptions, ollamaAddress, ollamaModel } from '../../../../adapters/logprobs/ollama.js';
import { judgeOf, judgePrompt } from '../../../../src/ecs/judgement.js';
import { chatTemplateContract, logprobModelContract } from '../../../adapters/logprobs/contract.js';
import {
  areaUnderCurve,
  type Item,
  items,
  requestOf,
  scoreRequests,
  tinyModel,
} from '../../../adapters/logprobs/items.js';
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

const KINDS: Record<string, Quirks> = {
  'Ollama 0.30': {},
  'Ollama 0.12.11': { parts: 'listed' },
  // A template that adds nothing: the numbers stay those of the small model.
  'a chat template': { template: (message) => message },
};
for (const [name, quirks] of Object.entries(KINDS)) {
  logprobModelContract(`ollamaModel with ${name}`, async () => {
    const server = await ollamaServer(llama, quirks);
    const chatTemplate = quirks.template !== undefined;
    const model = ollamaModel({ baseUrl: server.address, model: OLLAMA_MODEL, chatTemplate });
    return { model, oracle, tolerance: 1e-9, close: server.close };
  });
}

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
const RARE = { token: 'q', logprob: -99 };

const [first, second] = items as [Item, Item, ...Item[]];
const REQUEST = requestOf(first, first.candidates[0]?.text);

const scoreOf = async (model: ReturnType<typeof ollamaModel>, request: ScoreRequest) => {
  const { results, usage } = await model.score([request]);
  return { result: results[0] as ScoredText | Failed, requests: usage.requests };
};
const truthOf = async (request: ScoreRequest) => (await oracle.score([request])).results[0] as ScoredText;

describe('requests', () => {
  test('16 candidates and the context without them take fewer than their answers have tokens', async () => {
    const { server, model } = await ollama();
    const texts = [first, second].flatMap(({ candidates }) => candidates.map(({ text }) => text));
    const requests = [requestOf(first), ...texts.map((text) => requestOf(first, text))];
    const { results, usage } = await model.score(requests);
    const tokens = llama.tokenizer.encode(REQUEST.continuation).length;
    const exact = results.filter((each) => 'exact' in each && each.exact).length;
    console.log(`${usage.requests} requests for 17 answers of ${tokens} tokens, ${exact} of them exact`);
    expect(usage.requests).toBe(server.asked.length);
    expect(usage.requests).toBeLessThanOrEqual(requests.length * tokens);
    const truths = await Promise.all(requests.map(truthOf));
    for (const [place, result] of results.entries()) {
      const { logprob, exact } = result as ScoredText;
      const truth = truths[place] as ScoredText;
      if (exact) expect(logprob).toBeCloseTo(truth.logprob, 9);
      else expect(logprob).toBeGreaterThanOrEqual(truth.logprob);
    }
  });

  test('one tells all tokens that the model would go on with itself', async () => {
    const { server, model } = await ollama();
    const { result, requests } = await scoreOf(model, REQUEST);
    expect(requests).toBe(1);
    expect(result).toMatchObject({
      exact: true,
      logprob: expect.closeTo((await truthOf(REQUEST)).logprob, 9),
    });
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
        num_predict: 7,
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

  test('count the tokens of their prompts', async () => {
    const { model } = await ollama();
    const { usage } = await model.score([REQUEST]);
    expect(usage).toEqual({ requests: 1, tokens: llama.tokenizer.encode(REQUEST.prompt).length + 1 });
  });

  test('do not count tokens where one does not tell', async () => {
    const { model } = await scripted(() => ({
      json: { response: 'b', logprobs: [{ token: 'b', logprob: -1 }] },
    }));
    expect((await model.score([{ prompt: 'a:', continuation: 'b' }])).usage).toEqual({ requests: 1 });
  });
});

describe('step by step', () => {
  const A = { token: 'a', logprob: -2 };
  const B = { token: 'b', logprob: -1 };

  test('follows the longest listed token, no matter which way the model would take', async () => {
    const { server, model } = await scripted(({ body }) =>
      body.prompt === 'p:'
        ? told([
            { ...B, top_logprobs: [B, { token: 'c', logprob: -2 }, { token: 'cd', logprob: -2.5 }, RARE] },
            B,
          ])
        : told([{ token: 'ef', logprob: -0.5, top_logprobs: [{ token: 'ef', logprob: -0.5 }] }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'cdef' });
    expect(result).toEqual({
      tokens: [
        { text: 'cd', logprob: -2.5 },
        { text: 'ef', logprob: -0.5 },
      ],
      logprob: -3,
      exact: true,
    });
    expect(server.asked.map(({ body }) => body.prompt)).toEqual(['p:', 'p:cd']);
  });

  test('of equals the longest is taken', async () => {
    const { server, model } = await scripted(() =>
      told([{ ...B, top_logprobs: [B, { token: 'aa', logprob: -2 }, A] }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'aa' });
    expect(result).toEqual({ tokens: [{ text: 'aa', logprob: -2 }], logprob: -2, exact: true });
    expect(server.asked).toHaveLength(1);
  });

  test('the token that was sampled is taken where it is not among the most probable', async () => {
    const { model } = await scripted(() => told([{ ...A, top_logprobs: [B] }]));
    expect((await scoreOf(model, { prompt: 'p:', continuation: 'a' })).result).toMatchObject({
      logprob: -2,
      exact: true,
    });
  });

  test('a token that adds nothing is never taken', async () => {
    const { model } = await scripted(() =>
      told([{ ...B, top_logprobs: [{ token: '', logprob: -0.1 }, B, A] }]),
    );
    expect((await scoreOf(model, { prompt: 'p:', continuation: 'a' })).result).toMatchObject({ logprob: -2 });
  });

  test('where none fits the score is the least upper bound that is known', async () => {
    const { model } = await ollama();
    // The tiny model has never seen it.
    const request = { prompt: REQUEST.prompt, continuation: ' Xylophone' };
    const { result, requests } = await scoreOf(model, request);
    const { tokenizer } = llama;
    const sorted = llama
      .logprobs([tokenizer.bos, ...tokenizer.encode(REQUEST.prompt)])
      .toSorted()
      .reverse();
    const top = [...sorted.slice(0, 20)];
    const rest = 1 - top.reduce((sum, each) => sum + Math.exp(each), 0);
    const bound = Math.min(top.at(-1) as number, Math.log(rest));
    expect(result).toMatchObject({ tokens: [], exact: false });
    const { logprob } = result as ScoredText;
    expect(logprob).toBeGreaterThanOrEqual(bound);
    expect(logprob).toBeCloseTo(bound, 2);
    expect(logprob).toBeGreaterThan((await truthOf(request)).logprob);
    expect(requests).toBe(1);
  });

  test('the bound is that of the others together where there are few', async () => {
    const { model } = await scripted(() =>
      told([{ token: 'b', logprob: Math.log(0.9), top_logprobs: [{ token: 'b', logprob: Math.log(0.9) }] }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'a' });
    expect(result).toEqual({ tokens: [], exact: false, logprob: expect.closeTo(Math.log(0.1), 4) });
  });

  test('the text before a place where no token fits is reported', async () => {
    const b = { token: 'b', logprob: -6 };
    const { model } = await scripted(({ body }) =>
      told([{ ...A, top_logprobs: body.prompt === 'p:' ? [A, b] : [{ token: 'c', logprob: -1 }] }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'ab' });
    // At the second position the bound is that of the last listed token; at the first it is lower.
    expect(result).toEqual({ tokens: [{ text: 'a', logprob: -2 }], exact: false, logprob: -3 });
  });

  test('a token that is not listed may also be at a place that was read', async () => {
    const place = { ...A, top_logprobs: [A, { token: 'c', logprob: -4 }] };
    const { model } = await scripted(() => told([place, place]));
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'ab' });
    // 'ab' as one token has at most -4; after 'a' the bound would be -2 - 4.
    expect(result).toEqual({ tokens: [{ text: 'a', logprob: -2 }], exact: false, logprob: -4 });
  });

  test('bounds hold, and passages that answer score above others', async () => {
    const { model } = await ollama({}, { timeoutMs: 120_000 });
    const requests = scoreRequests();
    const { results } = await model.score(requests);
    const truths = (await oracle.score(requests)).results as ScoredText[];
    const exact = results.filter((result, place) => {
      const { logprob, exact } = result as ScoredText;
      const truth = (truths[place] as ScoredText).logprob;
      if (exact) expect(logprob).toBeCloseTo(truth, 9);
      else expect(logprob).toBeGreaterThanOrEqual(truth);
      return exact;
    });
    const logprobs = results.map((each) => (each as ScoredText).logprob);
    const gains = items.flatMap(({ candidates }, item) =>
      candidates.map(({ kind }, place) => ({
        isAnswer: kind === 'answer',
        gain: (logprobs[9 * item + 1 + place] as number) - (logprobs[9 * item] as number),
      })),
    );
    const gainsOf = (wanted: boolean) =>
      gains.filter(({ isAnswer }) => isAnswer === wanted).map(({ gain }) => gain);
    const area = areaUnderCurve(gainsOf(true), gainsOf(false));
    console.log(`${exact.length} of 540 exact, area under the curve ${area.toFixed(4)}`);
    expect(exact.length).toBeGreaterThanOrEqual(100);
    expect(exact.length).toBeLessThan(results.length);
    expect(area).toBeGreaterThanOrEqual(0.985);
  });

  test('a way with less than a token may have that is not listed is a bound', async () => {
    const place = { ...A, top_logprobs: [A, { token: 'c', logprob: -3 }] };
    const { model } = await scripted(({ body }) =>
      body.prompt === 'p:' ? told([place]) : told([{ token: 'b', logprob: -4, top_logprobs: [RARE] }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'ab' });
    // The model itself may use 'ab', with at most -3, instead of 'a' and 'b' with -6.
    expect(result).toMatchObject({ tokens: [{ text: 'a' }, { text: 'b' }], logprob: -3, exact: false });
  });

  test('ends after 64 steps, which is a bound', async () => {
    const { server, model } = await scripted(() => told([{ ...B, top_logprobs: [B, A] }]));
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'a'.repeat(65) });
    expect(server.asked).toHaveLength(64);
    expect(result).toMatchObject({ exact: false, logprob: -2 });
    expect((result as ScoredText).tokens).toHaveLength(64);
  });

  test('numbers too small for a number are no bound', async () => {
    const none = { token: 'a', logprob: -3.4028234663852886e38 };
    const { model } = await scripted(() => told([{ ...B, top_logprobs: [B, none] }]));
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'a' });
    expect(result).toEqual({ tokens: [], exact: false, logprob: -1 });
  });
});

describe('where prompt and continuation meet', () => {
  test.each([' ', '\t', '  '])('%j at the end of a prompt is read with the text', async (spaces) => {
    const { model } = await ollama();
    const requests = scoreRequests(items.slice(0, 4)).map(({ prompt, continuation }) => ({
      prompt: prompt + spaces,
      continuation: continuation.trimStart(),
    }));
    const { results } = await model.score(requests);
    const truths = (await oracle.score(requests)).results as ScoredText[];
    for (const [place, result] of results.entries()) {
      const { logprob, exact } = result as ScoredText;
      const truth = (truths[place] as ScoredText).logprob;
      if (exact) expect(logprob).toBeCloseTo(truth, 9);
      else expect(logprob).toBeGreaterThanOrEqual(truth);
    }
  });

  test('one space makes no difference to an answer that is known', async () => {
    const { model } = await ollama();
    const { prompt, continuation } = REQUEST;
    const apart = { prompt: `${prompt} `, continuation: continuation.trimStart() };
    expect((await scoreOf(model, apart)).result).toEqual((await scoreOf(model, REQUEST)).result);
  });

  test('spaces that are tokens of their own are the prompt’s', async () => {
    const top = [{ token: ' ', logprob: -1 }, RARE];
    const { server, model } = await scripted(({ body }) =>
      body.prompt === 'p:'
        ? told([{ token: ' ', logprob: -1, top_logprobs: top }])
        : told([{ token: 'b', logprob: -0.5 }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p: ', continuation: 'b' });
    expect(result).toEqual({ tokens: [{ text: 'b', logprob: -0.5 }], logprob: -0.5, exact: true });
    expect(server.asked.map(({ body }) => body.prompt)).toEqual(['p:', 'p: ']);
  });

  test('a bound holds whether the spaces are the prompt’s or not', async () => {
    const top = [
      { token: ' ', logprob: -1 },
      { token: 'c', logprob: -4 },
    ];
    const { model } = await scripted(({ body }) =>
      body.prompt === 'p:'
        ? told([{ token: ' ', logprob: -1, top_logprobs: top }])
        : told([{ token: 'c', logprob: -2, top_logprobs: [{ token: 'd', logprob: -2.5 }] }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p: ', continuation: 'b' });
    // ' b' has at most -4, and 'b' after the space at most -2.5.
    expect(result).toEqual({ tokens: [], logprob: -2.5, exact: false });
  });

  test('a line break stays in the prompt', async () => {
    const { server, model } = await scripted(() => told([{ token: 'b', logprob: -1 }]));
    const { result } = await scoreOf(model, { prompt: 'p\n', continuation: 'b' });
    expect(result).toMatchObject({ logprob: -1, exact: true });
    expect(server.asked.map(({ body }) => body.prompt)).toEqual(['p\n']);
  });

  test.each([
    ['New', 'ton'],
    ['in 19', '32'],
    ['caf', '\u00e9s'],
  ])('%j, which goes on with %j, fails unasked', async (prompt, continuation) => {
    const { server, model } = await ollama();
    expect((await scoreOf(model, { prompt, continuation })).result).toEqual({
      failure:
        'The prompt ends inside a word that the continuation completes: Ollama does not report the tokens there.',
    });
    expect(server.asked).toEqual([]);
  });
});

describe('where Ollama leaves out tokens', () => {
  test('and tells of none at all, the text fails alone', async () => {
    const { model } = await ollama({ onlyEnds: true });
    const { results, usage } = await model.score([REQUEST]);
    expect(results).toEqual([{ failure: 'The service reports no tokens that may follow the text.' }]);
    expect(usage.requests).toBe(1);
  });

  test('a later one, the rest counts as certain', async () => {
    const a = { token: 'a', logprob: -2, top_logprobs: [{ token: 'a', logprob: -2 }, RARE] };
    const { model } = await scripted(({ body }) =>
      body.prompt === 'p:'
        ? told([a])
        : { json: { response: '', done_reason: 'stop', prompt_eval_count: 1, eval_count: 1 } },
    );
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'ab' });
    expect(result).toMatchObject({ tokens: [{ text: 'a' }], logprob: -2, exact: false });
  });

  test('asks for a single continuation within its own generated text', async () => {
    const parts = { response: '\u2211b', done_reason: 'length', eval_count: 4 };
    const { server, model } = await scripted(({ body }) =>
      body.options.num_predict > 1
        ? { json: { ...parts, logprobs: [{ token: 'b', logprob: -1 }] } }
        : told([{ token: 'b', logprob: -5, top_logprobs: [RARE] }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: 'b'.repeat(4) });
    expect(result).toMatchObject({ logprob: -20, exact: true });
    expect(server.asked.map(({ body }) => body.options.num_predict)).toEqual([2, 1, 1, 1, 1]);
    expect(server.asked.every(({ body }) => body.options.temperature === 0)).toBe(true);
  });

  test('without a trace in the text, they are missed by their number', async () => {
    const b = { token: 'b', logprob: -1 };
    const { model } = await scripted(({ body }) =>
      body.options.num_predict > 1
        ? { json: { response: 'bb', done_reason: 'length', eval_count: 3, logprobs: [b, b] } }
        : told([{ token: 'b', logprob: -5, top_logprobs: [RARE] }]),
    );
    const { result, requests } = await scoreOf(model, { prompt: 'p:', continuation: 'bbbb' });
    expect(result).toMatchObject({ logprob: -20, exact: true });
    expect(requests).toBe(5);
  });

  test('an empty prompt is not asked for', async () => {
    const { server, model } = await ollama();
    const failure = 'Ollama generates nothing after an empty prompt.';
    for (const prompt of ['', ' ']) {
      expect((await model.score([{ prompt, continuation: 'a' }])).results).toEqual([{ failure }]);
    }
    expect((await model.generate([{ prompt: '', maxTokens: 1 }])).results).toEqual([{ failure }]);
    expect(server.asked).toEqual([]);
  });

  test('nothing is certain to follow nothing, and no tokens are an empty text, unasked', async () => {
    const { server, model } = await ollama();
    const certain = { tokens: [], logprob: 0, exact: true };
    const { results } = await model.score(['', 'a', 'a '].map((prompt) => ({ prompt, continuation: '' })));
    expect(results).toEqual([certain, certain, certain]);
    const generated = await model.generate([0, -1].map((maxTokens) => ({ prompt: 'a', maxTokens })));
    expect(generated.results).toEqual([
      { text: '', tokens: [] },
      { text: '', tokens: [] },
    ]);
    expect(server.asked).toEqual([]);
  });

  test('the tokens of a generated text are reported up to the first of them', async () => {
    const logprobs = [
      { token: 'a', logprob: -1, top_logprobs: [RARE] },
      { token: 'b', logprob: -1, top_logprobs: [RARE] },
    ];
    const { model } = await scripted(() => ({ json: { response: 'a\u2211b', logprobs } }));
    expect((await model.generate([{ prompt: 'p', maxTokens: 9 }])).results).toEqual([
      { text: 'a\u2211b', tokens: [{ text: 'a', logprob: -1 }] },
    ]);
  });
});

describe('tokens that are parts of characters', () => {
  const SUM = [...new TextEncoder().encode('\u2211')].map((byte) => ({
    token: '\ufffd',
    bytes: [byte],
    logprob: -0.1,
  }));

  test('are reported by their bytes', async () => {
    const { server, model } = await scripted(({ body }) =>
      body.prompt === 'p:'
        ? told(SUM.map((part) => ({ ...part, top_logprobs: [RARE] })))
        : told([{ token: 'abcdef', logprob: -1 }]),
    );
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: '\u2211abcdef' });
    expect(result).toMatchObject({
      exact: true,
      logprob: expect.closeTo(-1.3, 12),
      tokens: [{}, {}, {}, {}],
    });
    expect(server.asked.map(({ body }) => body.prompt)).toEqual(['p:', 'p:\u2211']);
  });

  test('are where a text can be asked for no further', async () => {
    const { server, model } = await scripted(() => told(SUM.slice(0, 1)));
    const { result } = await scoreOf(model, { prompt: 'p:', continuation: '\u2211' });
    // The rest of the probability, without the first part of the character.
    const others = Math.log(1 - Math.exp(-0.1));
    expect(result).toMatchObject({ exact: false, tokens: [{ text: '\ufffd' }], logprob: -0.1 });
    expect((result as ScoredText).logprob).toBeGreaterThan(others);
    expect(server.asked).toHaveLength(1);
  });

  test('are not asked for where the model would end the text', async () => {
    const { model } = await ollama({ parts: 'listed', most: 769 });
    const request = { prompt: REQUEST.prompt, continuation: ' Z\u00fcrich' };
    const { result } = await scoreOf(model, request);
    // There the model itself would end the text.
    expect(result).toMatchObject({ exact: false, tokens: [{ text: ' ' }] });
    expect((result as ScoredText).logprob).toBeGreaterThanOrEqual((await truthOf(request)).logprob);
  });

  test('texts count where bytes are not told', async () => {
    const { model } = await ollama({ byteless: true });
    const { result } = await scoreOf(model, REQUEST);
    expect(result).toMatchObject({
      exact: true,
      logprob: expect.closeTo((await truthOf(REQUEST)).logprob, 9),
    });
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
    await expect(model.score([REQUEST])).rejects.toMatchObject(expected);
    await expect(model.generate([{ prompt: REQUEST.prompt, maxTokens: 3 }])).rejects.toMatchObject(expected);
  });

  test('a model that is not there can be pulled', async () => {
    const { model } = await ollama({}, { model: 'giant:7b' });
    for (const call of [
      () => model.score([REQUEST]),
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
    await expect(model.score([REQUEST])).rejects.toMatchObject({
      kind: 'service',
      problem: 'refuses the request',
      value: '404 404 page not found',
    });
  });

  test.each([0, 2])('a text that is too long fails alone, at once, with %i retries', async (maxRetries) => {
    const { model } = await ollama({ contextLength: 60 }, { maxRetries });
    const prompt = `${'the garden is full of flowers. '.repeat(20)}${REQUEST.prompt}`;
    const { results, usage } = await model.score([REQUEST, { prompt, continuation: ' it' }]);
    expect(results).toEqual([
      expect.objectContaining({ exact: true }),
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
    expect((await modelAt(server, { maxRetries: 3 }).score([REQUEST])).usage.requests).toBe(1);
    expect((await model.score([REQUEST])).results).toEqual([
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
    await expect(model.score([REQUEST])).rejects.toMatchObject(expected);
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
    await model.score([REQUEST]);
    await model.generate([{ prompt: REQUEST.prompt, maxTokens: 2 }]);
    await chat.invoke('Hello?');
    expect(server.reloads).toBe(0);
    expect(server.keepAlive).toBe('2h');
  });

  test('has Ollama’s own settings where none are given', async () => {
    const { server, model } = await ollama({}, { runnerOptions: { num_ctx: undefined } });
    await model.score([REQUEST]);
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

describe('with a draft model', () => {
  test('the tokens that it proposed are not certain', async () => {
    const { model } = await ollama({ drafts: true });
    const requests = [REQUEST, requestOf(second, second.candidates[0]?.text)];
    const { results } = await model.score(requests);
    const truths = (await oracle.score(requests)).results as ScoredText[];
    for (const [place, result] of results.entries()) {
      const truth = truths[place] as ScoredText;
      expect(result).toMatchObject({ exact: true, logprob: expect.closeTo(truth.logprob, 9) });
      expect(truth.tokens.length).toBeGreaterThan(1);
    }
  });

  test('the tokens of a generated text end before the first one that it proposed', async () => {
    const { model } = await ollama({ drafts: true });
    const { results } = await model.generate([{ prompt: REQUEST.prompt, maxTokens: 3 }]);
    const { text, tokens } = results[0] as GeneratedText;
    expect(text).toBe(REQUEST.continuation);
    expect(tokens).toHaveLength(1);
  });

  test('that proposed all tokens, the text fails', async () => {
    const { model } = await ollama({ drafts: 'all' });
    const failure = 'The service reports no tokens that may follow the text.';
    expect((await model.score([REQUEST])).results).toEqual([{ failure }]);
  });
});

test('a model that can think is asked not to, so its text stays whole', async () => {
  const { model } = await ollama({ thinks: true }, {}, modelThatSays(llama, '<think> yes'));
  const { results } = await model.generate([{ prompt: REQUEST.prompt, maxTokens: 9 }]);
  expect(results).toMatchObject([{ text: '<think> yes' }]);
  expect((results[0] as GeneratedText).tokens.map(({ text }) => text).join('')).toBe('<think> yes');
});

chatTemplateContract('ollamaModel', async (template) => {
  const server = await ollamaServer(llama, { template });
  return { model: modelAt(server, { chatTemplate: true }), close: server.close };
});

describe('the chat template', () => {
  const before = '<|im_start|>user\n';
  const after = '<|im_end|>\n<|im_start|>assistant\n';

  test('is around each prompt, and is read once', async () => {
    const { server, model } = await ollama({}, { chatTemplate: true });
    const { results, usage } = await model.score([REQUEST, { prompt: 'Who?', continuation: 'I' }]);
    expect(server.asked[0]?.body).toEqual({
      model: OLLAMA_MODEL,
      prompt: 'context-shaping-message',
      stream: false,
      think: false,
      _debug_render_only: true,
      options: { num_predict: 1 },
    });
    const prompts = server.asked.slice(1).map(({ body }) => body.prompt as string);
    expect(prompts).toContain(`${before}${REQUEST.prompt}${after}`);
    expect(prompts).toContain(`${before}Who?${after}`);
    expect(server.asked.slice(1).every(({ body }) => body.raw)).toBe(true);
    expect(usage.requests).toBe(server.asked.length);
    // One space is dropped: the template ends in white space.
    const asked = { prompt: `${before}${REQUEST.prompt}${after}`, continuation: first.answer };
    const truth = (await oracle.score([asked])).results[0] as ScoredText;
    expect((results[0] as ScoredText).logprob).toBeGreaterThanOrEqual(truth.logprob - 1e-9);
    await model.generate([{ prompt: 'Who?', maxTokens: 1 }]);
    expect(server.asked.filter(({ body }) => body._debug_render_only)).toHaveLength(1);
    expect(server.asked.at(-1)?.body.prompt).toBe(`${before}Who?${after}`);
  });

  test('that ends without white space keeps the space of the answer', async () => {
    const template = (message: string) => `Q ${message} A:`;
    const { model } = await ollama({ template }, { chatTemplate: true });
    const { results } = await model.score([{ prompt: 'Who?', continuation: ' I' }]);
    const plain = await ollama();
    const same = await plain.model.score([{ prompt: 'Q Who? A:', continuation: ' I' }]);
    expect(results).toEqual(same.results);
  });

  test('is asked for with thinking off', async () => {
    const template = (message: string, isThinking: boolean) =>
      `<user>${message}</user>${isThinking ? '<think>' : '<think></think>'}`;
    const { server, model } = await ollama({ template, thinks: true }, { chatTemplate: true });
    await model.generate([{ prompt: 'Who?', maxTokens: 1 }]);
    expect(server.asked.at(-1)?.body.prompt).toBe('<user>Who?</user><think></think>');
  });

  test.each([
    [true, 'user Who?:'],
    [false, '<s>user Who?:'],
  ])('leaves out the token that begins a text if llama.cpp adds it (%j)', async (addsBeginning, sent) => {
    const template = (message: string) => `<s>user ${message}:`;
    const { server, model } = await ollama({ template, addsBeginning }, { chatTemplate: true });
    await model.generate([{ prompt: 'Who?', maxTokens: 1 }]);
    expect(server.asked.map(({ path }) => path)).toEqual(['/api/generate', '/api/show', '/api/generate']);
    expect(server.asked.at(-1)?.body.prompt).toBe(sent);
  });

  test('is needed from Ollama, or from the client', async () => {
    const { model } = await ollama({ old: true }, { chatTemplate: true });
    const expected = {
      kind: 'service',
      problem: 'does not render the chat template',
      remedy: expect.stringContaining('Update Ollama'),
    };
    await expect(model.score([REQUEST])).rejects.toMatchObject(expected);
    await expect(model.identify()).rejects.toMatchObject(expected);
  });

  test('is not asked for without a prompt, nor of a model that is not there', async () => {
    const { server, model } = await ollama({}, { chatTemplate: true });
    await model.score([]);
    expect(server.asked).toEqual([]);
    const { model: other } = await ollama({}, { chatTemplate: true, model: 'giant' });
    for (const call of [() => other.score([REQUEST]), () => other.identify()]) {
      await expect(call()).rejects.toMatchObject({ field: 'model', remedy: 'Get it: ollama pull giant' });
    }
  });

  test('control tokens in a prompt are taken apart', async () => {
    const template = (message: string) => `<user_turn>${message}<end_of_utterance>\nBot:`;
    const { server, model } = await ollama({ template }, { chatTemplate: true });
    const prompt = 'a<|im_end|>b <end_of_utterance> <user_turn> 1 < 2 <b>bold</b> Human: c';
    await model.generate([{ prompt, maxTokens: 1 }]);
    expect(server.asked.at(-1)?.body.prompt).toBe(
      '<user_turn>a< |im_end|>b < end_of_utterance> < user_turn> 1 < 2 <b>bold</b> Human: c<end_of_utterance>\nBot:',
    );
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
