/** Finds the runs at which tokenizers split a text, and the length of a text in UTF-8. */

import { classOf, LETTER, SYMBOL } from '../text/characters.js';
import { codePointAt } from '../text/code-units.js';

const UTF8 = new TextEncoder();

/**
 * Returns the end of the piece that begins at `start`: letters, digits, white space, or symbols with the line breaks
 * after them. The loop reads single characters, because a regular expression with Unicode classes takes four times as
 * long.
 *
 * @param length the number of code units of the text.
 */
export function pieceEnd(units: Uint16Array, start: number, length: number): number {
  const kind = classAt(units, start);
  let end = start;
  while (end < length) {
    const unit = units[end] as number;
    if (isHalf(unit)) {
      if (classAt(units, end) !== kind) break;
      end += isPair(units, end) ? 2 : 1;
    } else if (classOf(unit) === kind) end++;
    else break;
  }
  if (kind === SYMBOL) while (end < length && isLineBreak(units[end] as number)) end++;
  return end;
}

/**
 * Returns the end of the word that begins at `start`, a letter. A capital behind a small letter begins a new word, if both
 * are in ASCII. The loop tests for ASCII first, because most letters are in it.
 */
export function wordEnd(units: Uint16Array, start: number, length: number): number {
  let isSmall = false;
  let end = start;
  while (end < length) {
    const unit = units[end] as number;
    if (unit < 0x80) {
      const isCapital = unit >= 65 && unit <= 90;
      if (isCapital && isSmall) break;
      isSmall = unit >= 97 && unit <= 122;
      if (!isSmall && !isCapital) break;
      end++;
      continue;
    }
    if (classAt(units, end) !== LETTER) break;
    isSmall = false;
    end += isHalf(unit) && isPair(units, end) ? 2 : 1;
  }
  return end;
}

/** Returns the class of the character that begins at an index. */
export function classAt(units: Uint16Array, at: number): number {
  const unit = units[at] as number;
  return classOf(isHalf(unit) ? codePointAt(units, at) : unit);
}

/** Returns whether a code unit is half of a surrogate pair. */
export const isHalf = (code: number) => code >= 0xd800 && code < 0xe000;

/** Returns whether a surrogate pair begins at an index. */
export const isPair = (units: Uint16Array, at: number) => codePointAt(units, at) > 0xffff;

export const isLineBreak = (code: number) => code === 10 || code === 13;

/** Returns the number of bytes of a text in UTF-8. A lone surrogate becomes U+FFFD, which has three bytes. */
export function utf8Length(text: string): number {
  return UTF8.encode(text).length;
}
