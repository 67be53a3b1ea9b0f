/** Headings that are marked as such, and the rules between sections. Source: CommonMark 0.31, 4.1 to 4.3. */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

/** Characters; what is longer is a paragraph. */
export const LONGEST_HEADING = 100;
/** What is not marked with a level is below all that is. */
export const UNMARKED_LEVEL = 7;

export const heading: Structure = {
  starts: (page, at) => levelOf(page.lines[at] as Line) !== undefined || underlineOf(page, at) !== undefined,
  read(page, at) {
    const level = levelOf(page.lines[at] as Line);
    const behind = level === undefined ? at + 2 : at + 1;
    page.addLines('heading', at, behind, { level: level ?? (underlineOf(page, at) === '=' ? 1 : 2) });
    return behind;
  },
};

/** A line of nothing but dashes, stars or the like: it says where a section ends, and nothing else. */
export const rule: Structure = {
  starts: ({ lines }, at) => /^[-*_=~–—─━\s]{3,200}$/.test((lines[at] as Line).text),
  read(page, at) {
    page.addLines('mark', at, at + 1);
    return at + 1;
  },
};

function levelOf({ text }: Line): number | undefined {
  const hashes = /^#{1,6}(?=\s|$)/.exec(text)?.[0];
  if (hashes !== undefined) return hashes.length;
  return text.length <= LONGEST_HEADING && /^(\*\*|__)[^*_]+(?:\1:?|:\1)$/.test(text)
    ? UNMARKED_LEVEL
    : undefined;
}

/** The character that underlines this line, if the next one does. */
function underlineOf(page: Page, at: number): string | undefined {
  const { text } = page.lines[at] as Line;
  if (!page.touches(at) || text.length > LONGEST_HEADING || /[.,;:|]$/.test(text.slice(-1))) return undefined;
  return /^(=|-)\1{1,200}$/.exec((page.lines[at + 1] as Line).text)?.[1];
}
