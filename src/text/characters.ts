import { lazyRegExp } from '../runtime/lazily.js';

/** Classes of characters, from a table that fills as they are met: what expressions with Unicode classes take longer for. */
export const LETTER = 1;
export const NUMBER = 2;
export const SPACE = 3;
export const SYMBOL = 4;

export const LETTER_OR_MARK = lazyRegExp(String.raw`[\p{L}\p{M}]`, 'u');
export const ANY_NUMBER = lazyRegExp(String.raw`\p{N}`, 'u');

/** Is `text.slice(start, end)` of ASCII alone? */
export function isAscii(text: string, start = 0, end = text.length): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** By code unit; 0 where it is not known yet. */
const classes = new Uint8Array(0x10000);

/** `LETTER` for letters and marks, `SPACE` for white space, `SYMBOL` for all that is none of the others. */
export function classOf(codePoint: number): number {
  return classes[codePoint] || learn(codePoint);
}

function learn(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  let found = SYMBOL;
  if (LETTER_OR_MARK().test(character)) found = LETTER;
  else if (ANY_NUMBER().test(character)) found = NUMBER;
  else if (/\s/.test(character)) found = SPACE;
  // Beyond the table this does nothing.
  classes[codePoint] = found;
  return found;
}
