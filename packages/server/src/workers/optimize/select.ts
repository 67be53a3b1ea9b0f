/** Selects candidates in order. */
import { maximalMarginalRelevance } from 'context-shaping/internal';
import { byScore, jaccard } from './duplicates.js';
import type { ToQuery } from './similarity.js';
import type { Words } from './words.js';

export interface SelectInput {
  k: number;
  /** Undefined: select by score. */
  lambda: number | undefined;
  scores: readonly number[];
  words: readonly Words[];
  cosine(a: number, b: number): number;
  toQuery?: ToQuery | undefined;
}

/**
 * If there are at most `k` candidates, selects all of them in input order.
 *
 * @returns positions, in the order for the budget.
 */
export function select(input: SelectInput): number[] {
  const { k, lambda, scores } = input;
  if (scores.length <= k) return Array.from(scores.keys());
  return lambda === undefined ? byScore(scores).slice(0, k) : byMarginalRelevance(input, lambda);
}

function byMarginalRelevance({ k, scores, words, cosine, toQuery }: SelectInput, lambda: number): number[] {
  const relevance = toQuery === undefined ? scaled(scores) : scores.map((_, place) => toQuery(place));
  const similarityRow = (item: number) =>
    Float64Array.from(words, (other, place) =>
      Math.max(cosine(item, place), jaccard(words[item] as Words, other)),
    );
  const selected: number[] = [];
  for (const { item } of maximalMarginalRelevance({ relevance, similarityRow, lambda })) {
    selected.push(item);
    if (selected.length === k) break;
  }
  return selected;
}

/** Scales scores to 0..1; equal scores stay unchanged. */
function scaled(scores: readonly number[]): number[] {
  const least = Math.min(...scores);
  const most = Math.max(...scores);
  const range = most - least;
  // The difference of two numbers can overflow.
  if (range === Number.POSITIVE_INFINITY) return scaled(scores.map((score) => score / 2));
  return range === 0 ? [...scores] : scores.map((score) => (score - least) / range);
}
