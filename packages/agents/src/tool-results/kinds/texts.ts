import { addText } from '../../structures/index.js';
import type { Kind } from './kind.js';
import { countsOf } from './log-priorities.js';

const add: Kind['add'] = (outline, text, place, _, addInner) => addText(outline, text, place, addInner);

/** Sentences in paragraphs, and every text that nothing else is surer of. */
export const prose = {
  name: 'prose',
  recognise: () => 0.2,
  add,
} as const satisfies Kind;

/** Text with headings, lists, links or fences. Its parts keep their headings. */
export const markdown = {
  name: 'markdown',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    const marked = filled.filter((line) => /^\s{0,3}(#{1,6} |[-*+] |\d+[.)] |>|```|~~~|\|)|\]\(/.test(line));
    return filled.length === 0 ? 0 : Math.min(0.7, (2 * marked.length) / filled.length);
  },
  add,
} as const satisfies Kind;

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
      const [usual, rows] = [...countsOf(counts)].reduce(
        (best, each) => (each[1] > best[1] ? each : best),
        [0, 0],
      );
      return usual < fewest ? 0 : rows / filled.length;
    });
    return 0.8 * Math.max(...shares);
  },
  add,
} as const satisfies Kind;
