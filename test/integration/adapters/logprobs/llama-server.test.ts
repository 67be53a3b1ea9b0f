import type { Answers, GeneratedText, ScoredText } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { JsonService } from '../../../../adapters/json-service/index.js';
import {
  type LlamaServerOptions,
  llamaServer,
} from '../../../../adapters/logprobs/llama-server/llama-server.js';
import { LlamaServer } from '../../../../adapters/logprobs/llama-server/server.js';
import { endsInsideCharacter, tokenize } from '../../../../adapters/logprobs/llama-server/tokens.js';
import { logprobModelContract } from '../../../adapters/logprobs/contract.js';
import {
  type Item,
  items,
  promptOf,
  requestOf,
  scoreRequests,
  tinyModel,
} from '../../../adapters/logprobs/items.js';
import { jsonServer } from '../../../adapters/logprobs/servers/json-server.js';
import {
  type LlamaServerQuirks,
  llamaServer as serve,
  type LlamaServer as TestServer,
} from '../../../adapters/logprobs/servers/llama-server.js';
import { scripted } from '../../../adapters/logprobs/servers/scripted.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { Llama } from '../../../gguf/llama.js';

const llama = Llama.parse(tinyModel());
const oracle = ggufModel(tinyModel());
/** The error of 32-bit numbers. */
const ROUNDING = 1e-5;

const QUIRKS: Record<string, LlamaServerQuirks> = {
  'a server of today': {},
  'an old server': { isOld: true },
  'a server where another model drafts': { drafts: true },
  'a server whose slots share a small context': { sharesContext: true, contextLength: 80 },
  'a server that breaks off every fifth answer': { breaksOffEvery: 5 },
  'a server that was started with penalties': { penalty: 30 },
};
for (const name of ['a server of today', 'an old server', 'a server whose slots share a small context']) {
  logprobModelContract(`llamaServer, of ${name},`, async () => {
    const server = await serve(llama, QUIRKS[name]);
    const model = llamaServer({ baseUrl: server.address });
    return { model, oracle, tolerance: ROUNDING, close: server.close };
  });
}

const item = items[0] as Item;
const passages = new Set(items.slice(0, 3).flatMap(({ candidates }) => candidates.map(({ text }) => text)));
/** One prompt without a candidate, then one with each of sixteen. */
const SEVENTEEN = [undefined, ...[...passages].slice(0, 16)].map((passage) => requestOf(item, passage));

async function using<T>(
  { model = llama, ...quirks }: LlamaServerQuirks & { model?: Llama },
  use: (server: TestServer, options: LlamaServerOptions) => Promise<T>,
): Promise<T> {
  const server = await serve(model, quirks);
  try {
    return await use(server, { baseUrl: server.address });
  } finally {
    await server.close();
  }
}

function expectNear(actual: Answers<ScoredText>, expected: Answers<ScoredText>): void {
  const logprobs = ({ results }: Answers<ScoredText>) =>
    results.map((result) => ('failure' in result ? result.failure : result.logprob));
  expect(actual.results).toHaveLength(expected.results.length);
  for (const [place, logprob] of logprobs(actual).entries()) {
    expect(logprob).toBeCloseTo(logprobs(expected)[place] as number, 4);
  }
}

/** The log-probability of tokens after others. */
function logprobOf(model: Llama, prompt: readonly number[], ids: readonly number[]): number {
  return ids.reduce(
    (sum, id, at) => sum + (model.logprobs([...prompt, ...ids.slice(0, at)])[id] as number),
    0,
  );
}

