/** Reads the lines that no other structure reads: headings without a mark, and sentences. */
import { LONGEST_HEADING, UNMARKED_LEVEL } from './headings.js';
import { flowsOn, type Line } from './lines.js';
import type { Page, Structure } from './page.js';
import { sentencesIn } from './sentences.js';
import { LEANING, LEANING_PAIRS } from './word-lists.js';

const LOOKED_AT = 40;
const FIRST_WORDS = /^["'“‘«(]?(\p{L}+)(?: (\p{L}+))?/u;

/** Lines up to the next blank line or structure. */
export const prose: Structure = {
  starts: () => true,
  read(page, at) {
    let behind = at + 1;
    while (page.touches(behind - 1) && page.structureAt(behind) === undefined) behind++;
    let from = at;
    if (isHeading(page, at, behind))
      page.addLines('heading', at, ++from, { level: at === 0 ? 0 : UNMARKED_LEVEL });
    // The first sentence may refer to the unit above its paragraph, which may be code or a list.
    let last = page.last;
    while (from < behind) {
      let next = from + 1;
      while (next < behind && flowsOn(page.lines, next - 1)) next++;
      last = addSentences(page, page.lines[from] as Line, page.lines[next - 1] as Line, last);
      from = next;
    }
    return behind;
  },
};
/**
 * Returns whether a line is a heading: a short line that breaks off before the text under it, or that is a paragraph of
 * its own.
 */
function isHeading(page: Page, at: number, behind: number): boolean {
  const { lines } = page;
  const { text } = lines[at] as Line;
  if (text.length > LONGEST_HEADING || /^\p{Ll}/u.test(text) || /[.,;:…。，、；：]["'”’)]*$/.test(text))
    return false;
  const next = lines[at + 1];
  if (next === undefined) return false;
  if (behind > at + 1) return !flowsOn(lines, at) && next.text.length > text.length;
  return next.afterBlank && !/[!?！？]["'”’)]*$|: |\]\(|`/.test(text);
}

/**
 * Adds the sentences from one line to another.
 *
 * @returns the index of the last sentence.
 */
function addSentences(page: Page, first: Line, last: Line, previous: number | undefined): number {
  let before = previous;
  for (const { start, end } of sentencesIn(page.text, first.end - first.text.length, last.end))
    before = page.add('sentence', start, end, first.indent, {
      leansOn: before !== undefined && leans(page.text.slice(start, start + LOOKED_AT)) ? before : undefined,
    });
  return before as number;
}

function leans(beginning: string): boolean {
  const [, first = '', second] = FIRST_WORDS.exec(beginning.toLowerCase()) ?? [];
  return LEANING.has(first) || (second !== undefined && LEANING_PAIRS.has(`${first} ${second}`));
}
