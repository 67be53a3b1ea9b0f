import { mapped, type Steps } from '../math/steps.js';

/** Values of one feature, by index. Undefined if the feature was not measured there. */
export type Values = ArrayLike<number | undefined>;

/** A relevance, 0..1, and the contribution of each feature. The sum of the contributions is the relevance. */
export interface Relevance {
  readonly value: number;
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Computes the weighted mean of the features at each index: Σ w·v / Σ w, over the features with a value there. A missing
 * value has no influence.
 *
 * @param size number of results.
 * @param features values of each feature, 0..1.
 * @param weights at least 0. A feature without a weight does not count.
 * @returns undefined at an index at which no feature has a value.
 */
export function* weightedMean(
  size: number,
  features: Readonly<Record<string, Values | undefined>>,
  weights: Readonly<Record<string, number | undefined>>,
): Steps<(Relevance | undefined)[]> {
  const columns = columnsOf(features, weights);
  return yield* mapped({ length: size }, (_, place) => {
    const total = totalAt(place, columns);
    if (total === 0) return undefined;
    const parts: Record<string, number> = {};
    let value = 0;
    for (const { name, values, weight } of columns) {
      const own = values[place];
      if (own === undefined) continue;
      const part = (own * weight) / total;
      parts[name] = part;
      value += part;
    }
    return { value: Math.min(1, value), parts };
  });
}

/** Computes the same means without the contributions. The result is 0 at an index at which no feature has a value. */
export function weightedMeanValues(
  size: number,
  features: Readonly<Record<string, Values | undefined>>,
  weights: Readonly<Record<string, number | undefined>>,
): Float64Array {
  const columns = columnsOf(features, weights);
  return new Float64Array(size).map((_, place) => {
    const total = totalAt(place, columns);
    let value = 0;
    for (const { values, weight } of columns) {
      const own = values[place];
      if (own !== undefined && total > 0) value += (own * weight) / total;
    }
    return Math.min(1, value);
  });
}

interface Column {
  readonly name: string;
  readonly values: Values;
  readonly weight: number;
}

function columnsOf(
  features: Readonly<Record<string, Values | undefined>>,
  weights: Readonly<Record<string, number | undefined>>,
): Column[] {
  return Object.entries(features).flatMap(([name, values]) => {
    const weight = weights[name] ?? 0;
    return values === undefined || weight === 0 ? [] : [{ name, values, weight }];
  });
}

function totalAt(place: number, columns: readonly Column[]): number {
  let total = 0;
  for (const { values, weight } of columns) if (values[place] !== undefined) total += weight;
  return total;
}
