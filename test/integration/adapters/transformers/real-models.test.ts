/**
 * Real models, wherever a variable names a folder or an id: `TRANSFORMERS_CROSS_ENCODER`, `TRANSFORMERS_CAUSAL_MODEL`,
 * `TRANSFORMERS_SENTENCE_ENCODER`. Weights cannot be part of this repository.
 */
import { embedderContract, logprobModelContract, rerankerContract } from 'context-shaping/testing';
import { causalModel, crossEncoder, sentenceEncoder } from 'context-shaping/transformers';
import { describe, expect, test } from 'vitest';

const { TRANSFORMERS_CROSS_ENCODER, TRANSFORMERS_CAUSAL_MODEL, TRANSFORMERS_SENTENCE_ENCODER } = process.env;

/** The first text answers. */
const QUERY = 'When was the Harbour Bridge opened?';
const TEXTS = [
  'The Harbour Bridge was opened to traffic in March 1932.',
  'The Harbour Bridge is painted every five years.',
  'Cats sleep for most of the day.',
];

describe.skipIf(TRANSFORMERS_CROSS_ENCODER === undefined)('a real cross-encoder', () => {
  test('keeps to the port, and ranks the text that answers first', async () => {
    await using reranker = await crossEncoder({ model: TRANSFORMERS_CROSS_ENCODER as string });
    for (const { run } of rerankerContract(() => reranker, { tolerance: 1e-3 })) await run();
    const { scores } = await reranker.rerank(QUERY, TEXTS);
    console.log(scores);
    expect(scores[0]).toBe(Math.max(...(scores as number[])));
  });
});

describe.skipIf(TRANSFORMERS_CAUSAL_MODEL === undefined)('a real language model', () => {
  test('keeps to the port, and finds the answer more probable after the text that gives it', async () => {
    await using model = await causalModel({ model: TRANSFORMERS_CAUSAL_MODEL as string });
    for (const { run } of logprobModelContract(() => model, { tolerance: 0.05 })) await run();
    const prompts = ['', ...TEXTS].map((text) => `${text}\n\nQuestion: ${QUERY}\nAnswer:`);
    const { results, usage } = await model.score(
      prompts.map((prompt) => ({ prompt, continuation: ' March 1932' })),
    );
    const logprobs = results.map((each) => ('logprob' in each ? each.logprob : Number.NaN));
    console.log(logprobs, usage);
    expect(logprobs[1]).toBe(Math.max(...logprobs));
  });
});

describe.skipIf(TRANSFORMERS_SENTENCE_ENCODER === undefined)('a real sentence encoder', () => {
  test('keeps to the port, and finds the text that answers nearest', async () => {
    await using encoder = await sentenceEncoder({ model: TRANSFORMERS_SENTENCE_ENCODER as string });
    for (const { run } of embedderContract(() => encoder, { tolerance: 1e-3 })) await run();
    const [query, ...vectors] = await encoder.embed([QUERY, ...TEXTS], { queryIndex: 0 });
    const cosines = vectors.map((vector) =>
      Array.from(vector).reduce((sum, value, at) => sum + value * (query?.[at] as number), 0),
    );
    console.log(cosines);
    expect(cosines[0]).toBe(Math.max(...cosines));
  });
});
