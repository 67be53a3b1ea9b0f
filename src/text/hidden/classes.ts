/** The characters that may be hidden, and their classes. */
import { lazyRegExp } from '../../runtime/lazily.js';
import type { HiddenClass } from '../../types.js';

/**
 * Every character that may be hidden: default ignorable code points, controls, private use, lone surrogates,
 * noncharacters.
 */
export const SUSPECTS =
  String.raw`[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f` +
  String.raw`\u202a-\u202e\u2060-\u206f\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff` +
  String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u{f0000}-\u{10ffff}` +
  Array.from({ length: 13 }, (_, plane) => {
    const last = (0x1ffff + plane * 0x10000).toString(16);
    // Not String.raw: terser refuses an escape that a placeholder interrupts, and with it webpack.
    return `\\u{${last.slice(0, -1)}e}\\u{${last}}`;
  }).join('') +
  ']';
export const SUSPECT = lazyRegExp(SUSPECTS, 'u');
export const EACH_SUSPECT = lazyRegExp(SUSPECTS, 'gu');

/** Returns whether a code point is in one of the ranges, both ends inclusive. */
const isIn = (codePoint: number, ranges: readonly (readonly [number, number])[]): boolean =>
  ranges.some(([from, to]) => codePoint >= from && codePoint <= to);

const TAGS = [[0xe0000, 0xe007f]] as const;
const SELECTORS = [
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
  [0x180b, 0x180d],
  [0x180f, 0x180f],
] as const;
/** Characters that change the direction of text, for a character class. The same as {@link BIDIRECTIONAL}. */
export const DIRECTION_CONTROLS = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const BIDIRECTIONAL = [
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0x61c, 0x61c],
] as const;
const PRIVATE_USE = [
  [0xe000, 0xf8ff],
  [0xf0000, 0x10ffff],
] as const;
/** Returns the class of a character that may be hidden. */
export function suspectClass(codePoint: number): HiddenClass {
  if ((codePoint & 0xfffe) === 0xfffe || isIn(codePoint, [[0xfdd0, 0xfdef]])) return 'noncharacter';
  if (codePoint < 0xa0) return codePoint === 0xad ? 'zero-width' : 'control';
  if (isIn(codePoint, TAGS)) return 'tag';
  if (isIn(codePoint, SELECTORS)) return 'variation-selector';
  if (isIn(codePoint, BIDIRECTIONAL)) return 'bidirectional';
  if (isIn(codePoint, [[0xd800, 0xdfff]])) return 'surrogate';
  return isIn(codePoint, PRIVATE_USE) ? 'private-use' : 'zero-width';
}

/** Returns whether a code point is a character that may be hidden. */
export const isSuspect = (codePoint: number): boolean => SUSPECT().test(String.fromCodePoint(codePoint));

const MOST_SHOWN = 120;
const PRINTS = lazyRegExp(String.raw`[\p{L}\p{N}\p{P}\p{S} ]`, 'u');

/** Writes a character as a code point escape. */
export const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) as number).toString(16).toUpperCase()}}`;

/** Escapes unprintable characters and cuts the text to 120 characters. */
export function printable(text: string): string {
  let shown = '';
  for (const each of text) {
    const prints = PRINTS().test(each) && !isSuspect(each.codePointAt(0) as number);
    const next = prints ? each : escaped(each);
    if (shown.length + next.length > MOST_SHOWN) break;
    shown += next;
  }
  return shown;
}
