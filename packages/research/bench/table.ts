/** Rows as lines of text. */
import type { Summary } from './sampling.js';

export interface Row extends Summary {
  case: string;
  n: number;
  dimension: number;
  contestant: string;
  /** Its median in quiet turns as a multiple of ours. */
  ratio: number;
}

const COLUMNS: [head: string, width: number][] = [
  ['case', 25],
  ['chunks', 7],
  ['dimension', 10],
  ['contestant', 32],
  ['median ms', 11],
  ['× ours', 9],
  ['quiet ms', 11],
  ['× loop', 9],
  ['min', 11],
  ['quartiles', 23],
  ['turns', 6],
];
const NAMES = ['case', 'contestant'];

const line = (cells: readonly string[]): string =>
  COLUMNS.map(([head, width], i) => {
    const cell = cells[i] ?? '';
    return NAMES.includes(head) ? cell.padEnd(width) : cell.padStart(width);
  }).join(' ');

/** Three digits that count. */
export const short = (value: number): string => (value < 100 ? value.toPrecision(3) : value.toFixed(0));

export const HEAD = line(COLUMNS.map(([head]) => head));

/** @param isOfTexts no vectors are in it. */
export function lineOf(row: Row, isOfTexts: boolean): string {
  return line([
    row.case,
    String(row.n),
    isOfTexts ? 'text' : String(row.dimension),
    row.contestant,
    short(row.median),
    short(row.ratio),
    short(row.quiet),
    short(row.loops),
    short(row.min),
    `${short(row.lowerQuartile)} – ${short(row.upperQuartile)}`,
    String(row.turns),
  ]);
}
