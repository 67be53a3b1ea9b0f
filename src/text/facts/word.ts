/** The traits of a word that do not depend on its neighbours. */
import { lazyRegExp } from '../../runtime/lazily.js';
import { stem } from '../stem.js';
import { oneEnglish } from './spelling.js';
import { COMMON, setOf } from './word-lists.js';

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
}

/** Returns the traits of a word as it is written. */
export function wordOf(raw: string): Word {
  const folded = fold(raw);
  return {
    raw,
    folded,
    key: folded.length > LONGEST_STEMMED || folded === 'https' ? folded : stem(oneEnglish(folded)),
    isCapital: raw !== folded && (raw.charCodeAt(0) < 0x80 ? /^[A-Z]/.test(raw) : CAPITAL().test(raw)),
    isAcronym: raw.length > 1 && raw === raw.toUpperCase(),
    isIdentifier: IDENTIFIER.test(raw) || (NOT_ASCII.test(raw) && FOREIGN_IDENTIFIER().test(raw)),
  };
}

/**
 * Returns whether a word is written as a name is. A word that opens its sentence is none if it is common, or an adverb.
 *
 * @param isInitial whether it is the first word of its sentence.
 */
export function isName({ folded, isCapital, isAcronym }: Word, isInitial: boolean): boolean {
  if (!isCapital || isAcronym) return isCapital;
  const isAdverb = folded.length > 5 && folded.endsWith('ly') && !NAMES_IN_LY.has(folded);
  return !COMMON.has(folded) && !(isInitial && isAdverb);
}

/** Folds case. Upper case comes first, because it unifies ß and ss, ς and σ. The removed dot is a remainder of İ. */
export function fold(word: string): string {
  return CASED.test(word) ? word.toUpperCase().toLowerCase().replaceAll('\u0307', '') : word;
}
