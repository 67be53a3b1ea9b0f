/** Tests with an imitation of llama-server that has the numbers of a real model and with altered answers. */
import {
  type Answers,
  ContextShapingError,
  type LogprobModel,
  type ScoredText,
  type TokenProbability,
} from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { type LlamaServerOptions, llamaServer } from '../../../../adapters/logprobs/llama-server.js';
import { chatTemplateContract, logprobModelContract } from '../../../adapters/logprobs/contract.js';
import { type Item, items, promptOf, requestOf, tinyModel } from '../../../adapters/logprobs/items.js';
import { faultsOfHttp } from '../../../adapters/logprobs/servers/faults.js';
import { jsonServer, type Reply } from '../../../adapters/logprobs/servers/json-server.js';
import {
  failure,
  type LlamaServerQuirks,
  llamaServer as serve,
  type LlamaServer as TestServer,
  tokenise,
} from '../../../adapters/logprobs/servers/llama-server.js';
import { goOn } from '../../../adapters/logprobs/servers/llama-slot.js';
import { scripted } from '../../../adapters/logprobs/servers/scripted.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { Llama } from '../../../gguf/llama.js';

const llama = Llama.parse(tinyModel());
const oracle = ggufModel(tinyModel());
/** The error of 32-bit numbers. */
const ROUNDING = 1e-5;

