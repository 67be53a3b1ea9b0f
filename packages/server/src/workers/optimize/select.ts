/** Selects candidates in order, and measures the margin to those not selected. */
import { maximalMarginalRelevance } from 'context-shaping/internal';
import { jaccard } from './duplicates.js';
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

export interface Selection {
  /** Positions, in the order for the budget. */
  selected: number[];
  outranked: { position: number; margin: number }[];
}

/** If there are at most `k` candidates, selects all of them in input order. */
export function select(input: SelectInput): Selection {
  const { k, lambda, scores } = input;
  if (scores.length <= k) return { selected: Array.from(scores.keys()), outranked: [] };
  return lambda === undefined ? byScore(scores, k) : byMarginalRelevance(input, lambda);
}

function byScore(scores: readonly number[], k: number): Selection {
  const score = (place: number) => scores[place] as number;
  const places = Array.from(scores.keys()).sort((a, b) => score(b) - score(a));
  const last = score(places[k - 1] as number);
  return {
    selected: places.slice(0, k),
    outranked: places.slice(k).map((position) => ({
      position,
      margin: Math.min(Number.MAX_VALUE, last - score(position)),
    })),
  };
}

function byMarginalRelevance({ k, scores, words, cosine, toQuery }: SelectInput, lambda: number): Selection {
  const relevance = toQuery === undefined ? scaled(scores) : scores.map((_, place) => toQuery(place));
  const similarityRow = (item: number) =>
    Float64Array.from(words, (other, place) =>
      Math.max(cosine(item, place), jaccard(words[item] as Words, other)),
    );
  const selected: number[] = [];
  for (const { item, values } of maximalMarginalRelevance({ relevance, similarityRow, lambda })) {
    selected.push(item);
    if (selected.length < k) continue;
    const chosen = new Set(selected);
    const margin = (place: number) => (values[item] as number) - (values[place] as number);
    const others = Array.from(scores.keys()).filter((place) => !chosen.has(place));
    return { selected, outranked: others.map((position) => ({ position, margin: margin(position) })) };
  }
  return { selected, outranked: [] };
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