describe('the requests', () => {
  test('one completion for sixteen candidates and none, and two requests for all tokens', () =>
    using({}, async (server, options) => {
      const { results, usage } = await llamaServer(options).score(SEVENTEEN);
      expect(results).toHaveLength(17);
      expect([server.count('/completion'), server.count('/tokenize')]).toEqual([1, 2]);
      expect(usage.requests).toBe(3);
      expect(server.asked).toHaveLength(3);
      const [body] = server.bodies('/completion');
      expect(body.prompt).toHaveLength(17);
      expect(body).toMatchObject({ n_probs: 1, temperature: 0, cache_prompt: true, n_cache_reuse: 0 });
    }));

  test('the tokens of all prompts and continuations, and how many were known', () =>
    using({}, async (_, options) => {
      const model = llamaServer(options);
      const { usage } = await model.score(SEVENTEEN);
      expect(usage.tokens).toBe((await oracle.score(SEVENTEEN)).usage.tokens);
      expect(usage.cachedTokens).toBeGreaterThan(0);
      expect(usage.cachedTokens).toBeLessThan(usage.tokens as number);
      const { prompt } = SEVENTEEN[0] as { prompt: string };
      const generated = await model.generate([{ prompt, maxTokens: 3 }]);
      const expected = await oracle.generate([{ prompt, maxTokens: 3 }]);
      expect(generated.usage.tokens).toBe(expected.usage.tokens);
    }));

  test('a text that several requests have is tokenised once', () =>
    using({}, async (server, options) => {
      const [first] = SEVENTEEN as [(typeof SEVENTEEN)[0]];
      const other = { ...first, continuation: ' Paris' };
      await llamaServer(options).score([first, other, first]);
      const [{ content }] = server.bodies('/tokenize');
      // The first two texts are a letter, with and without the token that begins every text.
      const texts = content.filter((part: unknown) => typeof part === 'string').slice(2);
      expect(texts).toEqual([...new Set(texts)]);
      expect(texts).toHaveLength(3);
    }));

  test('a generated token for each of seventeen prompts takes one completion and one tokenisation', () =>
    using({}, async (server, options) => {
      const prompts = SEVENTEEN.map(({ prompt }) => ({ prompt, maxTokens: 1 }));
      const { results, usage } = await llamaServer(options).generate(prompts, { topLogprobs: 20 });
      expect(results.every((result) => 'tokens' in result && result.tokens[0]?.top?.length === 20)).toBe(
        true,
      );
      expect([server.count('/completion'), server.count('/tokenize'), usage.requests]).toEqual([1, 1, 2]);
    }));

  test('texts of more than a million characters in several requests, at the same time', () =>
    using({}, async (server, options) => {
      const long = 'They told. '.repeat(50_000);
      const prompts = ['a', 'b'].map((end) => ({ prompt: long + end, maxTokens: 1 }));
      const { results } = await llamaServer(options).generate([...prompts, { prompt: 'They', maxTokens: 1 }]);
      expect(results.map((result) => 'failure' in result)).toEqual([true, true, false]);
      const lists = server.bodies('/tokenize').map(({ content }) => content.length);
      expect(lists.sort()).toEqual([3, 5]);
    }));

  test('together texts have the tokens that each has alone', () =>
    using({}, async (_, { baseUrl }) => {
      const texts = scoreRequests(items.slice(0, 6)).flatMap(({ prompt, continuation }) => [
        prompt,
        prompt + continuation,
      ]);
      const server = new LlamaServer(
        new JsonService({ baseUrl, headers: {}, timeoutMs: 60_000, maxRetries: 0 }),
      );
      const settings = { parseSpecial: false, maxConcurrency: 4 };
      const { begin, lists } = await tokenize(server, [...texts, '', ' ', 'Zürich 🙂'], settings, undefined);
      for (const [content, ids] of lists) {
        const alone = { content, add_special: true, parse_special: false };
        expect(await server.post('tokenize', alone, undefined)).toEqual({ tokens: [...begin, ...ids] });
      }
    }));

  test('one completion for each text to come', () =>
    using({}, async (server, options) => {
      const prompts = SEVENTEEN.slice(0, 3).map(({ prompt }) => prompt);
      const requests = prompts.flatMap((prompt) =>
        [' Paris', ' Paris City'].map((continuation) => ({ prompt, continuation })),
      );
      const answers = await llamaServer(options).score(requests);
      expect(server.bodies('/completion').map(({ prompt }) => prompt.length)).toEqual([3, 3]);
      expectNear(answers, await oracle.score(requests));
    }));

  test('no more requests at once than it may', () =>
    using({}, async (server, options) => {
      let active = 0;
      let most = 0;
      let pairIsThere = () => {};
      const pair = new Promise<void>((resolve) => {
        pairIsThere = resolve;
      });
      const between = await jsonServer(async ({ method, path, body }) => {
        most = Math.max(most, ++active);
        if (active === 2) pairIsThere();
        if (path === '/completion') await pair;
        const answer = await fetch(`${server.address}${path}`, { method, body: JSON.stringify(body) });
        const reply = { status: answer.status, json: await answer.json() };
        active--;
        return reply;
      });
      await llamaServer({ ...options, baseUrl: between.address, maxConcurrency: 2 }).score(
        [' Paris', ' Berlin', ' Rome', ' Oslo'].map((continuation) => ({
          prompt: 'They told',
          continuation,
        })),
      );
      await between.close();
      expect(most).toBe(2);
    }));

  test('no more prompts in one request than it may, one request after the other', () =>
    using({}, async (server, options) => {
      const answers = await llamaServer({ ...options, batchSize: 7 }).score(SEVENTEEN);
      expect(server.bodies('/completion').map(({ prompt }) => prompt.length)).toEqual([7, 7, 3]);
      expectNear(answers, await oracle.score(SEVENTEEN));
      const many = [...SEVENTEEN, ...SEVENTEEN];
      await llamaServer(options).score(many);
      const asked = server.bodies('/completion').slice(3);
      expect(asked.map(({ prompt }) => prompt.length)).toEqual([32, 2]);
    }));

  test.each([0, 1.5])('a batch of %d is none', (batchSize) => {
    const make = () => llamaServer({ baseUrl: 'http://127.0.0.1:9', batchSize });
    expect(make).toThrow(expect.objectContaining({ kind: 'invalid-options', field: 'batchSize' }));
  });

  test('the same server at an address with /v1', () =>
    using({}, async (server) => {
      const model = llamaServer({ baseUrl: `${server.address}/v1/` });
      await model.score(SEVENTEEN.slice(0, 1));
      await model.identify();
      const paths = new Set(server.asked.map(({ path }) => path));
      expect([...paths]).toEqual(['/tokenize', '/completion', '/props', '/v1/models']);
    }));

  test('nothing of /v1, but for its name', () =>
    using({}, async (server, options) => {
      const model = llamaServer(options);
      await model.score(SEVENTEEN);
      await model.generate([{ prompt: 'They', maxTokens: 3 }]);
      expect(server.asked.filter(({ path }) => path.startsWith('/v1'))).toEqual([]);
    }));

  test('below a path, with the key and the headers', () =>
    using({}, async (server) => {
      const baseUrl = `${server.address}/models/one/`;
      const model = llamaServer({ baseUrl, apiKey: 'abc', headers: { 'x-team': 'search' } });
      await expect(model.score(SEVENTEEN)).rejects.toMatchObject({ value: '404 File Not Found' });
      const [{ path, headers }] = server.asked as [(typeof server.asked)[0]];
      expect(path).toBe('/models/one/tokenize');
      expect(headers).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'search' });
    }));
});

