/** Structures between two marks, which stay whole: front matter, fenced code, mathematics, quotations. */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

const LONGEST_FRONT_MATTER = 100;
/** Lines of a formula. Without a bound, marks that are never closed would be looked for from each of them. */
const LONGEST_FORMULA = 100;

export const frontMatter: Structure = {
  starts: (page, at) => at === 0 && frontMatterEnd(page) > 0,
  read(page) {
    const behind = frontMatterEnd(page);
    page.addLines('block', 0, behind);
    return behind;
  },
};

/** Source: CommonMark 0.31, 4.5. One that is not closed goes on to the end of the text. */
export const fence: Structure = {
  starts: ({ lines }, at) => fenceOf(lines[at] as Line) !== undefined,
  read(page, at) {
    const mark = fenceOf(page.lines[at] as Line) as string;
    let behind = at + 1;
    while (behind < page.lines.length && !closes(page.lines[behind] as Line, mark)) behind++;
    behind = Math.min(behind + 1, page.lines.length);
    page.addLines('block', at, behind);
    return behind;
  },
};

/** Displayed formulas and LaTeX environments, over as many lines as they take. */
export const mathematics: Structure = {
  starts: (page, at) => mathematicsEnd(page, at) > at,
  read(page, at) {
    const behind = mathematicsEnd(page, at);
    page.addLines('block', at, behind);
    return behind;
  },
};

/** Lines marked as quoted, as in Markdown and mail. */
export const quotation: Structure = {
  starts: ({ lines }, at) => (lines[at] as Line).text.startsWith('>'),
  read(page, at) {
    let behind = at + 1;
    while (page.touches(behind - 1) && page.lines[behind]?.text.startsWith('>')) behind++;
    page.addLines('block', at, behind);
    return behind;
  },
};

function frontMatterEnd({ lines }: Page): number {
  if (lines[0]?.text !== '---' || !lines[1]?.text.includes(':')) return 0;
  const close = lines.slice(1, LONGEST_FRONT_MATTER).findIndex(({ text }) => text === '---');
  return close < 0 ? 0 : close + 2;
}

function fenceOf({ text }: Line): string | undefined {
  const character = text[0];
  if (!text.startsWith('```') && !text.startsWith('~~~')) return undefined;
  let length = 3;
  while (text[length] === character) length++;
  // Three back quotes may also be those of code within a line.
  return character === '`' && text.includes('`', length) ? undefined : text.slice(0, length);
}

function closes({ text }: Line, mark: string): boolean {
  return text.startsWith(mark) && text === (mark[0] as string).repeat(text.length);
}

function mathematicsEnd(page: Page, at: number): number {
  const { text } = page.lines[at] as Line;
  if (text.startsWith('\\begin{')) return environmentEnd(page, at);
  const close = text.startsWith('$$') ? '$$' : text.startsWith('\\[') ? '\\]' : undefined;
  if (close === undefined) return at;
  const closed = text.indexOf(close, 2);
  if (closed >= 0) return closed === text.length - 2 ? at + 1 : at;
  let behind = at + 1;
  while (page.touches(behind - 1) && behind - at < LONGEST_FORMULA) {
    if (page.lines[behind++]?.text.includes(close)) return behind;
  }
  // Cut off before its end; or two dollar signs of another meaning.
  return text.length === 2 ? behind : at;
}

function environmentEnd({ lines }: Page, at: number): number {
  let depth = 0;
  let behind = at;
  do {
    for (const [mark] of (lines[behind++] as Line).text.matchAll(/\\(?:begin|end)\{/g))
      depth += mark === '\\begin{' ? 1 : -1;
  } while (depth > 0 && behind < lines.length);
  return behind;
}
