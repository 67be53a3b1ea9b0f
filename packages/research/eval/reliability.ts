/**
 * Whether probabilities are calibrated.
 *
 *   ECE = Σ_bins |sum of probabilities − number that are so| / items
 *
 * Bins are of equal width, a tenth each, or of equal mass: each has a tenth of the items, equal probabilities together.
 *
 * Source: M. Naeini, G. Cooper, M. Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian Binning", 2015.
 */

/** A probability, whether it is so, and how much it counts: 1 if absent. */
export type Forecast = readonly [probability: number, isSo: boolean, weight?: number];
export type Binning = 'equal width' | 'equal mass';

const BINS = 10;

/** The bins that have items, in order of their probabilities. */
export function binned(forecasts: readonly Forecast[], binning: Binning): Forecast[][] {
  const bins = Array.from({ length: BINS }, (): Forecast[] => []);
  let below = 0;
  let last = Number.NaN;
  for (const [at, forecast] of forecasts.toSorted(([a], [b]) => a - b).entries()) {
    const [probability] = forecast;
    if (probability !== last) below = at;
    last = probability;
    const place = binning === 'equal width' ? probability * BINS : (below * BINS) / forecasts.length;
    bins[Math.min(BINS - 1, Math.floor(place))]?.push(forecast);
  }
  return bins.filter(({ length }) => length > 0);
}

/** The sum over the items of a bin: of their weights, their probabilities, and those that are so. */
export interface BinSum {
  items: number;
  probability: number;
  isSo: number;
}

export const binSum = (bin: readonly Forecast[]): BinSum =>
  bin.reduce(
    (sum, [probability, isSo, weight = 1]) => ({
      items: sum.items + weight,
      probability: sum.probability + weight * probability,
      isSo: sum.isSo + weight * Number(isSo),
    }),
    { items: 0, probability: 0, isSo: 0 },
  );

/** NaN without items. */
export function errorOfBins(bins: readonly BinSum[]): number {
  const gaps = bins.reduce((sum, { probability, isSo }) => sum + Math.abs(probability - isSo), 0);
  return gaps / bins.reduce((sum, { items }) => sum + items, 0);
}

/** NaN without items. */
export const calibrationError = (forecasts: readonly Forecast[], binning: Binning = 'equal width'): number =>
  errorOfBins(binned(forecasts, binning).map(binSum));
