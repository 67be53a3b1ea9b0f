/** The lines of a log without what only a terminal or a clock needs. */

import { TERMINAL_CODES } from '../../sanitising.js';

/** Terminal codes, colours as some programs print them, with `^[`, and control characters. */
const TERMINAL = new RegExp(
  `${TERMINAL_CODES.source}|\\^\\[\\[[\\d;]*[mK]|[\\u0000-\\u0008\\u000b\\u000e-\\u001f]`,
  'g',
);

/** Common forms of a time stamp at the beginning of a line. Job and step of GitHub's command line stand before it. */
const STAMPS = [
  /^\uFEFF?(?:[^\t\n]*\t[^\t\n]*\t)?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?\]?:?[ \t]?/,
  /^\[?\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?\]?:?[ \t]?/,
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?[ \t]?/,
  /^\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?:?[ \t]/,
  /^\[ *\d+\.\d{3,}\][ \t]?/,
];
/** Least share of lines with a form, so that it is one of the log and not of a message. */
const STAMPED = 0.5;

export interface CleanLog {
  readonly lines: string[];
  /** Number of lines that had a time stamp. */
  readonly stamped: number;
  readonly removed: readonly string[];
}

/** As many lines as were given. */
export function cleanLog(given: readonly string[]): CleanLog {
  let terminal = 0;
  let progress = 0;
  const plain = given.map((line) => {
    const visible = line.replace(TERMINAL, '').trimEnd();
    if (visible.length < line.trimEnd().length) terminal++;
    const shown = visible.slice(visible.lastIndexOf('\r') + 1);
    if (shown.length < visible.length) progress++;
    return shown;
  });
  const filled = plain.filter((line) => line !== '').length;
  const counts = STAMPS.map((stamp) => plain.filter((line) => stamp.test(line)).length);
  const most = Math.max(...counts);
  const stamp = most > 0 && most >= filled * STAMPED ? STAMPS[counts.indexOf(most)] : undefined;
  const lines = stamp === undefined ? plain : plain.map((line) => line.replace(stamp, ''));
  const removed = [
    ...(stamp === undefined ? [] : [`without the time stamps of ${countOf(most)}`]),
    ...(progress === 0 ? [] : [`without overwritten progress in ${countOf(progress)}`]),
    ...(terminal === 0 ? [] : [`without terminal codes in ${countOf(terminal)}`]),
  ];
  return { lines, stamped: stamp === undefined ? 0 : most, removed };
}

const countOf = (lines: number): string => `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`;
