/** Compares the arithmetic with results by hand, another implementation, and a real server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Llama } from '../../../adapters/gguf/llama.js';
import { items, requestOf, tinyModel } from '../logprobs/items.js';
import { referenceLogprobs } from './reference.js';
import { ggufOf, metadataOf, type Shape, SMALL, tensorsOf, tokenizerOf } from './writer.js';

const VOCABULARY = 258;
const BOS = 256;

function llamaOf(shape: Shape, tensors: ReturnType<typeof tensorsOf>): Llama {
  return Llama.parse(ggufOf({ ...metadataOf(shape), ...tokenizerOf() }, tensors));
}

/** Numbers that look random and are the same in each run: fractional parts of multiples of an irrational number. */
const scattered = (name: string, place: number) => {
  const seed = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1009;
  return ((((seed + place) * 0.754877666) % 1) - 0.5) * 2;
};

describe('what can be known by hand', () => {
  const onlyEmbeddings = (embedding: readonly number[], output: readonly number[]) =>
    tensorsOf(SMALL, VOCABULARY, (name, place) => {
      if (name.includes('norm')) return 1;
      if (name === 'token_embd.weight') return embedding[place % 4] as number;
      return name === 'output.weight' && place < 4 ? (output[place] as number) : 0;
    });

  test('a model of zeros finds everything as probable as everything', () => {
    const logprobs = llamaOf(SMALL, onlyEmbeddings([1, 2, 3, 4], [0, 0, 0, 0])).logprobs([BOS, 65]);
    expect(logprobs).toHaveLength(VOCABULARY);
    for (const logprob of logprobs) expect(logprob).toBeCloseTo(-Math.log(VOCABULARY), 12);
  });

  test('the only logit is that of the normed embedding', () => {
    // The mean square of (3, 4, 0, 0) is 6.25, its root 2.5: normed (1.2, 1.6, 0, 0), times (1, 2, ., .) is 4.4.
    const logprobs = llamaOf(SMALL, onlyEmbeddings([3, 4, 0, 0], [1, 2, 9, 9])).logprobs([BOS]);
    const rest = Math.log(Math.exp(4.4) + VOCABULARY - 1);
    expect(logprobs[0]).toBeCloseTo(4.4 - rest, 5);
    expect(logprobs[1]).toBeCloseTo(-rest, 5);
  });

  test('without queries, attention is the mean of what came so far', () => {
    // Normed embeddings: token 65 is (2, 0, 0, 0), all others (0, 2, 0, 0). Values and output pass them through.
    const passes = (place: number, width: number) => (place % (width + 1) === 0 ? 1 : 0);
    const shape: Shape = { ...SMALL, heads: 1, headSize: 4 };
    const tensors = tensorsOf(shape, VOCABULARY, (name, place) => {
      if (name.includes('norm')) return 1;
      if (name === 'token_embd.weight') return place % 4 === (Math.floor(place / 4) === 65 ? 0 : 1) ? 1 : 0;
      if (/attn_(v|output)/.test(name)) return passes(place, 4);
      return name === 'output.weight' && place < 8 ? passes(place, 4) : 0;
    });
    // After [begin, 65, begin]: (0, 1) + mean of (0, 2), (2, 0), (0, 2) = (2/3, 7/3), whose norm is root(53)/6.
    const logprobs = llamaOf(shape, tensors).logprobs([BOS, 65, BOS]);
    const [a, b] = [4, 14].map((part) => part / Math.sqrt(53)) as [number, number];
    const rest = Math.log(Math.exp(a) + Math.exp(b) + VOCABULARY - 2);
    expect(logprobs[0]).toBeCloseTo(a - rest, 4);
    expect(logprobs[1]).toBeCloseTo(b - rest, 4);
  });
});

