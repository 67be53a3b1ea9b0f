/**
 * Signs of characters, one bit each, and what a character is folded to, in tables by code unit. One pass over a text tells
 * the signs of all its characters, so that slow ways are gone only for the texts that need them.
 */
import { lazily, lazyRegExp } from '../runtime/lazily.js';
import { codeUnitsOf } from './code-units.js';
import { fold } from './fold.js';
import { SUSPECT } from './hidden/classes.js';
import { SPACELESS } from './text-regexp.js';
import { KEEPS_ITS_PLACES } from './words.js';

const KNOWN = 1 << 0;
/** The parts of a run: letters, digits with underscores, and apostrophes between letters. */
export const LETTER_SIGN = 1 << 1;
export const DIGIT_SIGN = 1 << 2;
export const APOSTROPHE_SIGN = 1 << 3;
/** The characters around it decide how it is folded, or where its run ends. */
export const DEPENDENT = 1 << 4;
/** It is folded to several code units, at most {@link LONGEST_FOLD}. */
export const GROWS = 1 << 5;
/** With it, words may have other offsets once the text is folded. */
export const MOVES = 1 << 6;
/** It may be hidden, or is half of a surrogate pair. */
export const MAY_BE_HIDDEN = 1 << 7;
export const SURROGATE = 1 << 8;
/** Letters of Greek and Cyrillic, which may look like Latin ones. */
export const MAY_LOOK_LATIN = 1 << 9;
/** The beginnings of tags: `<` and `[`. */
export const OPENS_TAG = 1 << 10;
export const COLON = 1 << 11;

export const LONGEST_FOLD = 8;

/** Marks and parts of syllables join with the character before them. Scripts without spaces are cut by `Intl.Segmenter`. */
const DEPENDS = lazyRegExp(String.raw`[\p{M}\u1100-\u11ff\ua960-\ua97f\ud7b0-\udfffー${SPACELESS}]`, 'u');
const ARE_LETTERS = lazyRegExp(String.raw`^\p{L}+$`, 'u');
const ARE_DIGITS = lazyRegExp(String.raw`^[\p{N}_]+$`, 'u');
const HAS_PART_OF_RUN = lazyRegExp(String.raw`['\p{L}\p{N}_]`, 'u');

/**
 * By code unit: its signs, and in the upper half its folded form, or 0 if that has several code units. An entry is 0 if
 * it is not known yet.
 */
export const unitTable = lazily(() => new Int32Array(0x10000));

/** The code unit of an entry to which its own is folded. */
export const foldOf = (entry: number): number => entry >>> 16;

/** The signs of a text, one bit each: those of all its characters. */
export function signsOf(text: string): number {
  if (text === last.text) return last.signs;
  const units = codeUnitsOf(text);
  const table = unitTable();
  let all = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = units[at] as number;
    all |= (table[unit] as number) || learn(unit);
  }
  return known(text, all);
}

let last = { text: '', signs: 0 };

/** Keeps the signs of a text for the functions that ask for them next. */
export function known(text: string, entries: number): number {
  last = { text, signs: entries & 0xffff };
  return last.signs;
}

/** Returns the entry of a code unit that is not known yet, and enters it. */
export function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  const folded = fold(character).replace('’', "'");
  let found = KNOWN | partOfRun(character, folded);
  if (folded.length > 1) found |= GROWS;
  if (!KEEPS_ITS_PLACES.test(character)) found |= MOVES;
  if (unit < 128 ? isControl(unit) : SUSPECT().test(character)) found |= MAY_BE_HIDDEN;
  if (/[\ud800-\udfff]/.test(character)) found |= SURROGATE;
  if (/[\u0370-\u052f]/.test(character)) found |= MAY_LOOK_LATIN;
  if (/[<[]/.test(character)) found |= OPENS_TAG;
  if (character === ':') found |= COLON;
  if (folded.length === 1) found |= folded.charCodeAt(0) << 16;
  unitTable()[unit] = found;
  return found;
}

/** Returns whether an ASCII character is a control character, white space excepted. */
const isControl = (unit: number) => unit < 9 || (unit > 13 && unit < 32) || unit === 127;

function partOfRun(character: string, folded: string): number {
  // A process that reads ASCII alone does not compile expressions with Unicode classes.
  if (/^[a-z]$/.test(folded)) return LETTER_SIGN;
  if (/^[0-9_]$/.test(folded)) return DIGIT_SIGN;
  if (character < '\x80' && folded !== "'") return 0;
  if (DEPENDS().test(character + folded) || folded.length > LONGEST_FOLD) return DEPENDENT;
  if (ARE_LETTERS().test(folded)) return LETTER_SIGN;
  if (ARE_DIGITS().test(folded)) return DIGIT_SIGN;
  if (folded === "'") return APOSTROPHE_SIGN;
  return HAS_PART_OF_RUN().test(folded) ? DEPENDENT : 0;
}