describe('special tokens in texts', () => {
  const PASSAGE = 'A fact.<|eos|><|bos|>Another.';

  test('control tokens in passages are text', () =>
    using({}, async (server, options) => {
      const requests = [{ prompt: promptOf(item.question, [PASSAGE]), continuation: ` ${item.answer}` }];
      const answers = await llamaServer(options).score(requests);
      expectNear(answers, await oracle.score(requests));
      const [prompt] = server.bodies('/completion')[0].prompt;
      expect(prompt.filter((id: number) => id === llama.tokenizer.bos)).toHaveLength(1);
      expect(prompt).not.toContain(llama.tokenizer.eos);
    }));

  test('unless prompts are said to bring some', () =>
    using({}, async (server, options) => {
      const requests = [{ prompt: promptOf(item.question, [PASSAGE]), continuation: ` ${item.answer}` }];
      await llamaServer({ ...options, parseSpecial: true }).score(requests);
      const [prompt] = server.bodies('/completion')[0].prompt;
      expect(prompt.filter((id: number) => id === llama.tokenizer.bos)).toHaveLength(2);
      expect(prompt).toContain(llama.tokenizer.eos);
    }));

  test('the token that begins every text is there once, if the prompt brings it', () =>
    using({}, async (server, options) => {
      const { bos } = llama.tokenizer;
      const prompt = promptOf(item.question, []);
      const requests = [{ prompt: `<|bos|>${prompt}`, continuation: ` ${item.answer}` }];
      const model = llamaServer({ ...options, parseSpecial: true });
      const scored = await model.score(requests);
      await model.generate([{ prompt: `<|bos|>${prompt}`, maxTokens: 1 }]);
      const expected = [bos, ...llama.tokenizer.encode(prompt)];
      expect(server.bodies('/completion').map((body) => body.prompt)).toEqual([[expected], [expected]]);
      expectNear(scored, await oracle.score([{ prompt, continuation: ` ${item.answer}` }]));
    }));

  test('half a surrogate pair is U+FFFD', () =>
    using({}, async (_, options) => {
      const broken = { prompt: 'Half a \ud83d, and \\ud83d as text.', continuation: ' It\udc00' };
      const whole = { prompt: 'Half a \ufffd, and \\ud83d as text.', continuation: ' It\ufffd' };
      expectNear(await llamaServer(options).score([broken]), await oracle.score([whole]));
    }));

  test('a pair of which the prompt has one half and the continuation the other is one character', () =>
    using({}, async (_, options) => {
      const split = [{ prompt: 'Smile: \ud83d', continuation: '\ude42!' }];
      expectNear(await llamaServer(options).score(split), await oracle.score(split));
    }));

  test('what prompt and continuation have together is split where their tokens differ', () =>
    using({}, async (_, options) => {
      // “ Par” and “is” form one token, which the prompt alone does not have.
      const joined = [{ prompt: 'The capital of France is Par', continuation: 'is' }];
      const answers = await llamaServer(options).score(joined);
      expect(answers.results).toMatchObject([{ tokens: [{ text: ' Paris' }], exact: true }]);
      expectNear(answers, await oracle.score(joined));
    }));

  test('a prompt without any token cannot be continued', async () => {
    const server = await jsonServer(({ body: { content, with_pieces } }) => ({
      json: {
        tokens: with_pieces
          ? [{ id: 7, piece: 'a' }]
          : content.flatMap((part: string | number) =>
              typeof part === 'number' ? part : part === '' ? [] : 7,
            ),
      },
    }));
    const model = llamaServer({ baseUrl: server.address });
    const scored = await model.score([{ prompt: '', continuation: 'a' }]);
    expect(scored.results).toEqual([
      { failure: 'The model gives no probability for the first token of a text.' },
    ]);
    const generated = await model.generate([{ prompt: '', maxTokens: 2 }]);
    expect(generated.results).toEqual([
      { failure: 'The prompt is empty, and the model has no token that begins a text.' },
    ]);
    await server.close();
  });
});

