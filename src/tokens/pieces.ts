/** Finds the runs at which tokenizers split a text, and the length of a text in UTF-8. */

import { classOf, SYMBOL } from '../text/characters.js';

const UTF8 = new TextEncoder();

/**
 * Returns the end of the piece that begins at `start`: letters, digits, white space, or symbols with the line breaks
 * after them. The loop reads single characters, because a regular expression with Unicode classes takes four times as
 * long.
 */
export function pieceEnd(text: string, start: number): number {
  const kind = classAt(text, start);
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (classOf(isHalf(code) ? (text.codePointAt(end) as number) : code) !== kind) break;
    end += isHalf(code) && isPair(text, end) ? 2 : 1;
  }
  if (kind === SYMBOL) while (isLineBreak(text.charCodeAt(end))) end++;
  return end;
}

/** Returns the class of the character that begins at an index. */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return classOf(isHalf(code) ? (text.codePointAt(at) as number) : code);
}

/** Returns whether a code unit is half of a surrogate pair. */
export const isHalf = (code: number) => code >= 0xd800 && code < 0xe000;

/** Returns whether a surrogate pair begins at an index. */
export const isPair = (text: string, at: number) => (text.codePointAt(at) as number) > 0xffff;

export const isLineBreak = (code: number) => code === 10 || code === 13;

/** Returns the number of bytes of a text in UTF-8. A lone surrogate becomes U+FFFD, which has three bytes. */
export function utf8Length(text: string): number {
  return UTF8.encode(text).length;
}