describe('another implementation', () => {
  const shapes: [what: string, Shape][] = [
    ['one head', { ...SMALL, heads: 1, headSize: 4, layers: 2 }],
    [
      'shared keys',
      { width: 6, heads: 6, sharedHeads: 2, headSize: 4, hidden: 5, layers: 2, contextLength: 99 },
    ],
    ['a head for each key', { ...SMALL, width: 7, heads: 3, sharedHeads: 3, headSize: 6, hidden: 9 }],
  ];
  const tokens = [BOS, 72, 101, 108, 108, 111, 44, 32, 119, 111, 114, 108, 100, 33];

  test.each(shapes)('agrees: %s', (_, shape) => {
    const tensors = tensorsOf(shape, VOCABULARY, scattered);
    const llama = llamaOf(shape, tensors);
    for (let length = 1; length <= tokens.length; length++) {
      const expected = referenceLogprobs(shape, tensors, 100.5, tokens.slice(0, length));
      const actual = llama.logprobs(tokens.slice(0, length));
      expect(furthest(actual, expected)).toBeLessThan(1e-5);
    }
  });

  test('agrees where some rotations are slower', () => {
    const shape = { ...SMALL, headSize: 4 };
    const tensors = tensorsOf(shape, VOCABULARY, scattered);
    const slower = { ...tensors, 'rope_freqs.weight': { sizes: [2], values: [1, 8] } };
    const actual = llamaOf(shape, slower).logprobs(tokens);
    expect(furthest(actual, referenceLogprobs(shape, slower, 100.5, tokens))).toBeLessThan(1e-5);
    expect(furthest(actual, referenceLogprobs(shape, tensors, 100.5, tokens))).toBeGreaterThan(1e-3);
  });

  test('agrees on what a file need not say', () => {
    const shape = { ...SMALL, heads: 2, sharedHeads: 2, headSize: 4, width: 8 };
    const tensors = tensorsOf(shape, VOCABULARY, scattered);
    const {
      'llama.attention.head_count_kv': _,
      'llama.attention.key_length': __,
      'llama.rope.freq_base': ___,
      ...metadata
    } = metadataOf(shape);
    const llama = Llama.parse(ggufOf({ ...metadata, ...tokenizerOf() }, tensors));
    const expected = referenceLogprobs(shape, tensors, 10_000, tokens);
    expect(furthest(llama.logprobs(tokens), expected)).toBeLessThan(1e-5);
  });

  test('agrees where the embeddings are the output', () => {
    const { 'output.weight': _, ...tied } = tensorsOf(SMALL, VOCABULARY, scattered);
    const twice = { ...tied, 'output.weight': tied['token_embd.weight'] as (typeof tied)[string] };
    const expected = referenceLogprobs(SMALL, twice, 100.5, tokens);
    expect(furthest(llamaOf(SMALL, tied).logprobs(tokens), expected)).toBeLessThan(1e-5);
  });
});

describe('what is remembered', () => {
  const bytes = ggufOf({ ...metadataOf(SMALL), ...tokenizerOf() }, tensorsOf(SMALL, VOCABULARY, scattered));

  test('makes no difference to any bit, and saves what is common', () => {
    const remembering = Llama.parse(bytes);
    const few = fc.array(fc.integer({ min: 65, max: 66 }), { maxLength: SMALL.contextLength - 1 });
    let before: number[] = [];
    fc.assert(
      fc.property(few, (rest) => {
        const tokens = [BOS, ...rest];
        const { evaluated, reused } = remembering;
        expect(remembering.logprobs(tokens)).toEqual(Llama.parse(bytes).logprobs(tokens));
        const different = tokens.findIndex((token, place) => token !== before[place]);
        const common = different === -1 ? tokens.length : different;
        // The memory may also hold tokens after the end of this request, so the count is at least `common`.
        expect(remembering.reused - reused).toBeGreaterThanOrEqual(Math.min(common, tokens.length - 1));
        expect(remembering.evaluated - evaluated + remembering.reused - reused).toBe(tokens.length);
        before = tokens;
      }),
      { seed: 1 },
    );
  });

  test('grows up to the context of the model, and no further', () => {
    const shape = { ...SMALL, contextLength: 150 };
    const tensors = tensorsOf(shape, VOCABULARY, scattered);
    const tokens = [BOS, ...Array.from({ length: 149 }, (_, place) => 65 + (place % 7))];
    const llama = llamaOf(shape, tensors);
    const expected = referenceLogprobs(shape, tensors, 100.5, tokens);
    expect(furthest(llama.logprobs(tokens), expected)).toBeLessThan(1e-5);
    expect(() => llama.logprobs([...tokens, 65])).toThrowError(
      expect.objectContaining({ kind: 'invalid-input', field: 'tokens', value: 151 }),
    );
  });

  test.each([[[]], [[BOS, 258]], [[BOS, -1]], [[0.5]]])('refuses tokens that are none: %j', (tokens) => {
    expect(() => Llama.parse(bytes).logprobs(tokens)).toThrowError(
      expect.objectContaining({ kind: 'invalid-input', field: expect.stringMatching(/^tokens/) }),
    );
  });

  test('can be filled step by step', () => {
    const llama = Llama.parse(bytes);
    const tokens = [BOS, 65, 66, 67, 68];
    expect([1, 2, 1, 1].map((most) => llama.prepare(tokens, most))).toEqual([false, false, true, true]);
    expect([llama.evaluated, llama.reused]).toEqual([4, 0]);
    expect(llama.logprobs(tokens)).toEqual(Llama.parse(bytes).logprobs(tokens));
    expect([llama.evaluated, llama.reused]).toEqual([5, 4]);
  });
});

