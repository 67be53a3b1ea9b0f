import { createRequire } from 'node:module';
import type { Answers, ScoredText } from 'context-shaping';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type InProcessModel,
  type LlamaModelLike,
  nodeLlamaCpp,
} from '../../../../adapters/logprobs/node-llama-cpp.js';
import { logprobModelContract } from '../../../adapters/logprobs/contract.js';
import { AHEAD, fakeLlama } from '../../../adapters/logprobs/fake-llama.js';
import {
  areaUnderCurve,
  type Item,
  items,
  requestOf,
  scoreRequests,
  TINY_MODEL,
  tinyModel,
} from '../../../adapters/logprobs/items.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { mustHaveAll } from '../../../must-have-all.js';

/** Log-probabilities of tokens may be this far from those of the plain arithmetic: the engine computes in half precision. */
const TOLERANCE = 0.02;

let isInstalled = true;
try {
  createRequire(import.meta.url).resolve('node-llama-cpp');
} catch {
  isInstalled = false;
}

// In continuous integration a missing engine fails the test; elsewhere the test is reported as skipped.
test.runIf(mustHaveAll)('node-llama-cpp is installed', () => expect(isInstalled).toBe(true));

describe.skipIf(!isInstalled)('llama.cpp in this process', () => {
  let loaded: LlamaModelLike & { disposed: boolean };
  let free: () => Promise<void>;
  beforeAll(async () => {
    const { getLlama } = await import('node-llama-cpp');
    // On a busy machine, threads that wait for each other are slow.
    const settings = { gpu: false, build: 'never', skipDownload: true, logLevel: 'error', maxThreads: 1 };
    const llama = await getLlama(settings);
    free = () => llama.dispose();
    loaded = await llama.loadModel({ modelPath: TINY_MODEL });
  });
  afterAll(() => free());

  logprobModelContract('nodeLlamaCpp', async () => {
    const model = await nodeLlamaCpp({ model: loaded });
    return { model, oracle: ggufModel(tinyModel()), tolerance: TOLERANCE, close: () => model.dispose() };
  });

  const plain = ggufModel(tinyModel());
  const requests = scoreRequests();
  const [item] = items as [Item, ...Item[]];
  let model: InProcessModel;
  let scored: Answers<ScoredText>;
  beforeAll(async () => {
    model = await nodeLlamaCpp({ model: loaded });
    scored = await model.score(requests);
  });
  afterAll(() => model.dispose());

  test('all 540 scores are those of the plain arithmetic', async () => {
    const [own, truth] = [answered(scored), answered(await plain.score(requests))];
    expect(own.map(idsAndTexts)).toEqual(truth.map(idsAndTexts));
    const largest = apart(own, truth);
    console.log(`at most ${largest.toExponential(1)} nats apart`);
    expect(largest).toBeLessThan(TOLERANCE);
    expect(own.every(({ exact }) => exact)).toBe(true);
  });

  test('passages that answer score above the others', () => {
    const logprobs = answered(scored).map(({ logprob }) => logprob);
    const gains = items.flatMap(({ candidates }, place) =>
      candidates.map(({ kind }, nth) => {
        const [without, ...withEach] = logprobs.slice(place * 9, place * 9 + 9) as [number, ...number[]];
        return { kind, gain: (withEach[nth] as number) - without };
      }),
    );
    const gainsOf = (answers: boolean) =>
      gains.filter(({ kind }) => (kind === 'answer') === answers).map(({ gain }) => gain);
    const area = areaUnderCurve(gainsOf(true), gainsOf(false));
    console.log(`area under the curve ${area.toFixed(4)}`);
    expect(area).toBeGreaterThanOrEqual(0.99);
  });

  test('beginnings that prompts share are computed once, and it says so', async () => {
    const { tokens = 0, cachedTokens = 0 } = scored.usage;
    console.log(`${cachedTokens} of ${tokens} tokens from the cache`);
    expect(cachedTokens / tokens).toBeGreaterThan(0.3);
    const { prompt } = requestOf(item);
    const { usage } = await model.score([
      { prompt, continuation: ' A' },
      { prompt, continuation: ' A' },
    ]);
    const all = (await plain.score([{ prompt, continuation: ' A' }])).usage.tokens as number;
    const answer = answered(await model.score([{ prompt, continuation: ' A' }]))[0]?.tokens.length as number;
    // For the second prompt all tokens but the last are cached; the last one is evaluated for its follower.
    expect(usage).toEqual({ requests: 2, tokens: 2 * all, cachedTokens: all - answer - 1 });
  });

  test('earlier requests change no result', async () => {
    const some = requests.slice(0, 12);
    const before = await model.score(some);
    await model.score(requests.slice(300, 330));
    await model.nextTokens([requests[400]?.prompt as string]);
    expect(await model.score(some)).toEqual(before);
  });

  test('a long answer is scored right across the batches that the engine makes', async () => {
    const passages = items.flatMap(({ candidates }) => candidates.map(({ text }) => text)).join('\n');
    const request = { prompt: passages.slice(0, 2100), continuation: passages.slice(2100, 2700) };
    const [own, expected] = [answered(await model.score([request])), answered(await plain.score([request]))];
    expect(own.map(idsAndTexts)).toEqual(expected.map(idsAndTexts));
    const [all, answer] = [
      (await plain.score([request])).usage.tokens as number,
      own[0]?.tokens.length as number,
    ];
    // A batch has 512 tokens.
    expect([all > 512, all - answer < 512]).toEqual([true, true]);
    expect(apart(own, expected)).toBeLessThan(TOLERANCE);
  });

  test('what does not fit fails alone, and nothing is forgotten silently', async () => {
    const long = 'x'.repeat(1022);
    const short = requestOf(item);
    const { results } = await model.score([
      { prompt: long, continuation: 'x' },
      { prompt: long, continuation: 'xx' },
      short,
    ]);
    // 1024 and 1025 tokens, including the token that begins every text.
    expect(results[0]).toMatchObject({ exact: true });
    expect(results[1]).toEqual({
      failure: 'The text has 1025 tokens; the context holds 1024.',
    });
    expect(results[2]).toEqual((await model.score([short])).results[0]);
    const listed = await model.nextTokens([`${long}xx`, short.prompt]);
    expect(listed.results[0]).toEqual({
      failure: 'The text has 1025 tokens; the context holds 1023.',
    });
    expect(listed.results[1]).toHaveLength(20);
  });

  test('what looks like a special token is text, and spaces before punctuation stay', async () => {
    const request = { prompt: 'Question: <|eos|>\nAnswer:', continuation: ' Zürich 🙂 , <|bos|> ?' };
    const [own, expected] = [answered(await model.score([request])), answered(await plain.score([request]))];
    expect(own.map(idsAndTexts)).toEqual(expected.map(idsAndTexts));
    expect(own[0]?.tokens.map(({ text }) => text).join('')).toBe(request.continuation);
  });

  test('the most probable tokens are those of the plain arithmetic', async () => {
    const prompts = requests.slice(0, 9).map(({ prompt }) => prompt);
    const listed = async (from: Pick<InProcessModel, 'nextTokens'>) =>
      (await from.nextTokens(prompts)).results.map((each) => ('failure' in each ? [] : each));
    const [own, truth] = [await listed(model), await listed(plain)];
    expect(truth.every(({ length }) => length > 0)).toBe(true);
    for (const [at, expected] of truth.entries()) {
      expect(own[at]).toHaveLength(expected.length);
      // Nearly equal tokens may change places, and the last ones may be others.
      const least = (expected.at(-1)?.logprob ?? 0) + TOLERANCE;
      for (const { id, text, logprob } of expected.filter((each) => each.logprob > least)) {
        const found = own[at]?.find((each) => each.id === id);
        expect(found?.text).toBe(text);
        expect(Math.abs((found?.logprob ?? 0) - logprob)).toBeLessThan(TOLERANCE);
      }
    }
  });

  test('is named by its file, size and type', async () => {
    expect(await model.identify()).toMatch(/^gguf:[\w.-]+\.gguf:\d+:\w/);
  });

  test('a call that is aborted while others have their turn is rejected at once, and they go on', async () => {
    const controller = new AbortController();
    const reason = new Error('not needed any more');
    const settled: string[] = [];
    const first = model.score(requests.slice(0, 90)).then(({ results }) => {
      settled.push('first');
      return results.length;
    });
    const second = model.score(requests, { signal: controller.signal }).catch((error) => {
      settled.push('second');
      return error;
    });
    controller.abort(reason);
    expect(await second).toBe(reason);
    expect(await first).toBe(90);
    expect(settled).toEqual(['second', 'first']);
  });

  test('disposing waits for calls under way; afterwards nothing is answered, and the model is still its owner’s', async () => {
    const other = await nodeLlamaCpp({ model: loaded });
    const underWay = other.score(requests.slice(0, 9));
    await Promise.all([other.dispose(), other.dispose()]);
    expect(await underWay).toHaveProperty('results.length', 9);
    await expect(other.score(requests.slice(0, 1))).rejects.toMatchObject({
      kind: 'service',
      field: 'node-llama-cpp',
      problem: 'cannot evaluate',
    });
    expect(loaded.disposed).toBe(false);
    await using another = await nodeLlamaCpp({ model: loaded });
    expect(answered(await another.score(requests.slice(0, 9)))).toHaveLength(9);
  });
});

