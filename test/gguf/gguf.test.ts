/** Compares the oracle with results by hand, another implementation, and a real server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logprobModelContract } from '../adapters/logprobs/contract.js';
import { items, requestOf, scoreRequests, tinyModel } from '../adapters/logprobs/items.js';
import { ggufModel } from './gguf-model.js';
import { Llama } from './llama.js';
import { GgufFile } from './reader.js';
import { referenceLogprobs } from './reference.js';
import { Tokenizer } from './tokenizer.js';
import { ggufOf, metadataOf, type Shape, SMALL, tensorsOf, tokenizerOf } from './writer.js';

const VOCABULARY = 258;
const BOS = 256;

logprobModelContract('ggufModel', async () => ({
  model: ggufModel(tinyModel()),
  oracle: ggufModel(tinyModel()),
  tolerance: 0,
}));

function llamaOf(shape: Shape, tensors: ReturnType<typeof tensorsOf>): Llama {
  return Llama.parse(ggufOf({ ...metadataOf(shape), ...tokenizerOf() }, tensors));
}

/** Numbers that look random and are the same in each run: fractional parts of multiples of an irrational number. */
const scattered = (name: string, place: number) => {
  const seed = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1009;
  return ((((seed + place) * 0.754877666) % 1) - 0.5) * 2;
};

test('computes the logit of a normed embedding as by hand', () => {
  const tensors = tensorsOf(SMALL, VOCABULARY, (name, place) => {
    if (name.includes('norm')) return 1;
    if (name === 'token_embd.weight') return [3, 4, 0, 0][place % 4] as number;
    return name === 'output.weight' && place < 4 ? ([1, 2, 9, 9][place] as number) : 0;
  });
  // The mean square of (3, 4, 0, 0) is 6.25, its root 2.5: normed (1.2, 1.6, 0, 0), times (1, 2, ., .) is 4.4.
  const logprobs = llamaOf(SMALL, tensors).logprobs([BOS]);
  const rest = Math.log(Math.exp(4.4) + VOCABULARY - 1);
  expect(logprobs[0]).toBeCloseTo(4.4 - rest, 5);
  expect(logprobs[1]).toBeCloseTo(-rest, 5);
});

describe('another implementation', () => {
  const tokens = [BOS, 72, 101, 108, 108, 111, 44, 32, 119, 111, 114, 108, 100, 33];
  const shapes: [what: string, Shape][] = [
    ['one head', { ...SMALL, heads: 1, headSize: 4, layers: 2 }],
    [
      'shared keys',
      { width: 6, heads: 6, sharedHeads: 2, headSize: 4, hidden: 5, layers: 2, contextLength: 99 },
    ],
    ['a head for each key', { ...SMALL, width: 7, heads: 3, sharedHeads: 3, headSize: 6, hidden: 9 }],
  ];

  test.each(shapes)('agrees: %s', (_, shape) => {
    const tensors = tensorsOf(shape, VOCABULARY, scattered);
    const llama = llamaOf(shape, tensors);
    for (let length = 1; length <= tokens.length; length++) {
      const expected = referenceLogprobs(shape, tensors, 100.5, tokens.slice(0, length));
      expect(furthest(llama.logprobs(tokens.slice(0, length)), expected)).toBeLessThan(1e-5);
    }
  });

  test('agrees where some rotations are slower, and where the embeddings are the output', () => {
    const shape = { ...SMALL, headSize: 4 };
    const { 'output.weight': _, ...tied } = tensorsOf(shape, VOCABULARY, scattered);
    const slower = { ...tied, 'rope_freqs.weight': { sizes: [2], values: [1, 8] } };
    const twice = { ...slower, 'output.weight': tied['token_embd.weight'] as (typeof tied)[string] };
    const actual = llamaOf(shape, slower).logprobs(tokens);
    expect(furthest(actual, referenceLogprobs(shape, twice, 100.5, tokens))).toBeLessThan(1e-5);
  });
});

test('gives the same bits with and without its memory', () => {
  const bytes = ggufOf({ ...metadataOf(SMALL), ...tokenizerOf() }, tensorsOf(SMALL, VOCABULARY, scattered));
  const remembering = Llama.parse(bytes);
  const few = fc.array(fc.integer({ min: 65, max: 66 }), { maxLength: SMALL.contextLength - 1 });
  fc.assert(
    fc.property(few, (rest) => {
      const { evaluated, reused } = remembering;
      expect(remembering.logprobs([BOS, ...rest])).toEqual(Llama.parse(bytes).logprobs([BOS, ...rest]));
      expect(remembering.evaluated - evaluated + remembering.reused - reused).toBe(rest.length + 1);
    }),
    { seed: 1 },
  );
});

