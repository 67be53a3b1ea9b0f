import { lazyRegExp } from '../runtime/lazily.js';

/**
 * Classes of characters. A table keeps each class once it is known, because regular expressions with Unicode classes
 * are slower.
 */
export const LETTER = 1;
export const NUMBER = 2;
export const SPACE = 3;
export const SYMBOL = 4;

export const LETTER_OR_MARK = lazyRegExp(String.raw`[\p{L}\p{M}]`, 'u');
export const ANY_NUMBER = lazyRegExp(String.raw`\p{N}`, 'u');

/** The first UTF-16 code units of a text, without half of a surrogate pair at the end. */
export const beginningOf = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/** Returns whether `text.slice(start, end)` contains only ASCII. */
export function isAscii(text: string, start = 0, end = text.length): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Classes by code unit; 0 if not known yet. */
const classes = new Uint8Array(0x10000);

/**
 * Returns the class of a code point: `LETTER` for letters and marks, `NUMBER`, `SPACE` for white space, otherwise
 * `SYMBOL`.
 */
export function classOf(codePoint: number): number {
  return classes[codePoint] || learn(codePoint);
}

function learn(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  let found = SYMBOL;
  if (LETTER_OR_MARK().test(character)) found = LETTER;
  else if (ANY_NUMBER().test(character)) found = NUMBER;
  else if (/\s/.test(character)) found = SPACE;
  // The table has no entry beyond code unit 0xffff. There this assignment does nothing.
  classes[codePoint] = found;
  return found;
}

/** Greatest number of marks in a row that any writing needs. */
const MOST_MARKS = 30;
const MARK = String.raw`(?:[^\P{M}\u034f]|[\uff9e\uff9f])`;
const MARKS = lazyRegExp(`${MARK}{${MOST_MARKS}}(?=${MARK})`, 'gu');
const MARK_OR_HALF = lazyRegExp(String.raw`[\p{M}\uff9e\uff9f\ud800-\udfff]`, 'u');

/**
 * Returns the normal form of a text in linear time. Marks are sorted, which takes the square of their number, so a joiner that
 * is not shown (U+034F) is put behind every 30 in a row.
 *
 * Source: Unicode Standard Annex #15, section 13, "Stream-Safe Text Format".
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return (mayHaveMarks(text) ? text.replace(MARKS(), '$&\u034f') : text).normalize(form);
}

/** Returns whether there may be more marks in a row. As in the search of Boyer and Moore, few characters are looked at. */
function mayHaveMarks(text: string): boolean {
  const isMark = (at: number) => text.charCodeAt(at) >= 0x300 && MARK_OR_HALF().test(text.charAt(at));
  for (let end = MOST_MARKS; end < text.length; ) {
    let at = end;
    while (at >= end - MOST_MARKS && isMark(at)) at--;
    if (at < end - MOST_MARKS) return true;
    end = at + MOST_MARKS + 1;
  }
  return false;
}
