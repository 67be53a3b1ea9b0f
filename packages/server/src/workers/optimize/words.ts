/** Splits texts into words and terms as SlimContext does: runs of letters, digits and underscores. */
import { isAscii } from 'context-shaping/internal';
import { STOP_WORDS } from './stop-words.js';

/** The words and terms of a text, as numbers of the vocabulary. */
export interface Words {
  /** Texts with the same key differ only in case, punctuation and white space. */
  key: string;
  /** Number of words, including repetitions. */
  length: number;
  /** Distinct words, case folded, ascending. */
  distinct: Int32Array;
  /** Distinct terms of TF-IDF, ascending: lower case, at least two characters, no stop words. */
  terms: Int32Array;
  /** Number of occurrences of each term. */
  counts: Int32Array;
}

const WORD = /[\p{L}\p{N}_]+/gu;
const ASCII_WORD = /\w+/g;
/** Western European letters except µ and ß, and punctuation: their case folding is lower case. */
const FOLDS_TO_LOWER = /^[\0-\xb4\xb6-\xde\xe0-\xff\u2010-\u2027\u2030-\u205e]*$/;

/** Numbers the words of texts that are compared with each other. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #isTerm: boolean[] = [];

  read(text: string): Words {
    const lower = text.toLowerCase();
    const inLower = this.#number(lower.match(isAscii(lower) ? ASCII_WORD : WORD) ?? []);
    const words = FOLDS_TO_LOWER.test(text) ? inLower : this.#number(foldCase(text).match(WORD) ?? []);
    // Bytes as characters: the fastest way to a string that is equal only for equal numbers.
    const key = Buffer.from(words.buffer).toString('latin1');
    const tallied = tally(words);
    const { distinct, counts } = words === inLower ? tallied : tally(inLower);
    const areTerms = distinct.map((word) => Number(this.#isTerm[word]));
    return {
      key,
      length: words.length,
      distinct: tallied.distinct,
      terms: distinct.filter((_, at) => areTerms[at]),
      counts: counts.filter((_, at) => areTerms[at]),
    };
  }

  #number(words: readonly string[]): Int32Array {
    const numbers = new Int32Array(words.length);
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as string;
      let number = this.#numbers.get(word);
      if (number === undefined) {
        number = this.#isTerm.length;
        this.#numbers.set(word, number);
        this.#isTerm.push(isTerm(word));
      }
      numbers[at] = number;
    }
    return numbers;
  }
}

/** Sorts the numbers and counts equal ones. */
function tally(numbers: Int32Array): { distinct: Int32Array; counts: Int32Array } {
  numbers.sort();
  const distinct = new Int32Array(numbers.length);
  const counts = new Int32Array(numbers.length);
  let last = -1;
  for (let at = 0; at < numbers.length; at++) {
    if (at === 0 || numbers[at] !== numbers[at - 1]) distinct[++last] = numbers[at] as number;
    counts[last] = (counts[last] as number) + 1;
  }
  return { distinct: distinct.subarray(0, last + 1), counts: counts.subarray(0, last + 1) };
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
