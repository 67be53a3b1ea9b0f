/** Marked headings, and the rules between sections. Source: CommonMark 0.31, 4.1 to 4.3. */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

/** In characters. A longer line is a paragraph. */
export const LONGEST_HEADING = 100;
/** The level of headings without a marked level. It is below all marked levels. */
export const UNMARKED_LEVEL = 7;

/** A heading with hashes, with an underline, or in bold. */
export const heading: Structure = {
  starts: (page, at) => levelOf(page.lines[at] as Line) !== undefined || underlineOf(page, at) !== undefined,
  read(page, at) {
    const level = levelOf(page.lines[at] as Line);
    const behind = level === undefined ? at + 2 : at + 1;
    page.addLines('heading', at, behind, { level: level ?? (underlineOf(page, at) === '=' ? 1 : 2) });
    return behind;
  },
};

/**
 * A line that contains only dashes, stars or similar characters. It marks the end of a section and has no other
 * meaning.
 */
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

/** Returns the character that underlines this line, or undefined if the next line is not an underline. */
function underlineOf(page: Page, at: number): string | undefined {
  const { text } = page.lines[at] as Line;
  if (!page.touches(at) || text.length > LONGEST_HEADING || /[.,;:|]$/.test(text.slice(-1))) return undefined;
  return /^(=|-)\1{1,200}$/.exec((page.lines[at + 1] as Line).text)?.[1];
}