test('gives probabilities that add up to one', () => {
  const llama = Llama.parse(tinyModel());
  for (const item of items.slice(0, 5)) {
    const { prompt } = requestOf(item);
    const logprobs = llama.logprobs([llama.tokenizer.bos, ...llama.tokenizer.encode(prompt)]);
    expect(logprobs.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 12);
  }
});

describe('the tokenizer', () => {
  const tokenizer = (words: readonly string[], merges?: readonly string[]) =>
    new Tokenizer(new GgufFile(ggufOf(tokenizerOf(words, merges), {})));

  test.each<[text: string, words: string[]]>([
    ["I'm sure they'LL say it's", ['I', "'m", ' sure', ' they', "'LL", ' say', ' it', "'s"]],
    ['in 1234567 days', ['in', ' ', '123', '456', '7', ' days']],
    ['a  \n\n  b', ['a', '  \n\n', ' ', ' b']],
    ['a.b (c) <|end|>', ['a', '.b', ' (', 'c', ')', ' <|', 'end', '|>']],
  ])('splits into words as llama.cpp does: %j', (text, words) => {
    const distinct = [...new Set(words.filter((word) => Buffer.byteLength(word) > 1))];
    const expected = words.map((word) =>
      distinct.includes(word) ? VOCABULARY + distinct.indexOf(word) : Buffer.from(word)[0],
    );
    expect(tokenizer(distinct).encode(text)).toEqual(expected);
  });

  test('merges the pair that was learned first', () => {
    const words = ['ab', 'bc', 'abc'];
    expect(tokenizer(words, ['a b', 'b c']).encode('xabcx')).toEqual([120, VOCABULARY, 99, 120]);
    expect(tokenizer(words, ['b c', 'a bc']).encode('xabcx')).toEqual([120, VOCABULARY + 2, 120]);
  });

  test('gives tokens that spell the text', () => {
    const tiny = new Tokenizer(new GgufFile(tinyModel()));
    const questions = scoreRequests().slice(0, 45);
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...questions.map(({ prompt, continuation }) => prompt + continuation)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(tiny.decode(tiny.encode(text))).toBe(text);
      }),
    );
  });
});

const recordings = process.env.CONTEXT_SHAPING_RECORDINGS;

describe.skipIf(recordings === undefined)('a real llama-server', () => {
  interface Recorded {
    id: number;
    logprob: number;
    top_logprobs: { id: number; logprob: number }[];
  }
  const recorded = (name: string) => JSON.parse(readFileSync(join(recordings as string, name), 'utf8'));
  const llama = Llama.parse(tinyModel());

  /** The server's memory, and the numbers that it multiplies with the weights, have 16 bits. */
  function expectNear(tokens: readonly number[], steps: readonly Recorded[]): void {
    for (const [place, step] of steps.entries()) {
      const logprobs = llama.logprobs([...tokens, ...steps.slice(0, place).map(({ id }) => id)]);
      const distances = [step, ...step.top_logprobs].map(({ id, logprob }) =>
        Math.abs((logprobs[id] as number) - logprob),
      );
      expect(Math.max(...distances)).toBeLessThan(8e-3);
    }
  }

  test('agrees on the tokens of texts, and on their probabilities', () => {
    const { prompt, answer, prefixTokens, answerTokens } = recorded('_inputs.json');
    expect([1, ...llama.tokenizer.encode(prompt)]).toEqual(prefixTokens);
    expect(llama.tokenizer.encode(answer)).toEqual(answerTokens);
    const { request, response } = recorded('completion_batch_token_grammar.json');
    for (const [place, { completion_probabilities }] of response.entries()) {
      expectNear(request.body.prompt[place], completion_probabilities);
    }
    expectNear(prefixTokens, recorded('completion_nprobs_vocab.json').response.completion_probabilities);
    expectNear(prefixTokens, recorded('completion_trajectory_T8.json').response.completion_probabilities);
  });
});

function furthest(actual: Float64Array, expected: readonly number[]): number {
  expect(actual).toHaveLength(expected.length);
  return Math.max(...expected.map((value, place) => Math.abs(value - (actual[place] as number))));
}
