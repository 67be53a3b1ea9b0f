/** The mean of values, and their standard deviation as a whole population. */
export interface Moments {
  readonly mean: number;
  readonly deviation: number;
}

/** Values are summed in ascending order, so that rounding does not depend on theirs. Without values, both are NaN. */
export function momentsOf(values: readonly number[]): Moments {
  const sorted = Float64Array.from(values).sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const variance = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / sorted.length;
  return { mean, deviation: Math.sqrt(variance) };
}
