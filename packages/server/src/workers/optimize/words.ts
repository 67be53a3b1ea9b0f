/** Splits texts into words and terms as SlimContext does: runs of letters, digits and underscores. */
import { isAscii } from 'context-shaping/internal';
import { STOP_WORDS } from './stop-words.js';

/** The words and terms of a text. */
export interface Words {
  /** Texts with the same key differ only in case, punctuation and white space. */
  key: string;
  /** Number of words, including repetitions. */
  length: number;
  /** Distinct words, case folded. */
  distinct: ReadonlySet<string>;
  /** Number of occurrences of each term of TF-IDF: lower case, at least two characters, no stop words. */
  terms: ReadonlyMap<string, number>;
}

const WORD = /[\p{L}\p{N}_]+/gu;
const ASCII_WORD = /\w+/g;
/** Western European letters except µ and ß, and punctuation: their case folding is lower case. */
const FOLDS_TO_LOWER = /^[\0-\xb4\xb6-\xde\xe0-\xff\u2010-\u2027\u2030-\u205e]*$/;

export function readWords(text: string): Words {
  const inLower = text.toLowerCase();
  const lower = inLower.match(isAscii(inLower) ? ASCII_WORD : WORD) ?? [];
  const words = FOLDS_TO_LOWER.test(text) ? lower : (foldCase(text).match(WORD) ?? []);
  const terms = new Map<string, number>();
  for (const word of lower) if (isTerm(word)) terms.set(word, (terms.get(word) ?? 0) + 1);
  return { key: words.join(' '), length: words.length, distinct: new Set(words), terms };
}

/** At least two characters (not code units), and no stop word. */
function isTerm(word: string): boolean {
  const isLong = word.length > 2 || (word.length === 2 && (word.codePointAt(0) as number) <= 0xffff);
  return isLong && !STOP_WORDS.has(word);
}

/**
 * Unicode's full case folding through upper case: that of ß is SS. The dotless i is left out, because its upper case is
 * that of i. The final sigma becomes a sigma.
 */
function foldCase(text: string): string {
  const parts = text.toLowerCase().split('ı');
  return parts
    .map((part) => part.toUpperCase().toLowerCase())
    .join('ı')
    .replaceAll('ς', 'σ');
}