test.each([
  ['', false],
  ['61', false],
  ['61 c3', true],
  ['c3 bc', false],
  ['e2 82', true],
  ['61 e2 82 ac', false],
  ['f0 9f 99', true],
  ['f0 9f', true],
  ['f0', true],
  ['f0 9f 99 82', false],
  // A token that only ends a character is reported by itself.
  ['bc', false],
  ['82 ac', false],
])('bytes %s end inside a character: %s', (bytes, inside) => {
  expect(endsInsideCharacter(Buffer.from(bytes.replaceAll(' ', ''), 'hex'))).toBe(inside);
});

describe('characters of several tokens', () => {
  const request = { prompt: SEVENTEEN[1]?.prompt as string, continuation: ' Zürich 🙂!' };

  test('one completion for each token, and none with a grammar', () =>
    using({}, async (server, options) => {
      const other = { ...request, prompt: 'They told' };
      const answers = await llamaServer(options).score([request, other], { topLogprobs: 2 });
      expectNear(answers, await oracle.score([request, other]));
      const [first] = answers.results as ScoredText[];
      expect(first?.exact).toBe(true);
      expect(first?.tokens.map(({ text }) => text).join('')).toBe(request.continuation);
      expect(first?.tokens.every(({ top }) => top?.length === 2)).toBe(true);
      const bodies = server.bodies('/completion');
      expect(bodies).toHaveLength((first as ScoredText).tokens.length);
      expect(bodies.every(({ grammar, prompt }) => grammar === undefined && prompt.length === 2)).toBe(true);
    }));

  test('a token that is not among those that are listed ends it with an upper bound', async () => {
    const full = (await oracle.score([request])).results[0] as ScoredText;
    await using({ listsAtMost: 20 }, async (server, options) => {
      const { results } = await llamaServer(options).score([request, SEVENTEEN[0] as typeof request]);
      const [result, other] = results as ScoredText[];
      expect(result?.exact).toBe(false);
      // For “ Zü” the server reports only the tokens before the first half of “ü”.
      expect(result?.tokens.map(({ text }) => text)).toEqual([' ', 'Z']);
      expect(result?.logprob).toBeGreaterThanOrEqual(full.logprob);
      const sum = (result as ScoredText).tokens.reduce((total, { logprob }) => total + logprob, 0);
      expect(result?.logprob).toBeLessThan(sum);
      const before = llama.tokenizer.encode(`${request.prompt} Z`);
      const best = [...llama.logprobs([llama.tokenizer.bos, ...before])].toSorted((a, b) => b - a);
      expect((result?.logprob as number) - sum).toBeCloseTo(best[19] as number, 4);
      expect(other?.exact).toBe(true);
      // After that only the other prompt continues.
      expect(server.count('/completion')).toBe(4);
    });
  });
});

