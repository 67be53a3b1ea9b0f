/** Texts as words and terms, as SlimContext cuts them: runs of letters, digits and underscores. */
import { STOP_WORDS } from './stop-words.js';

/** What one text is made of. Words and terms are numbers that the vocabulary gave out. */
export interface Words {
  /** How many there are, repetitions counted. */
  length: number;
  /** Distinct words, case folded. */
  distinct: Int32Array;
  /** Terms of TF-IDF and how often each occurs: lower case, of two characters or more, no stop words. */
  terms: ReadonlyMap<number, number>;
}

const WORD = /[\p{L}\p{N}_]+/gu;
const ASCII_WORD = /\w+/g;
const IS_ASCII = /^[\0-\x7f]*$/;

/** The words of texts that are compared with each other. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #isTerm: boolean[] = [];

  read(text: string): Words {
    const lower = text.toLowerCase();
    if (IS_ASCII.test(text)) {
      const numbers = this.#number(lower.match(ASCII_WORD) ?? []);
      return { length: numbers.length, distinct: distinctOf(numbers), terms: this.#count(numbers) };
    }
    const numbers = this.#number(foldCase(text).match(WORD) ?? []);
    const terms = this.#count(this.#number(lower.match(WORD) ?? []));
    return { length: numbers.length, distinct: distinctOf(numbers), terms };
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

  #count(numbers: Int32Array): Map<number, number> {
    const counts = new Map<number, number>();
    for (const number of numbers) if (this.#isTerm[number]) counts.set(number, (counts.get(number) ?? 0) + 1);
    return counts;
  }
}

/** Texts with the same key are the same but for case, punctuation and space. */
export function keyOf(text: string): string {
  const words = IS_ASCII.test(text) ? text.toLowerCase().match(ASCII_WORD) : foldCase(text).match(WORD);
  return words?.join(' ') ?? '';
}

/** Of two characters or more (one can take two places), and no stop word. */
function isTerm(word: string): boolean {
  const isLong = word.length > 2 || (word.length === 2 && (word.codePointAt(0) as number) <= 0xffff);
  return isLong && !STOP_WORDS.has(word);
}

/**
 * Unicode's full case folding, by way of capitals: those of ß are SS. The dotless i must not get one, for it would be
 * that of i. No final sigma.
 */
function foldCase(text: string): string {
  const parts = text.toLowerCase().split('ı');
  return parts
    .map((part) => part.toUpperCase().toLowerCase())
    .join('ı')
    .replaceAll('ς', 'σ');
}

const distinctOf = (numbers: Int32Array) => Int32Array.from(new Set(numbers));
