/**
 * The number of bits that a text takes in a code for familiar English: common content takes few bits, unpredictable
 * content takes many.
 *
 *   common word              −log2 of the share of messages that contain it (`background-words.ts`), or 5 bits for a
 *                            stock word of web pages and letters
 *   any other word           4.14 bits a letter, the entropy of single letters of English
 *   capital within a phrase  4 bits more, because a name may consist of common words
 *   number n                 2⌊log2 n⌋ + 1 bits, the Elias gamma code of its digits, so that "step 3 of 5" takes few
 *                            bits; 3 more if it contains a point, comma or colon
 *   symbol                   5 bits, one of 32; none for the punctuation of sentences
 *   repeated word or number  at most log2 of the number of different words and numbers so far, as a reference to it
 *
 * A word has at most 15 bits, no matter how long it is. This limit does not apply to the bits per character.
 *
 * Sources: C. E. Shannon, "Prediction and Entropy of Printed English", Bell System Technical Journal 30, 1951
 * (4.14); P. Elias, "Universal codeword sets and representations of the integers", IEEE Transactions on
 * Information Theory 21, 1975; K. Spärck Jones, 1972 (specificity of words).
 */

import {
  BACKGROUND_WORDS,
  bitsOf,
  FURNITURE,
  lazily,
  lazyRegExp,
  log2,
  normalForm,
  stem,
  wordsIn,
} from '../../src/internal.js';

const LETTER_BITS = 4.14;
const DIGIT_BITS = log2(10);
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
/** The kind of a piece, by its first character. */
const LETTER = lazyRegExp(String.raw`^\p{L}`, 'u');
const UPPER_CASE = lazyRegExp(String.raw`^\p{Lu}`, 'u');
const LOWER_CASE = lazyRegExp(String.raw`^\p{Ll}`, 'u');
const NUMBER = lazyRegExp(String.raw`^\p{N}`, 'u');
const SENTENCE_MARK = /[.,!?'"()\-…‘’“”]/;
/** Marks that do not end a phrase: a capital after them is still within it. */
const WITHIN_PHRASE = /[,'"‘’“”]/;

export interface Information {
  /** Words and numbers. */
  words: number;
  wordBits: number;
  /** Characters without white space. */
  characters: number;
  characterBits: number;
}

const bitsOfStem = lazily(() => bitsOf([...BACKGROUND_WORDS, [FURNITURE_BITS, FURNITURE]]));
const familiar = (word: string): number | undefined =>
  bitsOfStem().get(stem(word)) ?? bitsOfStem().get(stem(american(word)));

/** Converts British to American spelling, which the counted messages use. */
const american = (word: string): string =>
  word
    .replace(/is(?=e[ds]?$|ing$|ations?$)/, 'iz')
    .replace(/(?<=[a-z]{2})our(?=s?$|ed$|ing$|ite|able)/, 'or');

/** Computes the information in a text. Returns zeros if the text has no characters but white space. */
export function informationOf(text: string): Information {
  const total: Information = { words: 0, wordBits: 0, characters: 0, characterBits: 0 };
  const seen = new Set<string>();
  let afterLowerCase = false;
  const add = (key: string, length: number, wordBits: number, characterBits: number): void => {
    const most = seen.has(key) ? log2(seen.size) : Number.POSITIVE_INFINITY;
    seen.add(key);
    total.words++;
    total.wordBits += Math.min(wordBits, MOST_BITS, most);
    total.characters += length;
    total.characterBits += Math.min(characterBits, most);
  };
  for (const [piece] of normalForm(text, 'NFKC').matchAll(PIECE())) {
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

/** Returns the bits of a word's letters. Repeated letters count once: "aaaah" has no more information than "ah". */
const spelling = (word: string): number => LETTER_BITS * word.replace(/(.)\1+/gu, '$1').length;

function numberBits(number: string): number {
  const digits = number.replace(/[.,:]/g, '');
  const value = Math.max(1, Number(digits) || 1);
  const exponent = Math.min(MOST_BITS, Math.floor(log2(value)));
  return 2 * exponent + 1 + (digits.length < number.length ? MARK_BITS : 0);
}