test('a probability that is too small for the numbers of the server is a bound', () =>
  using({ model: scripted(llama, 'Yes', Math.exp(-200)) }, async (_, options) => {
    const requests = [' No', 'Yes', 'Ye!'].map((continuation) => ({ prompt: 'Say:', continuation }));
    const { results } = await llamaServer(options).score(requests);
    const [no, yes, half] = results as [ScoredText, ScoredText, ScoredText];
    expect(yes.exact).toBe(true);
    expect(yes.logprob).toBeCloseTo(0, 5);
    // 2^-126 is the smallest 32-bit number that is not flushed to zero.
    expect(half).toMatchObject({ exact: false, tokens: [{ text: 'Y' }, { text: 'e' }, { text: '!' }] });
    expect(half.logprob).toBeCloseTo(-126 * Math.LN2, 3);
    expect(no.exact).toBe(false);
    expect(no.logprob).toBeGreaterThan(-200 * no.tokens.length);
  }));

describe('the identity of the server', () => {
  test('an old one is asked with a grammar once', () =>
    using({ isOld: true }, async (server, options) => {
      const model = llamaServer(options);
      for (let time = 0; time < 2; time++)
        expectNear(await model.score(SEVENTEEN), await oracle.score(SEVENTEEN));
      const grammars = server.bodies('/completion').map(({ grammar }) => grammar !== undefined);
      expect(grammars).toEqual([true, false, false, false, false]);
    }));

  test('one where another model drafts is asked with a grammar until it does not tell', () =>
    using({ drafts: true }, async (server, options) => {
      const model = llamaServer(options);
      for (let time = 0; time < 2; time++)
        expectNear(await model.score(SEVENTEEN), await oracle.score(SEVENTEEN));
      const grammars = server.bodies('/completion').map(({ grammar }) => grammar !== undefined);
      expect(grammars).toEqual([true, false, false, false, false]);
    }));

  test('slots that share a small context get as many prompts as they have room for', () =>
    using({ sharesContext: true, contextLength: 80 }, async (server, options) => {
      const model = llamaServer(options);
      const calls = await Promise.all([
        model.score(SEVENTEEN),
        model.score(SEVENTEEN),
        model.score(SEVENTEEN),
      ]);
      const expected = await oracle.score(SEVENTEEN);
      for (const call of calls) expectNear(call, expected);
      const asked = server.count('/completion');
      expectNear(await model.score(SEVENTEEN), expected);
      const packs: number[][][] = server
        .bodies('/completion')
        .slice(asked)
        .map(({ prompt }) => prompt);
      expect(packs.flat()).toHaveLength(17);
      expect(Math.max(...packs.map((pack) => pack.length))).toBeGreaterThan(1);
      for (const pack of packs) {
        const tokens = pack.reduce((sum, { length }) => sum + length + 2, 0);
        expect(tokens).toBeLessThanOrEqual(80);
      }
    }));
});

describe('where the context is too small', () => {
  const fitting = SEVENTEEN.slice(1, 3);
  const long = { prompt: `${SEVENTEEN[0]?.prompt.repeat(5)}`, continuation: ` ${item.answer}` };

  test('a prompt that is too long fails, the others do not', () =>
    using({ contextLength: 60 }, async (server, options) => {
      const { length } = llama.tokenizer.encode(long.prompt);
      const answers = await llamaServer(options).score([fitting[0], long, fitting[1]] as typeof fitting);
      expect(answers.results[1]).toEqual({
        failure: `The text has ${length + 1} tokens, and a slot of the server holds 59: start the server with a larger context (-c) or fewer slots (-np).`,
      });
      const [first, , last] = answers.results as ScoredText[];
      expectNear({ ...answers, results: [first, last] as ScoredText[] }, await oracle.score(fitting));
      expect(server.bodies('/completion').map(({ prompt }) => prompt.length)).toEqual([3, 2]);
    }));

  test('so does a prompt that leaves no room for the continuation', () =>
    using({ contextLength: 30 }, async (_, options) => {
      const [request] = SEVENTEEN as [typeof long];
      const { length } = llama.tokenizer.encode(request.prompt);
      const continuation = ' Paris'.repeat(30);
      const { results } = await llamaServer(options).score([request, { ...request, continuation }]);
      expect(results[0]).toMatchObject({ exact: true });
      const failure = expect.stringContaining(
        `has ${length + 31} tokens, and a slot of the server holds fewer`,
      );
      expect(results[1]).toEqual({ failure });
      const generated = await llamaServer(options).generate([
        { prompt: 'They', maxTokens: 2 },
        { prompt: long.prompt, maxTokens: 2 },
        { prompt: 'Zür', maxTokens: 2 },
        { prompt: ' told'.repeat(27), maxTokens: 20 },
      ]);
      expect(generated.results).toMatchObject([
        { tokens: [{}, {}] },
        { failure: expect.stringContaining('holds 29') },
        { tokens: [{}, {}] },
        { failure: expect.stringContaining('has 48 tokens') },
      ]);
    }));

  test('so do all that a fallback asks for', () =>
    using({ contextLength: 40, isOld: true }, async (_, options) => {
      const [request] = SEVENTEEN as [typeof long];
      const { results } = await llamaServer(options).score([
        { ...request, continuation: ' Paris'.repeat(40) },
        long,
      ]);
      expect(results.map((result) => 'failure' in result)).toEqual([true, true]);
    }));
});

