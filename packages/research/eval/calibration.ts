/**
 * How well probabilities tell what is so from what is not, and whether they are what they say.
 *
 *   AUC = share of pairs, one that is so and one that is not, in which the first has the greater probability; a tie is half
 *
 * Source: J. Hanley, B. McNeil, "The meaning and use of the area under a ROC curve", 1982.
 */
import { mean } from '../../devtools/src/measurement/index.js';
import { binned, calibrationError, type Forecast } from './reliability.js';
import type { Table } from './results.js';
import { short } from './tables.js';

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
