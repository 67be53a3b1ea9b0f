/**
 * Character n-grams of words. They match the common part of the forms of a word, the parts of a compound, and most of a
 * word with a typing error, in any language and without knowledge of the language.
 *
 * - Alphabets: 4 characters, with marks at the ends of the word. Accents are removed, as in many searches.
 * - Hangul, whose characters are syllables: 2 characters, with marks at the ends of the word.
 * - Chinese, Japanese, Thai and other scripts without spaces: 2 characters, and single Chinese characters.
 * - Numbers stay whole: 1932 is not nearly 1933.
 *
 * Sources: P. McNamee, J. Mayfield, "Character N-Gram Tokenization for European Language Text Retrieval",
 * 2004; J.-Y. Nie, J. Gao, J. Zhang, M. Zhou, "On the Use of Words and N-grams for Chinese Information
 * Retrieval", 2000.
 */

import { lazyRegExp } from '../runtime/lazily.js';
import { isAscii } from './characters.js';
import { IS_SPACELESS } from './words.js';

/** Matches most words of most texts. */
const PLAIN = /^[a-z]+$/;
const NUMBER = lazyRegExp(String.raw`^[\p{N}_]+$`, 'u');
const HANGUL = lazyRegExp(String.raw`\p{sc=Hangul}`, 'u');
const HAN = lazyRegExp(String.raw`\p{sc=Han}`, 'gu');
/**
 * Marks that several scripts share, and the Arabic stroke that lengthens. Vowel signs of India belong to one script
 * each.
 */
const ACCENT = lazyRegExp(String.raw`[\p{sc=Inherited}\u0640]`, 'gu');
/** Letters that Unicode does not decompose into a letter and an accent. */
const ACCENTED = /[øłđħæœðþ]/g;
const UNACCENTED: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
};

/**
 * Returns the n-grams of a run, in order, at least one. A run that is shorter than an n-gram is one n-gram.
 *
 * @param run a folded word, or a stretch of a script without spaces; not empty.
 */
export function gramsOf(run: string): string[] {
  if (PLAIN.test(run)) return grams(`^${run}$`, 4);
  if (IS_SPACELESS().test(run))
    return run.length > 1 ? [...grams(run, 2), ...(run.match(HAN()) ?? [])] : [run];
  return run.split("'").flatMap((part) => {
    if (NUMBER().test(part)) return [part];
    return grams(`^${unaccented(part)}$`, HANGUL().test(part) ? 2 : 4);
  });
}

/** Searches runs for given n-grams. */
export class GramSearch {
  readonly #places: ReadonlyMap<string, number>;
  readonly #placesOfPacked = new Map<number, number>();
  /** By some bits of a packed n-gram. It rejects nearly all n-grams that are not searched for. */
  readonly #mayBeWanted = new Uint8Array(1 << 12);

  constructor(grams: readonly string[]) {
    this.#places = new Map(grams.map((gram, place) => [gram, place]));
    for (const [gram, place] of this.#places) {
      if (!ASCII_GRAM.test(gram)) continue;
      this.#placesOfPacked.set(packed(gram), place);
      this.#mayBeWanted[mixed(packed(gram))] = 1;
    }
  }

  /**
   * Appends to `found` the index of each given n-gram that the run contains, in the order of the run.
   *
   * @returns the number of n-grams of the run, at least 1.
   */
  find(run: string, found: number[]): number {
    if (isAscii(run)) return this.#addAscii(run, found);
    const all = gramsOf(run);
    for (const gram of all) {
      const place = this.#places.get(gram);
      if (place !== undefined) found.push(place);
    }
    return all.length;
  }

  /** Packs four ASCII characters into a number. Without a string for each n-gram it takes a tenth of the time. */
  #addAscii(run: string, found: number[]): number {
    let count = 0;
    for (let start = 0, end = 0; end <= run.length; end++) {
      if (end < run.length && run.charCodeAt(end) !== APOSTROPHE) continue;
      count += this.#addPart(run, start, end, found);
      start = end + 1;
    }
    return count;
  }

  #addPart(run: string, start: number, end: number, found: number[]): number {
    const length = end - start;
    if (isNumber(run, start, end)) {
      const place = this.#places.get(run.slice(start, end));
      if (place !== undefined) found.push(place);
      return 1;
    }
    let gram = START;
    for (let at = 0; at <= length; at++) {
      gram = ((gram << 7) | (at < length ? run.charCodeAt(start + at) : END)) & 0xfffffff;
      if ((at < 2 && at < length) || this.#mayBeWanted[mixed(gram)] === 0) continue;
      const place = this.#placesOfPacked.get(gram);
      if (place !== undefined) found.push(place);
    }
    return Math.max(1, length - 1);
  }
}

const ASCII_GRAM = /^[!-~]{3,4}$/;
const APOSTROPHE = "'".charCodeAt(0);
const START = '^'.charCodeAt(0);
const END = '$'.charCodeAt(0);

const mixed = (gram: number) => (gram ^ (gram >> 9)) & 0xfff;

/** Returns whether the part consists of digits and underscores. The empty part beside an apostrophe does not. */
function isNumber(run: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = run.charCodeAt(at);
    if ((code < 48 || code > 57) && code !== 95) return false;
  }
  return end > start;
}

function packed(gram: string): number {
  let number = 0;
  for (let at = 0; at < gram.length; at++) number = (number << 7) | gram.charCodeAt(at);
  return number;
}

/** Cuts by code units: half of a surrogate pair is as good a key as both. */
function grams(text: string, length: number): string[] {
  const found = [text.slice(0, length)];
  for (let end = length + 1; end <= text.length; end++) found.push(text.slice(end - length, end));
  return found;
}

function unaccented(word: string): string {
  return word
    .normalize('NFD')
    .replace(ACCENT(), '')
    .replace(ACCENTED, (letter) => UNACCENTED[letter] as string)
    .normalize('NFC');
}
