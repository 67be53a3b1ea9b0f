import { structureOf } from '../../structures/index.js';
import type { Kind } from './kind.js';

const FEWEST_ROWS = 3;
/** Delimiters of cells, and their least number in a row: sentences have commas too. */
const DELIMITERS = [
  [/\|/g, 1],
  [/\t/g, 1],
  [/,/g, 2],
  [/;/g, 1],
  [/ {2,}/g, 2],
] as const;

/** Rows of cells: Markdown, delimited values, columns of a terminal. Its rows keep their header. */
export const table = {
  name: 'table',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    if (filled.length < FEWEST_ROWS) return 0;
    const shares = DELIMITERS.map(([delimiter, fewest]) => {
      const counts = filled.map((line) => line.trim().match(delimiter)?.length ?? 0);
      const [usual, rows] = mostFrequent(counts);
      return usual < fewest ? 0 : rows / filled.length;
    });
    return 0.8 * Math.max(...shares);
  },
  read: (text) => structureOf(text),
} as const satisfies Kind;

/** The most frequent of some numbers, the first if there are several, and how often it occurs. */
function mostFrequent(numbers: readonly number[]): [value: number, count: number] {
  const counts = new Map<number, number>();
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0]);
}
