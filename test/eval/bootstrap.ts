/**
 * Confidence intervals by resampling: groups of cases are drawn with replacement, as many as there are, and
 * the middle 95 % of the means of the draws is the interval. The draws are the same for the same groups, so
 * the interval of a difference is that of the paired comparison.
 *
 * Source: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993 (percentile intervals; clusters
 * drawn whole).
 */
import { seededRandom } from './random.js';

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
 */
export function estimate(values: readonly number[], groups: readonly string[]): Estimate {
  const places = new Map<string, number>();
  const sums: number[] = [];
  const counts: number[] = [];
  for (const [at, value] of values.entries()) {
    const group = groups[at] as string;
    const place = places.get(group) ?? places.size;
    places.set(group, place);
    sums[place] = (sums[place] ?? 0) + value;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const random = seededRandom(SEED);
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < sums.length; draw++) {
      const place = Math.floor(random() * sums.length);
      sum += sums[place] as number;
      count += counts[place] as number;
    }
    return sum / count;
  }).sort();
  return { mean: mean(values), low: quantile(means, 0.025), high: quantile(means, 0.975) };
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
