/** A real cross-encoder, if `TRANSFORMERS_CROSS_ENCODER` names a folder or an id. Weights cannot be part of this repository. */
import { rerankerContract } from 'context-shaping/testing';
import { crossEncoder } from 'context-shaping/transformers';
import { describe, expect, test } from 'vitest';

const { TRANSFORMERS_CROSS_ENCODER } = process.env;

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
