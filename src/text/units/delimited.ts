/** Structures between two marks, which stay whole: front matter, fenced code and formulas, quotations. */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

const LONGEST_FRONT_MATTER = 100;
/** Front matter between lines of three dashes, at the start of a text. */
export const frontMatter: Structure = {
  starts: (page, at) => at === 0 && frontMatterEnd(page) > 0,
  read(page) {
    const behind = frontMatterEnd(page);
    page.addLines('block', 0, behind);
    return behind;
  },
};

/**
 * Fenced code, and formulas between two lines of two dollar signs. A block that is not closed continues to the end of the text, without the missing fence. Source:
 * CommonMark 0.31, 4.5.
 */
export const fence: Structure = {
  starts: ({ lines }, at) => fenceOf(lines[at] as Line) !== undefined,
  read(page, at) {
    const behind = fenceEnd(page, at);
    if (behind !== undefined) {
      page.addLines('block', at, behind);
      return behind;
    }
    page.addLines('mark', at, at + 1);
    if (at + 1 < page.lines.length) page.addLines('fragment', at + 1, page.lines.length);
    return page.lines.length;
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
  if (text === '$$') return text;
  const character = text[0];
  if (!text.startsWith('```') && !text.startsWith('~~~')) return undefined;
  let length = 3;
  while (text[length] === character) length++;
  // Three back quotes may also enclose code within a line.
  return character === '`' && text.includes('`', length) ? undefined : text.slice(0, length);
}

/** Returns the index of the line after the one that closes the fence, or undefined if none closes it. */
function fenceEnd({ lines }: Page, at: number): number | undefined {
  const mark = fenceOf(lines[at] as Line) as string;
  for (let next = at + 1; next < lines.length; next++) if (closes(lines[next] as Line, mark)) return next + 1;
  return undefined;
}

function closes({ text }: Line, mark: string): boolean {
  return text.startsWith(mark) && text === (mark[0] as string).repeat(text.length);
}
