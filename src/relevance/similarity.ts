/**
 * The evidence of vectors: how the cosine of a passage and the query changes the log-odds that it holds evidence.
 *
 *   evidence(i) = t · (d · z(i) − d² / 2),   z(i) = standard score of the cosine in the pool, within −2..4
 *   t           = 1 − judged · (1 − explained)
 *   explained   = (R² − .05) / .15, within 0..1
 *   judged      = (best coverage − .2) / .2, within 0..1
 *
 * The model: cosines are normal, with one deviation, and those of passages with evidence lie d deviations higher. Then
 * d · z − d² / 2 is their log-likelihood ratio (D. Green and J. Swets, "Signal detection theory and psychophysics", 1966).
 *
 * The trust t: vectors that belong to the texts agree with the words or with the order of the list. R² is the share of the
 * variance of the cosines that a linear model of both explains. Vectors in the wrong order, or of another model than the
 * query's, agree with neither, and do not count. If no passage has the words of the question, because it is in another
 * language or in other words, words cannot judge, and the vectors count.
 *
 * If a retriever sorted the list by these cosines, the place of a passage repeats its cosine. The share ρ, the rank
 * correlation of both, is what the list repeats; the trust in its order is lowered by that share.
 *
 * d was chosen by nDCG@10 of lists by vectors, by words and by both (`npm run eval -- --suite real-lists`). From 1 to 1.6
 * all are nearly as good. Vectors of a static model know no context, and those of single turns of a conversation know
 * little: they deserve less.
 */
import { momentsOf } from '../math/moments.js';

/** d, by default. */
export const DEVIATIONS = { passages: 1.2, turns: 0.5, static: 0.5 } as const;

/** The evidence of the cosines of a pool. */
export interface Similarity {
  /** Log-odds, one value per passage. */
  readonly evidence: Float64Array;
  /** t, 0..1. */
  readonly trust: number;
  /** ρ · t, 0..1: how far the order of the list repeats the cosines. 0 without an order. */
  readonly repeated: number;
}

const [LEAST_SCORE, MOST_SCORE] = [-2, 4];
/** Cosines that differ by less are equal but for rounding. */
const SAME = 1e-9;
const within = (value: number) => Math.min(1, Math.max(0, value));

/**
 * Computes the evidence of the cosines of a pool. Undefined if all are equal.
 *
 * @param cosines of the passages, -1..1.
 * @param deviations d, above 0.
 * @param words log-odds of the passages by their words.
 * @param places the values of their places in the list, best highest (`placeValue`). Absent without an order.
 * @param coverage the greatest share of the question's words that a passage has, 0..1.
 * @param isVouchedFor whether the caller gave d: then t is 1.
 */
export function similarityOf(
  cosines: readonly number[],
  {
    deviations,
    words,
    places,
    coverage,
    isVouchedFor = false,
  }: {
    deviations: number;
    words: readonly number[];
    places: readonly number[] | undefined;
    coverage: number;
    isVouchedFor?: boolean;
  },
): Similarity | undefined {
  const { mean, deviation } = momentsOf(cosines);
  if (!(deviation > SAME)) return undefined;
  const scores = cosines.map((each) =>
    Math.min(MOST_SCORE, Math.max(LEAST_SCORE, (each - mean) / deviation)),
  );
  const explained = within((varianceExplained(scores, words, places) - 0.05) / 0.15);
  const judged = within((coverage - 0.2) / 0.2);
  const trust = isVouchedFor ? 1 : 1 - judged * (1 - explained);
  const rho = places === undefined ? 0 : correlation(ranksOf(cosines), ranksOf(places));
  return {
    evidence: Float64Array.from(scores, (score) => trust * (deviations * score - deviations ** 2 / 2)),
    trust,
    repeated: trust * Math.max(0, rho),
  };
}

/** R² of the linear regression on one or two variables, by their correlations. */
function varianceExplained(
  values: readonly number[],
  one: readonly number[],
  other: readonly number[] | undefined,
): number {
  const byOne = correlation(values, one);
  if (other === undefined) return byOne ** 2;
  const byOther = correlation(values, other);
  const shared = correlation(one, other);
  // Nearly the same variable twice.
  if (shared ** 2 > 1 - SAME) return Math.max(byOne ** 2, byOther ** 2);
  return (byOne ** 2 + byOther ** 2 - 2 * byOne * byOther * shared) / (1 - shared ** 2);
}

/** Pearson's correlation, rounded, so that equal orders have exactly 1; 0 if one of both is constant. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [momentsOf(one), momentsOf(other)];
  if (!(first.deviation > SAME && second.deviation > SAME)) return 0;
  let sum = 0;
  for (const [at, value] of one.entries())
    sum += (value - first.mean) * ((other[at] as number) - second.mean);
  return Math.round(sum / (one.length * first.deviation * second.deviation) / SAME) * SAME;
}

/** Number of lower values, for each value. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  const rankOf = new Map<number, number>();
  for (const [rank, value] of sorted.entries()) if (!rankOf.has(value)) rankOf.set(value, rank);
  return values.map((value) => rankOf.get(value) as number);
}
