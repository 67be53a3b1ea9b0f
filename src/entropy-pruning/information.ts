/**
 * How many bits a text takes in a code made for familiar English: what everybody writes is cheap in it, what
 * nobody could have guessed is dear.
 *
 *   word that is common      −log2 of the share of messages that have it (`background-words.ts`), or 5 bits for the
 *                            furniture of pages and letters
 *   any other word           4.14 bits a letter, the entropy of single letters of English
 *   capital within a phrase  4 bits more, for a name may be made of common words
 *   number n                 2⌊log2 n⌋ + 1 bits, the Elias gamma code of its digits, so that "step 3 of 5" is
 *                            cheap; 3 more where it has a point, comma or colon
 *   symbol                   5 bits, one of 32; none for the punctuation of sentences
 *   what was there before    at most log2 of the different words so far, to point at it
 *
 * No word says more than 15 bits, however long it is: that is for the bits per character.
 *
 * Sources: C. E. Shannon, "Prediction and Entropy of Printed English", Bell System Technical Journal 30, 1951
 * (4.14); P. Elias, "Universal codeword sets and representations of the integers", IEEE Transactions on
 * Information Theory 21, 1975; K. Spärck Jones, 1972 (specificity of words).
 */

import { lazyRegExp } from '../runtime/lazily.js';
import { bitsOf } from '../text/background.js';
import { BACKGROUND_WORDS, FURNITURE } from '../text/background-words.js';
import { stem } from '../text/stem.js';
import { wordsIn } from '../text/words.js';

const LETTER_BITS = 4.14;
const DIGIT_BITS = Math.log2(10);
const SYMBOL_BITS = 5;
const CAPITAL_BITS = 4;
const MARK_BITS = 3;
const UNKNOWN_WORD_BITS = 13;
const FURNITURE_BITS = 5;
const MOST_BITS = 15;

const PIECE = lazyRegExp(
  String.raw`\p{L}[\p{L}\p{M}]{0,255}(?:['’]\p{L}{1,255})*|\p{N}+(?:[.,:]\p{N}+)*|[^\s\p{L}\p{N}]`,
  'gu',
);
/** What a piece begins with. */
const LETTER = lazyRegExp(String.raw`^\p{L}`, 'u');
const UPPER_CASE = lazyRegExp(String.raw`^\p{Lu}`, 'u');
const LOWER_CASE = lazyRegExp(String.raw`^\p{Ll}`, 'u');
const NUMBER = lazyRegExp(String.raw`^\p{N}`, 'u');
const SENTENCE_MARK = /[.,!?'"()\-…‘’“”]/;
/** Marks after which a capital still stands within a phrase. */
const WITHIN_PHRASE = /[,'"‘’“”]/;

export interface Information {
  /** Words and numbers. */
  words: number;
  wordBits: number;
  /** Characters but white space. */
  characters: number;
  characterBits: number;
}

let bitsOfStem: Map<string, number> | undefined;

function familiar(word: string): number | undefined {
  bitsOfStem ??= bitsOf([...BACKGROUND_WORDS, [FURNITURE_BITS, FURNITURE]]);
  return bitsOfStem.get(stem(word)) ?? bitsOfStem.get(stem(american(word)));
}

/** The messages that were counted are spelled so. */
const american = (word: string): string =>
  word
    .replace(/is(?=e[ds]?$|ing$|ations?$)/, 'iz')
    .replace(/(?<=[a-z]{2})our(?=s?$|ed$|ing$|ite|able)/, 'or');

/** @returns zeros for a text without a character. */
export function informationOf(text: string): Information {
  const total: Information = { words: 0, wordBits: 0, characters: 0, characterBits: 0 };
  const seen = new Set<string>();
  let afterLowerCase = false;
  const add = (key: string, length: number, wordBits: number, characterBits: number): void => {
    const most = seen.has(key) ? Math.log2(seen.size) : Number.POSITIVE_INFINITY;
    seen.add(key);
    total.words++;
    total.wordBits += Math.min(wordBits, MOST_BITS, most);
    total.characters += length;
    total.characterBits += Math.min(characterBits, most);
  };
  for (const [piece] of text.normalize('NFKC').matchAll(PIECE())) {
    if (LETTER().test(piece)) {
      const capital = afterLowerCase && UPPER_CASE().test(piece) ? CAPITAL_BITS : 0;
      for (const word of wordsIn([piece.toLowerCase().replaceAll('’', "'")])) {
        const known = familiar(word);
        const spelled = known ?? spelling(word);
        add(word, word.length, (known ?? Math.min(UNKNOWN_WORD_BITS, spelled)) + capital, spelled + capital);
      }
      afterLowerCase = LOWER_CASE().test(piece);
    } else if (NUMBER().test(piece)) {
      const bits = numberBits(piece);
      add(piece, piece.length, bits, Math.max(bits, DIGIT_BITS * piece.length));
      afterLowerCase = false;
    } else {
      total.characters++;
      if (!SENTENCE_MARK.test(piece)) total.characterBits += SYMBOL_BITS;
      afterLowerCase &&= WITHIN_PHRASE.test(piece);
    }
  }
  return total;
}

/** Runs of one letter count once: "aaaah" says no more than "ah". */
const spelling = (word: string): number => LETTER_BITS * word.replace(/(.)\1+/gu, '$1').length;

function numberBits(number: string): number {
  const digits = number.replace(/[.,:]/g, '');
  const value = Math.max(1, Number(digits) || 1);
  const exponent = Math.min(MOST_BITS, Math.floor(Math.log2(value)));
  return 2 * exponent + 1 + (digits.length < number.length ? MARK_BITS : 0);
}