describe('the generated text', () => {
  const PROMPTS = ['Zür', 'Context:\nThe', 'Question: What is', 'They told', 'Z\u00fcrich \u{1f642} Z'];
  const STOPS = [[], ['\n'], ['t:\nTh'], ['s', '\n\n'], [':', 'the of'], [' '], ['\n\nQ', 'estion: W'], ['']];
  const REQUESTS = PROMPTS.flatMap((prompt) => STOPS.map((stop) => ({ prompt, maxTokens: 12, stop })));

  test.each(Object.entries(QUIRKS))('is what the model goes on with, from %s', (_, quirks) =>
    using({ ...quirks, contextLength: 1024 }, async (_, options) => {
      const model = llamaServer({ ...options, maxRetries: 5 });
      const { results } = await model.generate(REQUESTS, { topLogprobs: 2 });
      const expected = (await oracle.generate(REQUESTS, { topLogprobs: 2 })).results;
      for (const [place, result] of results.entries()) {
        const [actual, truth] = [result, expected[place]] as (typeof result)[];
        if (actual === undefined || truth === undefined || 'failure' in actual || 'failure' in truth) {
          return expect.unreachable(JSON.stringify(result));
        }
        expect(actual.text).toBe(truth.text);
        expect(actual.tokens.map(({ id, text }) => [id, text])).toEqual(
          truth.tokens.map(({ id, text }) => [id, text]),
        );
        for (const [at, { logprob, top }] of actual.tokens.entries()) {
          expect(logprob).toBeCloseTo(truth.tokens[at]?.logprob as number, 4);
          expect(top?.map(({ id }) => id)).toEqual(truth.tokens[at]?.top?.map(({ id }) => id));
        }
      }
    }),
  );

  test('one completion for all with the same limits, and one for each missing answer', () =>
    using({}, async (server, options) => {
      const model = llamaServer(options);
      const requests = PROMPTS.map((prompt) => ({ prompt, maxTokens: 12 }));
      await model.generate(requests);
      expect(server.bodies('/completion')).toMatchObject([{ n_predict: 12, stop: [] }]);
      // The stop text has other tokens than those that were generated.
      await model.generate(requests.map((request) => ({ ...request, stop: ['t:\nTh'] })));
      expect(server.bodies('/completion').slice(1)).toMatchObject([
        { n_predict: 12, stop: ['t:\nTh'] },
        { n_predict: 1, logit_bias: [[llama.tokenizer.encode('a')[0], 1000]] },
      ]);
    }));

  test.each([{}, { drafts: true }])('characters of several tokens, from a server with %o', (quirks) =>
    using({ ...quirks, model: scripted(llama, 'Zürich 🙂!') }, async (_, options) => {
      const model = llamaServer(options);
      const ids = llama.tokenizer.encode('Zürich 🙂!');
      const generate = (maxTokens: number, stop: string[] = []) =>
        model
          .generate([{ prompt: 'Say: ', maxTokens, stop }])
          .then(({ results }) => results[0] as GeneratedText);
      const whole = await generate(50);
      expect(whole.text).toBe('Zürich 🙂!');
      expect(whole.tokens.map(({ id }) => id)).toEqual(ids);
      expect(whole.tokens.map(({ text }) => text).join('')).toBe('Zürich 🙂!');
      for (const { logprob } of whole.tokens) expect(logprob).toBeCloseTo(Math.log(0.9), 5);
      const cut = await generate(2);
      expect(cut.text).toBe('Z\ufffd');
      expect(cut.tokens).toMatchObject([
        { id: ids[0], text: 'Z' },
        { id: ids[1], text: '\ufffd' },
      ]);
      const stopped = await generate(50, [' 🙂']);
      expect(stopped.text).toBe('Zürich');
      expect(stopped.tokens.map(({ text }) => text).join('')).toBe('Zürich');
    }),
  );

  test('nothing for no tokens', () =>
    using({}, async (server, options) => {
      const { results } = await llamaServer(options).generate([{ prompt: 'They', maxTokens: 0 }]);
      expect(results).toEqual([{ text: '', tokens: [] }]);
      expect(server.count('/completion')).toBe(0);
    }));
});

