import { maximalMarginalRelevance as langchainMmr } from '@langchain/core/utils/math';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maximalMarginalRelevance } from '../../src/internal.js';

/** The definition, word for word: at each step every open item is compared with every picked one. */
function naive(relevance: number[], similarity: number[][], lambda: number, k: number): number[] {
  const picks: number[] = [];
  while (picks.length < Math.min(k, relevance.length)) {
    let best = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < relevance.length; i++) {
      if (picks.includes(i)) continue;
      const nearest = Math.max(0, ...picks.map((j) => similarity[j]![i]!));
      const value = lambda * relevance[i]! - (1 - lambda) * nearest;
      if (value > most) {
        most = value;
        best = i;
      }
    }
    picks.push(best);
  }
  return picks;
}

function pick(
  relevance: number[],
  similarity: number[][],
  lambda: number,
  k = relevance.length,
  forced = 0,
): number[] {
  const similarityRow = (item: number) => similarity[item] as number[];
  const picks: number[] = [];
  for (const { item } of maximalMarginalRelevance({ relevance, similarityRow, lambda, forced })) {
    if (picks.push(item) >= k) break;
  }
  return picks;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const items = fc.integer({ min: 1, max: 14 }).chain((n) =>
  fc.record({
    relevance: fc.array(share, { minLength: n, maxLength: n }),
    similarity: fc.array(fc.array(share, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
    lambda: fc.oneof(share, fc.constantFrom(0, 0.5, 1)),
    k: fc.integer({ min: 1, max: 16 }),
  }),
);

describe('maximal marginal relevance', () => {
  test('is what the definition says', () => {
    fc.assert(
      fc.property(items, ({ relevance, similarity, lambda, k }) => {
        expect(pick(relevance, similarity, lambda, k)).toEqual(naive(relevance, similarity, lambda, k));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  test('a longer selection goes on where a shorter one ended', () => {
    fc.assert(
      fc.property(items, ({ relevance, similarity, lambda, k }) => {
        expect(pick(relevance, similarity, lambda).slice(0, k)).toEqual(
          pick(relevance, similarity, lambda, k),
        );
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  test('lambda 1 sorts by relevance, ties by index, and asks for no similarity', () => {
    const similarityRow = (): never => {
      throw new Error('not needed');
    };
    const picks = [
      ...maximalMarginalRelevance({ relevance: [0.2, 0.9, 0.2, 0.9], similarityRow, lambda: 1 }),
    ];
    expect(picks.map(({ item }) => item)).toEqual([1, 3, 0, 2]);
  });

  test('by hand: the twin of the best waits', () => {
    // Values after the first pick at λ = ½: .45 - .5 · 1 = -.05 for its twin, .2 - 0 for the stranger.
    const similarity = [
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 1],
    ];
    expect(pick([1, 0.9, 0.4], similarity, 0.5)).toEqual([0, 2, 1]);
    const live = [
      ...maximalMarginalRelevance({
        relevance: [1, 0.9, 0.4],
        similarityRow: (i) => similarity[i]!,
        lambda: 0.5,
      }),
    ];
    expect(Array.from(live[0]!.values, (value) => Number(value.toFixed(12)))).toEqual([0.5, -0.05, 0.2]);
  });

  test('forced items go first, in order, and count as picked', () => {
    const similarity = [
      [1, 0, 1],
      [0, 1, 0],
      [1, 0, 1],
    ];
    expect(pick([0, 0.5, 0.9], similarity, 0.5, 3, 1)).toEqual([0, 1, 2]);
  });

  test('picks what LangChain picks, on unit vectors', () => {
    const unit = fc
      .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
      .map((vector) => {
        const norm = Math.hypot(...vector) || 1;
        return vector.map((component) => component / norm);
      });
    const cosine = (a: number[], b: number[]) => a.reduce((sum, component, i) => sum + component * b[i]!, 0);
    fc.assert(
      fc.property(
        unit,
        fc.array(unit, { minLength: 1, maxLength: 12 }),
        share,
        fc.integer({ min: 1, max: 12 }),
        (query, vectors, lambda, k) => {
          // Ties and near-ties fall by rounding, and LangChain lets a negative similarity raise a value.
          const similarity = vectors.map((a) => vectors.map((b) => cosine(a, b)));
          fc.pre(similarity.flat().every((value) => value >= 0) && Math.hypot(...query) > 0.5);
          const relevance = vectors.map((vector) => cosine(query, vector));
          fc.pre(relevance.every((a, i) => relevance.every((b, j) => i === j || Math.abs(a - b) > 1e-9)));
          expect(pick(relevance, similarity, lambda, k)).toEqual(langchainMmr(query, vectors, lambda, k));
        },
      ),
      { numRuns: 300, seed: 4 },
    );
  });
});
