/**
 * Confidence intervals by resampling: groups of cases are drawn with replacement, as many as there are, and the middle 95 %
 * of the means of the draws is the interval. The draws are the same for the same groups, so the difference of two
 * resampled means is that of a paired comparison.
 *
 * Source: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993 (percentile intervals; clusters drawn whole).
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
 * The mean of values, and its interval.
 *
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
  const [only] = resampledMeans([values], groups, strata) as [Resampled];
  return estimateOf(only);
}

/** The mean of a column of values, and the means of its resamples. */
export interface Resampled {
  mean: number;
  draws: Float64Array;
}

/** The mean and the middle 95 % of the draws. */
export function estimateOf({ mean, draws }: Resampled): Estimate {
  const sorted = draws.toSorted();
  return { mean, low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

/** One column less another that was resampled with it: the paired difference. */
export const lessOf = (one: Resampled, other: Resampled): Resampled => ({
  mean: one.mean - other.mean,
  draws: one.draws.map((value, at) => value - (other.draws[at] as number)),
});

/**
 * Resamples columns together: each draw has the same cases of all of them.
 *
 * @param columns of values, one per case, all of one length.
 * @param groups, strata as for {@link estimate}.
 */
export function resampledMeans(
  columns: readonly (readonly number[])[],
  groups: readonly string[],
  strata?: readonly string[],
): Resampled[] {
  const byStratum = new Map<string, Map<string, Sum>>();
  for (const [at, group] of groups.entries()) {
    const stratum = strata?.[at] ?? '';
    const sums = byStratum.get(stratum) ?? new Map<string, Sum>();
    byStratum.set(stratum, sums);
    const sum = sums.get(group) ?? { of: new Float64Array(columns.length), count: 0 };
    sums.set(group, sum);
    sum.count += 1;
    for (const [place, column] of columns.entries())
      sum.of[place] = (sum.of[place] as number) + (column[at] as number);
  }
  const drawn = Array.from(byStratum.values(), (sums) => [...sums.values()]);
  const means = (pick: (sums: readonly Sum[], at: number) => Sum) => {
    const total = new Float64Array(columns.length);
    for (const sums of drawn) {
      const own = new Float64Array(columns.length);
      let count = 0;
      for (let at = 0; at < sums.length; at++) {
        const picked = pick(sums, at);
        count += picked.count;
        for (let place = 0; place < own.length; place++)
          own[place] = (own[place] as number) + (picked.of[place] as number);
      }
      for (const [place, sum] of own.entries())
        total[place] = (total[place] as number) + sum / count / drawn.length;
    }
    return total;
  };
  const random = seededRandom(SEED);
  const resampled = means((sums, at) => sums[at] as Sum);
  const columnsOfDraws = columns.map(() => new Float64Array(RESAMPLES));
  for (let draw = 0; draw < RESAMPLES; draw++) {
    const own = means((sums) => sums[Math.floor(random() * sums.length)] as Sum);
    for (const [place, mean] of own.entries()) (columnsOfDraws[place] as Float64Array)[draw] = mean;
  }
  return columnsOfDraws.map((draws, place) => ({ mean: resampled[place] as number, draws }));
}

type Sum = { of: Float64Array; count: number };

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
