/** Structures between two marks, which stay whole: front matter, fenced code, mathematics, quotations. */
import { isCode } from './code.js';
import type { Line } from './lines.js';
import type { Page, Stray, Structure } from './page.js';

const LONGEST_FRONT_MATTER = 100;
/**
 * Most lines of a formula. Without a bound, each mark that is never closed would cause a search to the end of the text.
 */
const LONGEST_FORMULA = 100;

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
 * Fenced code. A block that is not closed continues to the end of the text, without the missing fence. Source:
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

/**
 * A closing fence whose opening fence is missing. The first fence of a text that was cut out of a longer one may close
 * a block that began before the text. The lines above it are then code.
 */
export const strayFence: Structure = {
  starts: (page, at) => {
    page.stray ??= strayOf(page) ?? NO_STRAY;
    return page.stray.from === at;
  },
  read(page, from) {
    const { at } = page.stray as Stray;
    if (at > from) page.addLines('fragment', from, at);
    page.addLines('mark', at, at + 1);
    return at + 1;
  },
};

/** Displayed formulas and LaTeX environments, of any number of lines. */
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
  // Three back quotes may also enclose code within a line.
  return character === '`' && text.includes('`', length) ? undefined : text.slice(0, length);
}

/** Returns the index of the line after the one that closes the fence, or undefined if none closes it. */
function fenceEnd({ lines }: Page, at: number): number | undefined {
  const mark = fenceOf(lines[at] as Line) as string;
  for (let next = at + 1; next < lines.length; next++) if (closes(lines[next] as Line, mark)) return next + 1;
  return undefined;
}

const NO_STRAY: Stray = { from: -1, at: -1 };

/**
 * Returns the stray fence of a page, if it has one. It is the first fence, has no language, and is right below a line
 * or at the very beginning. Further, one of these is true: The next fence has a language. Or this fence is followed by a
 * blank line or nothing, and the next fence, if any, opens a block. Or the line above it is code and the line below it is
 * not.
 */
function strayOf(page: Page): Stray | undefined {
  const { lines } = page;
  const at = lines.findIndex((line) => fenceOf(line) !== undefined);
  const mark = at < 0 ? undefined : fenceOf(lines[at] as Line);
  if (mark === undefined || lines[at]?.text !== mark || (at > 0 && lines[at]?.afterBlank)) return undefined;
  const next = lines.findIndex((line, place) => place > at && fenceOf(line)?.startsWith(mark));
  const isCloser =
    next >= 0 && !closes(lines[next] as Line, mark)
      ? true
      : at === lines.length - 1
        ? at > 0
        : (!page.touches(at) && (next < 0 || page.touches(next))) ||
          (at > 0 && isCode(lines[at - 1] as Line) && !isCode(lines[at + 1] as Line));
  if (!isCloser) return undefined;
  let from = at;
  for (let line = at - 1; line >= 0; line--) {
    if (READS_AS_PROSE.test((lines[line] as Line).text)) break;
    if (line === 0 || lines[line]?.afterBlank) from = line;
  }
  return from === at && at > 0 ? undefined : { from, at };
}

/** A capital, and five words in a row. */
const READS_AS_PROSE = /^\p{Lu}[\p{L}'’]*(?:[,;:]? [\p{L}\d'’]+){4}/u;

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
  // The formula is cut off before its end, or the two dollar signs have another meaning.
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
