/** The oracle by itself. That it computes what llama.cpp computes is a test of node-llama-cpp, with all 540 scores. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logprobModelContract } from '../adapters/logprobs/contract.js';
import { items, requestOf, scoreRequests, tinyModel } from '../adapters/logprobs/items.js';
import { ggufModel } from './gguf-model.js';
import { Llama } from './llama.js';

logprobModelContract('ggufModel', async () => ({
  model: ggufModel(tinyModel()),
  oracle: ggufModel(tinyModel()),
  tolerance: 0,
}));

test('gives the same bits with and without its memory', () => {
  const remembering = Llama.parse(tinyModel());
  const few = fc.array(fc.integer({ min: 65, max: 66 }), { maxLength: 8 });
  fc.assert(
    fc.property(few, (rest) => {
      const { evaluated, reused, tokenizer } = remembering;
      const tokens = [tokenizer.bos, ...rest];
      expect(remembering.logprobs(tokens)).toEqual(Llama.parse(tinyModel()).logprobs(tokens));
      expect(remembering.evaluated - evaluated + remembering.reused - reused).toBe(tokens.length);
    }),
    { seed: 1, numRuns: 30 },
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

test('splits a text into tokens that spell it', () => {
  const { tokenizer } = Llama.parse(tinyModel());
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      ...scoreRequests()
        .slice(0, 45)
        .map(({ prompt, continuation }) => prompt + continuation),
    ),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    }),
  );
});