test('probabilities add up to one', () => {
  const llama = Llama.parse(tinyModel());
  for (const item of items.slice(0, 5)) {
    const { prompt } = requestOf(item);
    const logprobs = llama.logprobs([llama.tokenizer.bos, ...llama.tokenizer.encode(prompt)]);
    expect(logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 12);
  }
});

const recordings = process.env.CONTEXT_SHAPING_RECORDINGS;

describe.skipIf(recordings === undefined)('a real llama-server', () => {
  interface Recorded {
    id: number;
    logprob: number;
    top_logprobs: { id: number; logprob: number }[];
  }
  const recorded = (name: string) => JSON.parse(readFileSync(join(recordings as string, name), 'utf8'));
  const llama = recordings === undefined ? undefined : Llama.parse(tinyModel());

  /** The server's memory, and the numbers that it multiplies with the weights, have 16 bits. */
  function expectNear(tokens: readonly number[], steps: readonly Recorded[]): void {
    for (const [place, step] of steps.entries()) {
      const logprobs = llama?.logprobs([...tokens, ...steps.slice(0, place).map(({ id }) => id)]) ?? [];
      const distances = [step, ...step.top_logprobs].map(({ id, logprob }) =>
        Math.abs((logprobs[id] as number) - logprob),
      );
      expect(Math.max(...distances)).toBeLessThan(8e-3);
    }
  }

  test('agrees on answers of nine prompts, and on all tokens of one', () => {
    const { request, response } = recorded('completion_batch_token_grammar.json');
    for (const [place, { completion_probabilities }] of response.entries()) {
      expectNear(request.body.prompt[place], completion_probabilities);
    }
    const { prefixTokens } = recorded('_inputs.json');
    const [all] = recorded('completion_nprobs_vocab.json').response.completion_probabilities;
    expect(all.top_logprobs).toHaveLength(769);
    expectNear(prefixTokens, [all]);
  });

  test('agrees on what comes next, and on the tokens of texts', () => {
    const { prompt, answer, prefixTokens, answerTokens } = recorded('_inputs.json');
    expect([1, ...(llama?.tokenizer.encode(prompt) ?? [])]).toEqual(prefixTokens);
    expect(llama?.tokenizer.encode(answer)).toEqual(answerTokens);
    for (const name of ['completion_trajectory_T8.json', 'completion_trajectory_T8_ignore_eos.json']) {
      const { response } = recorded(name);
      expect(response.completion_probabilities.length).toBeGreaterThan(2);
      expectNear(prefixTokens, response.completion_probabilities);
    }
  });
});

function furthest(actual: Float64Array, expected: readonly number[]): number {
  expect(actual).toHaveLength(expected.length);
  return Math.max(...expected.map((value, place) => Math.abs(value - (actual[place] as number))));
}