describe('its name', () => {
  const nameWith = (quirks: LlamaServerQuirks) =>
    using(quirks, (_, options) => llamaServer(options).identify());

  test('is of the file and its measures', async () => {
    expect(await nameWith({})).toBe('llama-server:ecs-tiny-f16.gguf:689408:1381120:769:F16');
    const props = { model_path: 'C:\\models\\other.gguf' };
    expect(await nameWith({ props })).toBe('llama-server:other.gguf:689408:1381120:769:F16');
  });

  test('has separate identities for different measures', async () => {
    const names = [{}, { n_params: 1 }, { size: 2 }, { n_vocab: 3 }, { ftype: 'Q4_0' }].map((meta) =>
      nameWith({ meta }),
    );
    expect(new Set(await Promise.all(names)).size).toBe(5);
  });

  test('says ? for a missing value', async () => {
    const props = { model_path: undefined };
    const meta = { n_params: undefined, size: undefined, n_vocab: undefined, ftype: undefined };
    expect(await nameWith({ props, meta })).toBe('llama-server:tiny:?:?:?:F16');
  });

  test('does not change while the server runs', () =>
    using({}, async (_, options) => {
      const model = llamaServer(options);
      const before = await model.identify();
      await model.score(SEVENTEEN);
      expect(await model.identify()).toBe(before);
      expect(await llamaServer(options).identify()).toBe(before);
    }));
});

