/**
 * What the retriever says of each candidate, 0..1: its score, and its place in the list.
 *
 *   rank  = 10 / (10 + place)
 *   score = (s − min s) / (max s − min s) · 10 / (10 + place)
 *
 * A place counts from 0 and, where the list is no ranking, is that of the score: how many are greater. Scores of any
 * kind (cosines, logits, probabilities, 1 / (60 + rank) of rank fusion) are scaled from the least to the greatest of
 * the pool, and mean the same after it. The form of the curve is Cormack's reciprocal rank with a smaller constant: in
 * lists of ten to a hundred the first places differ, the last ones do not.
 *
 * Source: G. Cormack, C. Clarke, S. Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual rank
 * learning methods", SIGIR 2009. The constant was chosen on eleven sets of six domains, for lists by BM25 and for
 * simulated ones that are better.
 */
import { scoresRise } from '../list-order.js';
import type { Candidate } from '../types.js';
import type { Values } from './weighted-mean.js';

const HALF_PLACE = 10;
const worth = (place: number) => HALF_PLACE / (HALF_PLACE + place);

/**
 * @param candidates in the order of the list.
 * @param ranked is that order a ranking, best first?
 * @returns `rank` only for candidates without a usable score, for `score` has the place in it; nothing where
 *   candidates do not differ. `distances`: scores rise along a ranking, and were left out.
 */
export function retrievalFeatures(
  candidates: readonly Candidate[],
  ranked: boolean,
): { score: Values | undefined; rank: Values | undefined; distances: boolean } {
  const distances = ranked && scoresRise(candidates);
  const scores = distances ? undefined : scale(candidates.map(({ score }) => score));
  const places = ranked ? [...candidates.keys()] : placesByScore(candidates);
  const score = scores && candidates.map((_, at) => product(scores[at], worth(places[at] as number)));
  const isOne = candidates.length < 2;
  const rank =
    ranked && !isOne
      ? places.map((place, at) => (score?.[at] === undefined ? worth(place) : undefined))
      : undefined;
  return { score, rank, distances };
}

const product = (value: number | undefined, factor: number) =>
  value === undefined ? undefined : value * factor;

/** How many scores are greater. */
function placesByScore(candidates: readonly Candidate[]): number[] {
  const sorted = candidates.flatMap(({ score }) => score ?? []).sort((a, b) => b - a);
  const placeOf = new Map<number, number>();
  for (const [place, score] of sorted.entries()) if (!placeOf.has(score)) placeOf.set(score, place);
  return candidates.map(({ score }) => (score === undefined ? 0 : (placeOf.get(score) as number)));
}

/** To 0..1 over the pool. `undefined` altogether if all values that are there are the same. */
export function scale(values: readonly (number | undefined)[]): Values | undefined {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === undefined) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  // Halved first: the difference of two finite numbers can overflow.
  const range = greatest / 2 - least / 2;
  if (!(range > 0)) return undefined;
  return values.map((value) => (value === undefined ? undefined : (value / 2 - least / 2) / range));
}
