/**
 * How well probabilities tell what is so from what is not, and whether they are what they say.
 *
 *   AUC = share of pairs, one that is so and one that is not, in which the first has the greater probability; a tie is half
 *   ECE = Σ_bins |sum of probabilities − number that are so| / items
 *
 * Bins are of equal width, a tenth each, or of equal mass: each has a tenth of the items, equal probabilities together.
 *
 * Sources: J. Hanley, B. McNeil, "The meaning and use of the area under a ROC curve", 1982; M. Naeini, G. Cooper,
 * M. Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian Binning", 2015.
 */
import { mean } from './bootstrap.js';
import type { Table } from './results.js';
import { short } from './tables.js';

/** A probability, whether it is so, and how much it counts: 1 if absent. */
export type Forecast = readonly [probability: number, isSo: boolean, weight?: number];
type Binning = 'equal width' | 'equal mass';

/** NaN without one of both. */
export function areaUnderCurve(right: readonly number[], wrong: readonly number[]): number {
  const all = [...right.map((grade) => [grade, 1] as const), ...wrong.map((grade) => [grade, 0] as const)];
  all.sort(([a], [b]) => a - b);
  let wins = 0;
  for (let start = 0, below = 0; start < all.length; ) {
    let end = start;
    let rightHere = 0;
    for (; end < all.length && all[end]?.[0] === all[start]?.[0]; end++) rightHere += all[end]?.[1] as number;
    const wrongHere = end - start - rightHere;
    wins += rightHere * (below + wrongHere / 2);
    below += wrongHere;
    start = end;
  }
  return wins / (right.length * wrong.length);
}

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

/** NaN without items. */
export function calibrationError(forecasts: readonly Forecast[], binning: Binning = 'equal width'): number {
  const gaps = binned(forecasts, binning).map((bin) =>
    Math.abs(
      bin.reduce((sum, [probability, isSo, weight = 1]) => sum + weight * (probability - Number(isSo)), 0),
    ),
  );
  const total = forecasts.reduce((sum, [, , weight = 1]) => sum + weight, 0);
  return gaps.reduce((sum, gap) => sum + gap, 0) / total;
}

const probabilityOf = (forecasts: readonly Forecast[]) => mean(forecasts.map(([probability]) => probability));
const shareOf = (forecasts: readonly Forecast[]) => mean(forecasts.map(([, isSo]) => Number(isSo)));

/** One row per set that has forecasts, and one of all together. */
export function calibrationTable(title: string, sets: ReadonlyMap<string, readonly Forecast[]>): Table {
  const having = [...sets].filter(([, { length }]) => length > 0);
  const rows = [...having, ['all', having.flatMap(([, own]) => own)] as const];
  const gradesThat = (forecasts: readonly Forecast[], wanted: boolean) =>
    forecasts.filter(([, isSo]) => isSo === wanted).map(([probability]) => probability);
  return {
    title,
    columns: [
      'set',
      'items',
      'mean probability',
      'share that is so',
      'ECE, equal width',
      'ECE, equal mass',
      'AUC',
    ],
    rows: rows.map(([name, own]) => [
      name,
      own.length,
      short(probabilityOf(own)),
      short(shareOf(own)),
      short(calibrationError(own)),
      short(calibrationError(own, 'equal mass')),
      short(areaUnderCurve(gradesThat(own, true), gradesThat(own, false))),
    ]),
    notes: [],
  };
}

/** What is said beside what is so, bin by bin. */
export function reliabilityTable(title: string, forecasts: readonly Forecast[]): Table {
  return {
    title,
    columns: ['bins', 'items', 'mean probability', 'share that is so'],
    rows: (['equal width', 'equal mass'] as const).flatMap((binning) =>
      binned(forecasts, binning).map((bin, at) => [
        `${binning}, ${at + 1}`,
        bin.length,
        short(probabilityOf(bin)),
        short(shareOf(bin)),
      ]),
    ),
    notes: [],
  };
}