describe('a chat template', () => {
  const [BOS, EOS] = [llama.tokenizer.bos, llama.tokenizer.eos];
  const encode = (text: string) => llama.tokenizer.encode(text);
  const PROMPT = promptOf(item.question, ['A fact.<|eos|><|bos|>Another.']);
  const ANSWER = ` ${item.answer}`;

  test.each<[name: string, template: (text: string) => string, ids: number[], answer: string]>([
    [
      'with control tokens on both sides',
      (text) => `<|bos|>user\n${text}<|eos|>\n<|bos|>assistant:`,
      [BOS, ...encode(`user\n${PROMPT}`), EOS, ...encode('\n'), BOS, ...encode('assistant:')],
      ANSWER,
    ],
    [
      'that ends in white space',
      (text) => `<|bos|>user\n${text}<|eos|>\n<|bos|>assistant\n`,
      [BOS, ...encode(`user\n${PROMPT}`), EOS, ...encode('\n'), BOS, ...encode('assistant\n')],
      item.answer,
    ],
    [
      'that does not bring the token that begins every text',
      (text) => `user\n${text}<|eos|>`,
      [BOS, ...encode(`user\n${PROMPT}`), EOS],
      ANSWER,
    ],
    [
      'without control tokens',
      (text) => `User: ${text}\nAI:`,
      [BOS, ...encode(`User: ${PROMPT}\nAI:`)],
      ANSWER,
    ],
    ['that is only the message', (text) => text, [BOS, ...encode(PROMPT)], ANSWER],
    [
      'with a control token before the message alone',
      (text) => `<|bos|><|eos|>${text} [end]`,
      [BOS, EOS, ...encode(`${PROMPT} [end]`)],
      ANSWER,
    ],
  ])('%s is around the prompt, and no control token comes from the prompt', (_, template, ids, answer) =>
    using({ template }, async (server, options) => {
      const model = llamaServer({ ...options, chatTemplate: true });
      const { results } = await model.score([{ prompt: PROMPT, continuation: ANSWER }]);
      await model.generate([{ prompt: PROMPT, maxTokens: 1 }]);
      const sent = server.bodies('/completion').map(({ prompt }) => prompt);
      expect(sent).toEqual([[ids], [ids]]);
      const [scored] = results as [ScoredText];
      expect(scored.tokens.map(({ text }) => text).join('')).toBe(answer);
      const bare = ids.slice(1);
      expect(scored.logprob).toBeCloseTo(logprobOf(llama, [BOS, ...bare], encode(answer)), 4);
    }),
  );

  test.each<[template: (text: string) => string, ids: number[]]>([
    [
      (text) => `<|bos|>user\n${text}<|eos|>\n<|bos|>AI:`,
      [BOS, ...encode(` user\n${PROMPT}`), EOS, ...encode(' \n'), BOS, ...encode(' AI:')],
    ],
    [(text) => `<|bos|>[INST] ${text} [/INST]`, [BOS, ...encode(` [INST] ${PROMPT} [/INST]`)]],
    [(text) => `<|bos|>${text}<|eos|>`, [BOS, ...encode(` ${PROMPT}`), EOS]],
  ])('%s, of a model that puts a space before texts, has the tokens of the rendered text', (template, ids) =>
    using({ template, prefixesSpace: true }, async (server, options) => {
      const model = llamaServer({ ...options, chatTemplate: true });
      await model.generate([{ prompt: PROMPT, maxTokens: 1 }]);
      expect(server.bodies('/completion').map(({ prompt }) => prompt)).toEqual([[ids]]);
    }),
  );

  test('is applied by the server, with thinking off, and read once', () =>
    using({}, async (server, options) => {
      const model = llamaServer({ ...options, chatTemplate: true });
      const first = await model.score(SEVENTEEN);
      const second = await model.score(SEVENTEEN);
      expect([first.usage.requests, second.usage.requests]).toEqual([7, 3]);
      expect(server.bodies('/apply-template')).toEqual([
        {
          messages: [{ role: 'user', content: 'context-shaping-message' }],
          chat_template_kwargs: { enable_thinking: false },
        },
      ]);
      expectNear(second, first);
    }));

  test('is a part of the name', () =>
    using({}, async (_, options) => {
      const plain = await llamaServer(options).identify();
      const model = llamaServer({ ...options, chatTemplate: true });
      const name = await model.identify();
      expect(name).toMatch(new RegExp(`^${plain}:chat-[0-9a-f]{12}$`));
      expect(await model.identify()).toBe(name);
      const other = await using({ template: (text) => `<|bos|>${text}` }, (_, { baseUrl }) =>
        llamaServer({ baseUrl, chatTemplate: true }).identify(),
      );
      expect(other).not.toBe(name);
    }));

  test('that changes is read again for the name, and holds from then on', async () => {
    let end = ':';
    await using({ template: (text) => `${text}${end}` }, async (server, options) => {
      const model = llamaServer({ ...options, chatTemplate: true });
      const before = await model.identify();
      end = '!';
      expect(await model.identify()).not.toBe(before);
      await model.generate([{ prompt: 'Who', maxTokens: 1 }]);
      expect(server.bodies('/completion')).toMatchObject([{ prompt: [[BOS, ...encode('Who!')]] }]);
    });
  });

  test.each([
    ['drops the message', () => '<|bos|>'],
    ['repeats the message', (text: string) => text + text],
  ])('that %s is refused', (_, template) =>
    using({ template }, async (_, options) => {
      const model = llamaServer({ ...options, chatTemplate: true, maxRetries: 0 });
      await expect(model.score(SEVENTEEN)).rejects.toMatchObject({
        kind: 'service',
        problem: 'applies a template that does not repeat the message once',
        remedy:
          'Start the server with another chat template (--chat-template), or do without `chatTemplate`.',
      });
    }),
  );

  test('cannot be given with parseSpecial', () => {
    const make = () => llamaServer({ baseUrl: 'http://127.0.0.1:9', chatTemplate: true, parseSpecial: true });
    expect(make).toThrow(expect.objectContaining({ kind: 'invalid-options', field: 'parseSpecial' }));
  });
});

test('a server with several models is refused', () =>
  using({ isRouter: true }, async (_, options) => {
    const model = llamaServer(options);
    const remedy = 'Start llama-server with one model (-m), and give its address.';
    await expect(model.identify()).rejects.toMatchObject({ problem: 'has several models', remedy });
    await expect(model.score(SEVENTEEN)).rejects.toMatchObject({
      kind: 'service',
      value: expect.stringContaining('model name is missing'),
    });
  }));
