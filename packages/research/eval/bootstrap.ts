/**
 * Confidence intervals by resampling: groups of cases are drawn with replacement, as many as there are, and
 * the middle 95 % of the means of the draws is the interval. The draws are the same for the same groups, so
 * the interval of a difference is that of the paired comparison.
 *
 * Source: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993 (percentile intervals; clusters
 * drawn whole).
 */
import { seededRandom } from '../../../test/random.js';

export interface Estimate {
  mean: number;
  /** Bounds of the 95 % interval. */
  low: number;
  high: number;
}

const RESAMPLES = 1000;
const SEED = 1993;

/**
 * @param values one per case, at least one.
 * @param groups the group of each case.
 * @param strata the stratum of each case. Groups are drawn within their stratum, as many as it has, and the mean is that of the
 *   means of the strata: each counts the same. Absent: all cases are of one stratum.
 */
export function estimate(
  values: readonly number[],
  groups: readonly string[],
  strata?: readonly string[],
): Estimate {
  const byStratum = new Map<string, Map<string, Sum>>();
  for (const [at, value] of values.entries()) {
    const stratum = strata?.[at] ?? '';
    const sums = byStratum.get(stratum) ?? new Map<string, Sum>();
    byStratum.set(stratum, sums);
    const group = groups[at] as string;
    const { sum = 0, count = 0 } = sums.get(group) ?? {};
    sums.set(group, { sum: sum + value, count: count + 1 });
  }
  const drawn = Array.from(byStratum.values(), (sums) => [...sums.values()]);
  const random = seededRandom(SEED);
  const means = Float64Array.from({ length: RESAMPLES }, () =>
    mean(drawn.map((groups) => meanOf(groups, () => groups[Math.floor(random() * groups.length)]))),
  ).sort();
  return {
    mean: mean(drawn.map((groups) => meanOf(groups, (at) => groups[at]))),
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
  };
}

type Sum = { sum: number; count: number };

/** The mean of as many groups as there are: which of them, `pick` says. */
function meanOf(groups: readonly Sum[], pick: (at: number) => Sum | undefined): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < groups.length; at++) {
    const picked = pick(at) as Sum;
    sum += picked.sum;
    count += picked.count;
  }
  return sum / count;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param sorted ascending, at least one. Between two values the line is taken (R's type 7). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}
