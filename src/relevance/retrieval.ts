/**
 * The retriever's evidence for each candidate, 0..1: its score and its rank.
 *
 *   rank  = 10 / (10 + r)
 *   score = (s − min s) / (max s − min s) · 10 / (10 + r)
 *
 * r counts from 0. It is the index in the list if the list is a ranking, otherwise the number of greater scores. Scores
 * of any kind (cosines, logits, probabilities, 1 / (60 + rank) of rank fusion) are scaled from the least to the greatest
 * of the pool, which makes them comparable. The curve is Cormack's reciprocal rank with a smaller constant: in lists of
 * ten to a hundred, the first ranks differ, the last ones do not.
 *
 * An author may have written a score into a page. In a ranking, scores therefore only show how far apart the ranks are.
 * The smallest set of scores without which the others are sorted contradicts the order: each of them counts as the next
 * score that remains. If no more than half of the scores remain, none counts. In any list, a score is an outlier if
 * its distance from the median is more than a thousand times the width of the middle half. An outlier counts as the
 * next score that remains, or as the median if the list is not a ranking. Sorted scores without outliers stay
 * unchanged.
 *
 * Source: G. Cormack, C. Clarke, S. Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual rank
 * learning methods", SIGIR 2009. The constant was chosen on eleven sets of six domains, for lists by BM25 and for
 * simulated lists that are better.
 */
import type { Steps } from '../math/steps.js';
import type { Candidate } from '../types.js';
import type { Values } from './weighted-mean.js';

const HALF_PLACE = 10;
const OUTLYING = 1000;
const worth = (place: number) => HALF_PLACE / (HALF_PLACE + place);

/**
 * Computes the features `score` and `rank`.
 *
 * @param candidates in the order of the list.
 * @param ranked whether that order is a ranking, best first.
 * @returns `rank` only for candidates without a usable score, because `score` contains the rank. A feature is undefined
 *   if it does not distinguish the candidates. `contradicting` and `outlying` are the numbers of scores that were replaced.
 */
export function* retrievalFeatures(
  candidates: readonly Candidate[],
  ranked: boolean,
): Steps<{ score: Values | undefined; rank: Values | undefined; contradicting: number; outlying: number }> {
  const given = candidates.map(({ score }) => score);
  const inProportion = withoutOutliers(given);
  yield;
  const sorted = ranked ? sortedPart(inProportion) : inProportion;
  yield;
  const believed = filled(sorted, given, ranked);
  yield;
  const scores = scale(believed);
  const places = ranked ? [...candidates.keys()] : placesByScore(believed);
  yield;
  const score = scores && candidates.map((_, at) => product(scores[at], worth(places[at] as number)));
  const isOne = candidates.length < 2;
  const rank =
    ranked && !isOne
      ? places.map((place, at) => (score?.[at] === undefined ? worth(place) : undefined))
      : undefined;
  return {
    score,
    rank,
    contradicting: countOf(inProportion) - countOf(sorted),
    outlying: countOf(given) - countOf(inProportion),
  };
}

const countOf = (scores: Scores) => scores.filter((score) => score !== undefined).length;

/** Scores in the order of the list; undefined for candidates without a usable score. */
type Scores = readonly (number | undefined)[];

/** Removes scores whose distance from the median is more than a thousand times the width of the middle half. */
function withoutOutliers(scores: Scores): Scores {
  const sorted = ascending(scores);
  const last = sorted.length - 1;
  // Halved first, because the difference of two finite numbers can overflow.
  const [low = 0, median = 0, high = 0] = [Math.floor(last / 4), last >> 1, Math.ceil((last * 3) / 4)].map(
    (place) => (sorted[place] ?? 0) / 2,
  );
  const most = (high - low) * OUTLYING;
  if (!(most > 0)) return scores;
  return scores.map((score) =>
    score !== undefined && Math.abs(score / 2 - median) > most ? undefined : score,
  );
}

/**
 * Replaces the removed scores. In a ranking, the replacement is the next score that remains, or the least one if none
 * follows; otherwise it is the median.
 */
function filled(scores: Scores, given: Scores, ranked: boolean): Scores {
  const sorted = ascending(scores);
  let next = ranked ? sorted[0] : sorted[(sorted.length - 1) >> 1];
  return scores
    .toReversed()
    .map((score, at) => {
      if (ranked) next = score ?? next;
      return given[given.length - 1 - at] === undefined ? undefined : (score ?? next);
    })
    .reverse();
}

const ascending = (scores: Scores): Float64Array =>
  Float64Array.from(scores.filter((score) => score !== undefined)).sort();

/**
 * Keeps the longest sequence of scores that never rise along the list, and removes the others. Removes all if that
 * sequence has no more than half of the scores. Patience sorting: n log n.
 */
function sortedPart(scores: Scores): Scores {
  // By length of a sequence: index of the greatest score that can end it. For each index, the one before it.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, score] of scores.entries()) {
    if (score === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((scores[ends[middle] as number] as number) >= score) low = middle + 1;
      else high = middle;
    }
    before[at] = ends[low - 1];
    ends[low] = at;
  }
  const kept = new Set<number>();
  const isMost = ends.length * 2 > countOf(scores);
  for (let at = isMost ? ends.at(-1) : undefined; at !== undefined; at = before[at]) kept.add(at);
  return scores.map((score, at) => (kept.has(at) ? score : undefined));
}

const product = (value: number | undefined, factor: number) =>
  value === undefined ? undefined : value * factor;

/** Returns the number of greater scores, for each score. */
function placesByScore(scores: Scores): number[] {
  const sorted = ascending(scores).reverse();
  const placeOf = new Map<number, number>();
  for (const [place, score] of sorted.entries()) if (!placeOf.has(score)) placeOf.set(score, place);
  return scores.map((score) => (score === undefined ? 0 : (placeOf.get(score) as number)));
}

/** Scales values to 0..1 over the pool. Returns undefined if all known values are equal, or none is known. */
export function scale(values: readonly (number | undefined)[]): Values | undefined {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === undefined) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  // Halved first, because the difference of two finite numbers can overflow.
  const range = greatest / 2 - least / 2;
  if (!(range > 0)) return undefined;
  return values.map((value) => (value === undefined ? undefined : (value / 2 - least / 2) / range));
}