const QUIRKS: Record<string, LlamaServerQuirks> = {
  'a server of today': {},
  'a server with one slot': { props: { total_slots: 1 } },
  'a server that breaks off every fifth answer': { breaksOffEvery: 5 },
  'a server that was started with penalties': { penalty: 30 },
};
for (const name of ['a server of today', 'a server with one slot']) {
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

describe('the requests', () => {
  test('one for each token of a text, one for all tokens, and one for the slots', () =>
    using({}, async (server, options) => {
      const model = llamaServer(options);
      const { results, usage } = await model.score(SEVENTEEN);
      expectNear({ results, usage }, await oracle.score(SEVENTEEN));
      const { length } = (results[0] as ScoredText).tokens;
      expect([server.count('/completion'), server.count('/tokenize')]).toEqual([17 * length, 1]);
      expect(usage.requests).toBe(server.asked.length);
      const [body] = server.bodies('/completion');
      expect(body).toMatchObject({
        n_predict: 1,
        n_probs: 1,
        logit_bias: [[(results[0] as ScoredText).tokens[0]?.id, 1000]],
        temperature: 0,
        cache_prompt: true,
        n_cache_reuse: 0,
      });
      // With a slot in the request, a real server forgets the computed prompt.
      expect(body).not.toHaveProperty('id_slot');
      await model.score(SEVENTEEN);
      expect(server.count('/props')).toBe(1);
    }));

  test.each([1, 4])(
    'with %d slots, a slot computes one token after the first request of a prompt',
    (total_slots) =>
      using({ props: { total_slots } }, async (_, options) => {
        const two = [' Paris City', ' Berlin'].flatMap((continuation) =>
          SEVENTEEN.map(({ prompt }) => ({ prompt, continuation })),
        );
        const { results, usage } = await llamaServer({ ...options, maxConcurrency: 8 }).score(two);
        expectNear({ results, usage }, await oracle.score(two));
        const lengths = SEVENTEEN.map(({ prompt }) => 1 + llama.tokenizer.encode(prompt).length);
        const further = results.reduce((sum, each) => sum + (each as ScoredText).tokens.length, 0) - 17;
        const computed = (usage.tokens as number) - (usage.cachedTokens as number);
        // The forced tokens count as generated, as everywhere.
        const most = lengths.reduce((sum, length) => sum + length, 0) + 2 * further + 17;
        expect(computed).toBeLessThan(most);
      }),
  );

  test('no more prompts at once than the server has slots, or than it may', () =>
    using({ props: { total_slots: 2 } }, async (server, options) => {
      for (const [maxConcurrency, expected] of [
        [8, 2],
        [1, 1],
      ] as const) {
        let active = 0;
        let most = 0;
        const between = await jsonServer(async ({ method, path, body }) => {
          if (path === '/completion') most = Math.max(most, ++active);
          const answer = await fetch(`${server.address}${path}`, {
            method,
            ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
          });
          const reply = { status: answer.status, json: await answer.json() };
          if (path === '/completion') active--;
          return reply;
        });
        await llamaServer({ ...options, baseUrl: between.address, maxConcurrency }).score(SEVENTEEN);
        await between.close();
        expect(most).toBe(expected);
      }
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

  test('the next tokens take one', () =>
    using({}, async (server, options) => {
      const prompts = SEVENTEEN.map(({ prompt }) => prompt);
      const { results, usage } = await llamaServer(options).nextTokens(prompts);
      expect(results.every((result) => 'length' in result && result.length === 20)).toBe(true);
      expect([server.count('/completion'), server.count('/tokenize'), usage.requests]).toEqual([17, 1, 19]);
      // The forced token counts.
      expect(usage.tokens).toBe(((await oracle.nextTokens(prompts)).usage.tokens as number) + 17);
      expect(usage.cachedTokens).toBeGreaterThan(0);
    }));

  test('the same server at an address with /v1', () =>
    using({}, async (server) => {
      const model = llamaServer({ baseUrl: `${server.address}/v1/` });
      await model.score(SEVENTEEN.slice(0, 1));
      await model.identify();
      const paths = new Set(server.asked.map(({ path }) => path));
      expect([...paths]).toEqual(['/tokenize', '/props', '/completion']);
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
      const { prompt } = server.bodies('/completion')[0];
      expect(prompt.filter((id: number) => id === llama.tokenizer.bos)).toHaveLength(1);
      expect(prompt).not.toContain(llama.tokenizer.eos);
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
    const server = await jsonServer(({ path, body }) => ({
      json: {
        tokens:
          path === '/tokenize' &&
          body.content.flatMap((part: string | number) =>
            typeof part === 'number' ? part : part === '' ? [] : 7,
          ),
      },
    }));
    const model = llamaServer({ baseUrl: server.address });
    const scored = await model.score([{ prompt: '', continuation: 'a' }]);
    const failure = 'The prompt is empty, and the model has no token that begins a text.';
    expect(scored.results).toEqual([{ failure }]);
    expect((await model.nextTokens([''])).results).toEqual([{ failure }]);
    await server.close();
  });
});

describe('characters of several tokens', () => {
  const request = { prompt: SEVENTEEN[1]?.prompt as string, continuation: ' Zürich 🙂!' };

  test('a letter is forced in place of a token that ends inside a character', () =>
    using({}, async (server, options) => {
      const other = { ...request, prompt: 'They told' };
      const answers = await llamaServer(options).score([request, other]);
      expectNear(answers, await oracle.score([request, other]));
      const [first] = answers.results as ScoredText[];
      expect(first?.exact).toBe(true);
      expect(first?.tokens.map(({ text }) => text).join('')).toBe(request.continuation);
      const letter = llama.tokenizer.encode('a')[0];
      const letters = server.bodies('/completion').filter(({ n_probs }) => n_probs === 1000);
      expect(letters.every(({ logit_bias }) => logit_bias[0][0] === letter)).toBe(true);
      expect(server.count('/completion')).toBe(2 * (first as ScoredText).tokens.length + letters.length);
    }));

  test('a token that is not among those that are listed ends it with an upper bound', async () => {
    const full = (await oracle.score([request])).results[0] as ScoredText;
    await using({ listsAtMost: 20 }, async (_, options) => {
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

describe('where the context is too small', () => {
  const fitting = SEVENTEEN.slice(1, 3);
  const long = { prompt: `${SEVENTEEN[0]?.prompt.repeat(5)}`, continuation: ` ${item.answer}` };

  test('a prompt that is too long fails, the others do not', () =>
    using({ contextLength: 60 }, async (_, options) => {
      const { length } = llama.tokenizer.encode(long.prompt);
      const answers = await llamaServer(options).score([fitting[0], long, fitting[1]] as typeof fitting);
      expect(answers.results[1]).toEqual({
        failure: `The text has ${length + 1} tokens, and a slot of the server holds 59: start the server with a larger context (-c) or fewer slots (-np).`,
      });
      const [first, , last] = answers.results as ScoredText[];
      expectNear({ ...answers, results: [first, last] as ScoredText[] }, await oracle.score(fitting));
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
      const listed = await llamaServer(options).nextTokens(['They', long.prompt]);
      expect(listed.results).toMatchObject([
        { length: 20 },
        { failure: expect.stringContaining('holds 29') },
      ]);
    }));
});

describe('the next tokens', () => {
  const PROMPTS = ['Zür', 'Context:\nThe', 'Question: What is', 'They told', 'Z\u00fcrich \u{1f642} Z'];

  test.each(Object.entries(QUIRKS))('are those of the model, from %s', (_, quirks) =>
    using({ ...quirks, contextLength: 1024 }, async (_, options) => {
      const { results } = await llamaServer({ ...options, maxRetries: 5 }).nextTokens(PROMPTS);
      const expected = (await oracle.nextTokens(PROMPTS)).results as TokenProbability[][];
      for (const [place, listed] of (results as TokenProbability[][]).entries()) {
        expect(listed.map(({ id, text }) => [id, text])).toEqual(
          expected[place]?.map(({ id, text }) => [id, text]),
        );
        for (const [at, { logprob }] of listed.entries())
          expect(logprob).toBeCloseTo(expected[place]?.[at]?.logprob as number, 4);
      }
    }),
  );
});

describe('its name', () => {
  const nameWith = (quirks: LlamaServerQuirks) =>
    using(quirks, (_, options) => llamaServer(options).identify());

  test.each<[string, object]>([
    ['llama-server:ecs-tiny-f16.gguf:F16', {}],
    ['llama-server:other.gguf:F16', { model_path: 'C:\\models\\other.gguf' }],
    ['llama-server:tiny', { model_path: undefined, model_ftype: undefined }],
  ])('is of the file and the format of the weights: %s', async (name, props) => {
    expect(await nameWith({ props })).toBe(name);
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

chatTemplateContract('llamaServer', async (template) => {
  const server = await serve(llama, { template });
  const model = llamaServer({ baseUrl: server.address, chatTemplate: true, maxRetries: 0 });
  return { model, close: server.close };
});

describe('a chat template', () => {
  const [BOS, EOS] = [llama.tokenizer.bos, llama.tokenizer.eos];
  const encode = (text: string) => llama.tokenizer.encode(text);
  const PROMPT = promptOf(item.question, ['A fact.<|eos|><|bos|>Another.']);
  const SAFE = promptOf(item.question, ['A fact.< |eos|>< |bos|>Another.']);
  const ANSWER = ` ${item.answer}`;

  test.each<[name: string, template: (text: string) => string, ids: number[], answer: string]>([
    [
      'with control tokens on both sides',
      (text) => `<|bos|>user\n${text}<|eos|>\n<|bos|>assistant:`,
      [BOS, ...encode(`user\n${SAFE}`), EOS, ...encode('\n'), BOS, ...encode('assistant:')],
      ANSWER,
    ],
    [
      'that ends in white space',
      (text) => `<|bos|>user\n${text}<|eos|>\n<|bos|>assistant\n`,
      [BOS, ...encode(`user\n${SAFE}`), EOS, ...encode('\n'), BOS, ...encode('assistant\n')],
      item.answer,
    ],
    [
      'that does not bring the token that begins every text',
      (text) => `user\n${text}<|eos|>`,
      [BOS, ...encode(`user\n${SAFE}`), EOS],
      ANSWER,
    ],
    [
      'without control tokens',
      (text) => `User: ${text}\nAI:`,
      [BOS, ...encode(`User: ${SAFE}\nAI:`)],
      ANSWER,
    ],
  ])('%s is around the prompt, and no control token comes from the prompt', (_, template, ids, answer) =>
    using({ template }, async (server, options) => {
      const model = llamaServer({ ...options, chatTemplate: true });
      const { results } = await model.score([{ prompt: PROMPT, continuation: ANSWER }]);
      await model.nextTokens([PROMPT]);
      const sent = server.bodies('/completion').map(({ prompt }) => prompt);
      expect([sent[0], sent.at(-1)]).toEqual([ids, ids]);
      const [scored] = results as [ScoredText];
      expect(scored.tokens.map(({ text }) => text).join('')).toBe(answer);
      const logprobs = encode(answer).map(
        (id, at, all) => llama.logprobs([...ids, ...all.slice(0, at)])[id] as number,
      );
      expect(scored.logprob).toBeCloseTo(
        logprobs.reduce((sum, each) => sum + each, 0),
        4,
      );
    }),
  );

  test('is applied by the server, with thinking off, and read once', () =>
    using({}, async (server, options) => {
      const model = llamaServer({ ...options, chatTemplate: true });
      const first = await model.score(SEVENTEEN);
      const second = await model.score(SEVENTEEN);
      expect(first.usage.requests - second.usage.requests).toBe(2);
      expect(server.bodies('/apply-template')).toEqual([
        {
          messages: [{ role: 'user', content: 'context-shaping-message' }],
          chat_template_kwargs: { enable_thinking: false },
        },
      ]);
      expectNear(second, first);
    }));
});

// One request at a time, so that the faults of the server have the order of the requests.
faultsOfHttp('/tokenize', (settings) => llamaServer({ maxConcurrency: 1, ...settings }));

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
    return { json: { index: 0, ...goOn(llama, body.prompt, body, {}) } };
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

/** Alters the token of an answer. */
const token = (change: (token: Json) => void) => (answer: Json) => {
  change(answer.completion_probabilities[0]);
  return answer;
};
const FIRST = '.completion_probabilities[0]';

describe('an error names the fault in the answer to', () => {
  test.each<[name: string, spoil: (answers: Json) => unknown, problem: string, value: unknown]>([
    ['null', () => null, at('.'), null],
    ['a list', (answer) => [answer], at('.'), 'array of 1'],
    ['a text', () => 'fine', at('.'), 'fine'],
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
      for (const call of [() => model.score(REQUESTS), () => model.nextTokens(['A'])]) {
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

  test.each<[path: string, spoil: () => unknown, problem: string]>([
    ['/props', () => [], at('.')],
    ['/props', () => ({ model_path: 7 }), at('.model_path')],
  ])('%s', (path, spoil, problem) =>
    spoilt(path, spoil, async (model, address) => {
      const field = `GET ${address}${path}`;
      expect(await errorOf(model.identify())).toMatchObject({ kind: 'service', field, problem });
    }),
  );
});

test('a server that takes other tokens than the given ones is not believed', () =>
  spoilt(
    '/completion',
    (answer, body) => {
      return { ...answer, ...goOn(llama, body.prompt, { n_probs: body.n_probs }, {}) };
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
      expect(results[1]).toMatchObject({ exact: true, tokens: [{ logprob }, { logprob }] });
    },
  ),
);

test('a context that others fill is waited for, but not for ever', async () => {
  let full = 1;
  const server = await jsonServer(({ path, body }) => {
    if (path === '/tokenize') return tokenise(llama, body);
    if (path === '/props') return { json: {} };
    if (full-- > 0) return failure(500, 'server_error', 'Context size has been exceeded.');
    return { json: goOn(llama, body.prompt, body, {}) };
  });
  const model = llamaServer({ baseUrl: server.address, maxRetries: 1 });
  expect((await model.score(REQUESTS)).results).toMatchObject([{ exact: true }, { exact: true }]);
  full = Number.POSITIVE_INFINITY;
  expect(await errorOf(model.score(REQUESTS))).toMatchObject({
    problem: 'refuses the request',
    value: '500 Context size has been exceeded.',
  });
  await server.close();
});
