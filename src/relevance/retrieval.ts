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
 * A score may be what somebody wrote into a page. In a ranking it only says how far apart the places are: scores that
 * contradict the order, as few as make the others sorted, count as the next one that does not; if no more than half are
 * left, none counts. In any list a score that is a thousand times as far from the median as the middle half is wide
 * counts as the next one, or as the median where there is no order. Scores that are sorted, without such outliers, are as they were.
 *
 * Source: G. Cormack, C. Clarke, S. Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual rank
 * learning methods", SIGIR 2009. The constant was chosen on eleven sets of six domains, for lists by BM25 and for
 * simulated ones that are better.
 */
import type { Candidate } from '../types.js';
import type { Values } from './weighted-mean.js';

const HALF_PLACE = 10;
const OUTLYING = 1000;
const worth = (place: number) => HALF_PLACE / (HALF_PLACE + place);

/**
 * @param candidates in the order of the list.
 * @param ranked is that order a ranking, best first?
 * @returns `rank` only for candidates without a usable score, for `score` has the place in it; nothing where
 *   candidates do not differ. `contradicting` and `outlying`: how many scores were left out.
 */
export function retrievalFeatures(
  candidates: readonly Candidate[],
  ranked: boolean,
): { score: Values | undefined; rank: Values | undefined; contradicting: number; outlying: number } {
  const given = candidates.map(({ score }) => score);
  const inProportion = withoutOutliers(given);
  const sorted = ranked ? sortedPart(inProportion) : inProportion;
  const believed = filled(sorted, given, ranked);
  const scores = scale(believed);
  const places = ranked ? [...candidates.keys()] : placesByScore(believed);
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

/** By place. */
type Scores = readonly (number | undefined)[];

/** Without what is a thousand times as far from the median as the middle half is wide. */
function withoutOutliers(scores: Scores): Scores {
  const sorted = ascending(scores);
  const last = sorted.length - 1;
  // Halved first: the difference of two finite numbers can overflow.
  const [low = 0, median = 0, high = 0] = [Math.floor(last / 4), last >> 1, Math.ceil((last * 3) / 4)].map(
    (place) => (sorted[place] ?? 0) / 2,
  );
  const most = (high - low) * OUTLYING;
  if (!(most > 0)) return scores;
  return scores.map((score) =>
    score !== undefined && Math.abs(score / 2 - median) > most ? undefined : score,
  );
}

/** What was left out of the given scores, as the next that was not, or the last; without order as the median. */
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

const ascending = (scores: Scores) => scores.filter((score) => score !== undefined).sort((a, b) => a - b);

/**
 * The most scores, the first such ones, that fall or stay equal along the list; none, if they are no more than half.
 * Patience sorting: n log n.
 */
function sortedPart(scores: Scores): Scores {
  // By length of a sorted part: the place of the greatest score that can end it, and of each place the one before it.
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

/** How many scores are greater. */
function placesByScore(scores: Scores): number[] {
  const sorted = ascending(scores).reverse();
  const placeOf = new Map<number, number>();
  for (const [place, score] of sorted.entries()) if (!placeOf.has(score)) placeOf.set(score, place);
  return scores.map((score) => (score === undefined ? 0 : (placeOf.get(score) as number)));
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
