/**
 * Signs of characters, one bit each, in a table by code unit. One pass over a text tells the signs of all its characters, so
 * that slow ways are gone only for the texts that need them.
 */
import { lazily } from '../runtime/lazily.js';
import { codeUnitsOf } from './code-units.js';
import { SUSPECT } from './hidden/classes.js';
import { KEEPS_ITS_PLACES } from './words.js';

const KNOWN = 1 << 0;
/** With it, words may have other offsets once the text is folded. */
export const MOVES = 1 << 1;
/** It may be hidden, or is half of a surrogate pair. */
export const MAY_BE_HIDDEN = 1 << 2;
export const SURROGATE = 1 << 3;
/** Letters of Greek and Cyrillic, which may look like Latin ones. */
export const MAY_LOOK_LATIN = 1 << 4;
/** The beginnings of tags: `<` and `[`. */
export const OPENS_TAG = 1 << 5;
export const COLON = 1 << 6;

/** By code unit: its signs, or 0 if it is not known yet. */
const unitTable = lazily(() => new Uint8Array(0x10000));

/** The signs of a text, one bit each: those of all its characters. */
export function signsOf(text: string): number {
  if (text === last.text) return last.signs;
  const units = codeUnitsOf(text);
  const table = unitTable();
  let signs = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = units[at] as number;
    signs |= (table[unit] as number) || learn(unit);
  }
  last = { text, signs };
  return signs;
}

/** The signs of a text for the functions that ask for them next. */
let last = { text: '', signs: 0 };

/** Returns the entry of a code unit that is not known yet, and enters it. */
function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  let found = KNOWN;
  if (!KEEPS_ITS_PLACES.test(character)) found |= MOVES;
  if (unit < 128 ? isControl(unit) : SUSPECT().test(character)) found |= MAY_BE_HIDDEN;
  if (/[\ud800-\udfff]/.test(character)) found |= SURROGATE;
  if (/[\u0370-\u052f]/.test(character)) found |= MAY_LOOK_LATIN;
  if (/[<[]/.test(character)) found |= OPENS_TAG;
  if (character === ':') found |= COLON;
  unitTable()[unit] = found;
  return found;
}

/** Returns whether an ASCII character is a control character, white space excepted. */
const isControl = (unit: number) => unit < 9 || (unit > 13 && unit < 32) || unit === 127;