describe('for every engine', () => {
  const PIECES = {
    kind: 'llama',
    names: ['▁a', '▁b', 'c', '<0xC3>', '<0xBC>', '<s>'],
    texts: [' a', ' b', 'c', 'ü', '', ''],
  };
  const likeliest = -Math.log(1 + 5 * Math.exp(-AHEAD));

  test('log-probabilities are those of its logits, and of equal ones the lower number is first', async () => {
    const { model, engine } = fakeLlama({ ...PIECES, bos: 5 });
    const { results } = await (await nodeLlamaCpp({ model })).score([{ prompt: ' b', continuation: 'c b' }]);
    const expected = [
      { text: 'c', id: 2, logprob: likeliest },
      { text: ' b', id: 1, logprob: likeliest - AHEAD },
    ].map((token) => ({ ...token, logprob: expect.closeTo(token.logprob, 12) }));
    expect(results).toMatchObject([{ exact: true, tokens: expected }]);
    // The adapter adds the token that begins every text, since the engine does not. The last token is not evaluated.
    expect(engine.asked.map((input) => input.map((each) => [each].flat()[0]))).toEqual([[5, 1, 2]]);
  });

  test.each([
    ['of SentencePiece', PIECES],
    [
      'of bytes as letters, with words added later',
      { ...PIECES, kind: 'gpt2', names: ['Ġa', 'Ġb', 'c', 'Ã', '¼', ' é'], added: 5 },
    ],
  ])('a vocabulary %s', async (_, vocabulary) => {
    const { model } = fakeLlama({ ...vocabulary, texts: ['0', '1', '2', '3', '4', '5'] });
    const added = vocabulary.kind === 'gpt2' ? ' é' : '<s>';
    const { results } = await (await nodeLlamaCpp({ model })).score([{ prompt: '0', continuation: '12345' }]);
    expect(results).toMatchObject([{ tokens: [' b', 'c', '', 'ü', added].map((text) => ({ text })) }]);
  });

  test('a model without a token that begins texts says nothing of the first', async () => {
    const { model } = fakeLlama(PIECES);
    const own = await nodeLlamaCpp({ model });
    const failure = 'The prompt is empty, and the model has no token that begins a text.';
    const { results } = await own.score([
      { prompt: '', continuation: ' a' },
      { prompt: ' a', continuation: ' b' },
    ]);
    expect(results).toMatchObject([{ failure }, { logprob: expect.closeTo(likeliest, 12) }]);
    expect((await own.nextTokens([''])).results).toEqual([{ failure }]);
  });

  test('an engine that fails is a service that fails, until it works again', async () => {
    const { model, engine } = fakeLlama(PIECES);
    const own = await nodeLlamaCpp({ model });
    const requests = [{ prompt: ' a', continuation: ' b' }];
    const before = await own.score(requests);
    engine.broken = new Error('out of memory');
    await expect(own.score(requests)).rejects.toMatchObject({
      kind: 'service',
      field: 'node-llama-cpp',
      value: 'out of memory',
      cause: engine.broken,
    });
    engine.broken = undefined;
    expect(await own.score(requests)).toEqual(before);
  });

  test('the error about a prompt that fills the context gives the size of the context', async () => {
    const { model } = fakeLlama(PIECES);
    const { results } = await (await nodeLlamaCpp({ model })).nextTokens(['c'.repeat(99), 'c'.repeat(100)]);
    expect(results).toEqual([
      expect.arrayContaining([{ id: 3, text: '\ufffd', logprob: expect.any(Number) }]),
      { failure: 'The text has 100 tokens; the context holds 99.' },
    ]);
  });

  test('is named by its file, size and type, unless the call is aborted', async () => {
    const own = await nodeLlamaCpp({ model: fakeLlama(PIECES).model });
    expect(await own.identify()).toBe('gguf:model.gguf:7:llama 1B Q8_0');
    const reason = new Error('not needed any more');
    await expect(own.identify({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('a context that cannot be made', async () => {
    const { model } = fakeLlama(PIECES);
    const cause = new Error('too large');
    await expect(
      nodeLlamaCpp({ model: { ...model, createContext: () => Promise.reject(cause) } }),
    ).rejects.toMatchObject({ kind: 'service', problem: 'cannot create a context', cause });
  });

  test('a context holds 8,192 tokens, leaves a core to others, and is disposed of alone', async () => {
    const { model, engine } = fakeLlama(PIECES);
    const own = await nodeLlamaCpp({ model });
    expect(engine).toMatchObject({
      contexts: [{ contextSize: { max: 8192 }, threads: 3 }],
      isDisposed: false,
    });
    await own[Symbol.asyncDispose]();
    expect(engine.isDisposed).toBe(true);
  });
});

test.each([
  [{}, 'model', 'must be a LlamaModel of node-llama-cpp'],
  [{ model: fakeLlama({ kind: 'llama', names: [], texts: [] }).model, gpu: 1 }, 'gpu', 'is not an option'],
])('options %# are refused', async (options, field, problem) => {
  await expect(nodeLlamaCpp(options as never)).rejects.toMatchObject({
    kind: 'invalid-options',
    field,
    problem,
  });
});

function answered({ results }: Answers<ScoredText>): ScoredText[] {
  return results.map((each) => ('failure' in each ? expect.unreachable(each.failure) : each));
}

/** The largest difference of a token's log-probability. */
const apart = (some: readonly ScoredText[], others: readonly ScoredText[]) =>
  Math.max(
    ...some.flatMap(({ tokens }, place) =>
      tokens.map(({ logprob }, at) => Math.abs(logprob - (others[place]?.tokens[at]?.logprob as number))),
    ),
  );

const idsAndTexts = ({ tokens }: ScoredText) => tokens.map(({ id, text }) => [id, text]);
