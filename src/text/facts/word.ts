/**
 * The traits of a word that do not depend on its neighbours. Texts repeat their words, so the traits are kept. With them,
 * and without an expression for each token, reading the facts of new texts takes half of the time.
 */
import { lazyRegExp } from '../../runtime/lazily.js';
import { ownText } from '../recent.js';
import { Spellings } from '../spellings.js';
import { stem } from '../stem.js';
import { type Placed, placesOf } from './opposites.js';
import { oneEnglish } from './spelling.js';
import { COMMON, setOf } from './word-lists.js';

/**
 * Number of words that are kept, and the length of the longest of them. When all places are taken, all are forgotten.
 * With half as many places, the facts of eight pools of 200 passages took four fifths of the time instead of half.
 */
const MOST_KEPT = 2 ** 15;
const LONGEST_KEPT = 40;
/** No English word is longer. */
const LONGEST_STEMMED = 40;

/** Names that end in -ly, as adverbs do. */
const NAMES_IN_LY = setOf('sicily kimberly beverly connolly donnelly connelly');
const IDENTIFIER = /[0-9_]|[a-z][A-Z]/;
const FOREIGN_IDENTIFIER = lazyRegExp(String.raw`[\p{N}_]|\p{Ll}\p{Lu}`, 'u');
const NOT_ASCII = /[\u0080-\uffff]/;
/** Matches the characters that folding can change. Eight of ten English tokens have none of them. */
const CASED = /[A-Z\u0080-\uffff]/;
const CAPITAL = lazyRegExp(String.raw`^[\p{Lu}\p{Lt}]`, 'u');

export interface Word {
  readonly raw: string;
  /** The word in one letter case. */
  readonly folded: string;
  /** Its stem, in one spelling of English. */
  readonly key: string;
  /** Whether it begins with a capital. */
  readonly isCapital: boolean;
  /** Whether all its letters are capitals, and it has more than one. */
  readonly isAcronym: boolean;
  /** Whether it has digits, underscores or a capital behind a small letter. */
  readonly isIdentifier: boolean;
  /** Whether it may open a sentence and is no name. */
  readonly isCommon: boolean;
  readonly isAdverb: boolean;
  /** The scales of opposites that it is on. */
  readonly placed: readonly Placed[];
  /** Whether a fact other than a name may begin with it; undefined until a reader first asks. */
  isListed: boolean | undefined;
  /** The number of the key in the numbering below. */
  number: number;
  /** The serial number of a numbering. A reference would keep the numbering in memory. */
  numbering: number;
}

let spellings = new Spellings();
/** By number of the spelling. */
let kept: Word[] = [];

/** Returns the traits of a word as it is written. */
export const wordOf = (raw: string): Word => wordWithin(raw, 0, raw.length);

/** Returns the traits of a part of a text. A word that is kept is found without a string for the part. */
export function wordWithin(text: string, start: number, end: number): Word {
  if (end - start > LONGEST_KEPT) return made(ownText(text.slice(start, end)));
  if (spellings.size >= MOST_KEPT) {
    spellings = new Spellings();
    kept = [];
  }
  const number = spellings.numberOf(text, start, end);
  kept[number] ??= made(ownText(text.slice(start, end)));
  return kept[number];
}

function made(raw: string): Word {
  const folded = fold(raw);
  return {
    raw,
    folded,
    key: folded.length > LONGEST_STEMMED || folded === 'https' ? folded : stem(oneEnglish(folded)),
    isCapital: raw !== folded && (raw.charCodeAt(0) < 0x80 ? /^[A-Z]/.test(raw) : CAPITAL().test(raw)),
    isAcronym: raw.length > 1 && raw === raw.toUpperCase(),
    isIdentifier: IDENTIFIER.test(raw) || (NOT_ASCII.test(raw) && FOREIGN_IDENTIFIER().test(raw)),
    isCommon: COMMON.has(folded),
    isAdverb: folded.length > 5 && folded.endsWith('ly') && !NAMES_IN_LY.has(folded),
    placed: placesOf(folded),
    isListed: undefined,
    number: 0,
    numbering: 0,
  };
}

/** Folds case. Upper case comes first, because it unifies ß and ss, ς and σ. The removed dot is a remainder of İ. */
export function fold(word: string): string {
  return CASED.test(word) ? word.toUpperCase().toLowerCase().replaceAll('\u0307', '') : word;
}
