/**
 * Character n-grams of words. They match the common part of the forms of a word, the parts of a compound, and most of a
 * word with a typing error, in any language and without knowledge of the language.
 *
 * - Alphabets: 4 characters, with marks at the ends of the word. Accents are removed, as in many searches.
 * - Hangul, whose characters are syllables: 2 characters, with marks at the ends of the word.
 * - Chinese and Japanese: 2 characters, and single Chinese characters.
 * - Thai, Lao, Khmer and Burmese, alphabets without spaces: 3 characters. In texts of five other alphabets whose spaces
 *   are removed, questions find their paragraph with 3 characters in .889, with 4 in .901, with 2 in .624. These scripts
 *   have about twice as many letters, so that 3 of them say as much as 4 of another.
 * - Numbers stay whole: 1932 is not nearly 1933.
 *
 * Sources: P. McNamee, J. Mayfield, "Character N-Gram Tokenization for European Language Text Retrieval",
 * 2004; J.-Y. Nie, J. Gao, J. Zhang, M. Zhou, "On the Use of Words and N-grams for Chinese Information
 * Retrieval", 2000.
 */

import { lazyRegExp } from '../runtime/lazily.js';
import { isAscii, normalForm } from './characters.js';
import { enlarged } from './spellings.js';
import { IS_SPACELESS } from './words.js';

/** Matches most words of most texts. */
const PLAIN = /^[a-z]+$/;
const NUMBER = lazyRegExp(String.raw`^[\p{N}_]+$`, 'u');
const HANGUL = lazyRegExp(String.raw`\p{sc=Hangul}`, 'u');
const ALPHABETIC = lazyRegExp(String.raw`[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`, 'u');
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
  if (IS_SPACELESS().test(run)) {
    if (ALPHABETIC().test(run)) return grams(run, 3);
    return run.length > 1 ? [...grams(run, 2), ...(run.match(HAN()) ?? [])] : [run];
  }
  return run.split("'").flatMap((part) => {
    if (NUMBER().test(part)) return [part];
    return grams(`^${unaccented(part)}$`, HANGUL().test(part) ? 2 : 4);
  });
}

/** Searches runs for given n-grams. */
export class GramSearch {
  readonly #places: ReadonlyMap<string, number>;
  readonly #placesOfPacked = new Map<number, number>();
  /** By key: 1 if an n-gram with this key is searched for. It rejects nearly all n-grams that are not. */
  readonly mayBeWanted = new Uint8Array(1 << KEY_BITS);

  constructor(grams: readonly string[]) {
    this.#places = new Map(grams.map((gram, place) => [gram, place]));
    for (const [gram, place] of this.#places) {
      if (isNumber(gram, 0, gram.length)) this.mayBeWanted[NUMBER_KEY] = 1;
      if (!ASCII_GRAM.test(gram)) continue;
      this.#placesOfPacked.set(packed(gram), place);
      this.mayBeWanted[keyOf(packed(gram))] = 1;
    }
  }

  /**
   * Appends to `found` the index of each given n-gram that the run contains, in the order of the run.
   *
   * @param keys the keys of all n-grams of the run are appended to it, if the run is ASCII.
   * @returns the number of n-grams of the run, at least 1.
   */
  find(run: string, found: number[], keys?: number[]): number {
    if (isAscii(run)) return this.#addAscii(run, found, keys);
    const all = gramsOf(run);
    for (const gram of all) {
      const place = this.#places.get(gram);
      if (place !== undefined) found.push(place);
    }
    return all.length;
  }

  /** Packs four ASCII characters into a number. Without a string for each n-gram it takes a tenth of the time. */
  #addAscii(run: string, found: number[], keys?: number[]): number {
    let count = 0;
    for (let start = 0, end = 0; end <= run.length; end++) {
      if (end < run.length && run.charCodeAt(end) !== APOSTROPHE) continue;
      count += this.#addPart(run, start, end, found, keys);
      start = end + 1;
    }
    return count;
  }

  #addPart(run: string, start: number, end: number, found: number[], keys?: number[]): number {
    const length = end - start;
    if (isNumber(run, start, end)) {
      keys?.push(NUMBER_KEY);
      const place = this.#places.get(run.slice(start, end));
      if (place !== undefined) found.push(place);
      return 1;
    }
    let gram = START;
    for (let at = 0; at <= length; at++) {
      gram = ((gram << 7) | (at < length ? run.charCodeAt(start + at) : END)) & 0xfffffff;
      if (at < 2 && at < length) continue;
      const key = keyOf(gram);
      keys?.push(key);
      if (this.mayBeWanted[key] === 0) continue;
      const place = this.#placesOfPacked.get(gram);
      if (place !== undefined) found.push(place);
    }
    return Math.max(1, length - 1);
  }
}

/**
 * The keys of the n-grams of ASCII runs, by the number of the run. Texts repeat their words, so most runs are searched by
 * their keys, in a tenth of the time.
 */
export class GramKeys {
  /** By run: the index of the number of its n-grams, which is followed by their keys; 0 if they are not known. */
  #starts = new Int32Array(1 << 12);
  #keys = new Uint16Array(1 << 14);
  #end = 1;

  /**
   * Returns the number of n-grams of the run if its keys exclude that one is searched for, else 0.
   *
   * @param mayBeWanted of the search.
   */
  sizeWithout(run: number, mayBeWanted: Uint8Array): number {
    const keys = this.#keys;
    const start = this.#starts[run] ?? 0;
    if (start === 0) return 0;
    const size = keys[start] as number;
    for (let at = start + 1; at <= start + size; at++) if (mayBeWanted[keys[at] as number] === 1) return 0;
    return size;
  }

  isKnown(run: number): boolean {
    return (this.#starts[run] ?? 0) > 0;
  }

  /** Keeps the keys of a run that is not known, if it has any. */
  add(run: number, keys: readonly number[]): void {
    if (keys.length === 0 || keys.length > MOST_KEYS) return;
    if (run >= this.#starts.length) this.#starts = enlarged(this.#starts, run + 1);
    const end = this.#end + 1 + keys.length;
    if (end > this.#keys.length) this.#keys = enlarged(this.#keys, end);
    this.#starts[run] = this.#end;
    this.#keys[this.#end] = keys.length;
    this.#keys.set(keys, this.#end + 1);
    this.#end = end;
  }
}

const MOST_KEYS = 0xffff;

const ASCII_GRAM = /^[!-~]{3,4}$/;
const APOSTROPHE = "'".charCodeAt(0);
/** 2^32 over the golden ratio: D. E. Knuth, The Art of Computer Programming 3, 6.4. */
const GOLDEN = 0x9e3779b1;
const START = '^'.charCodeAt(0);
const END = '$'.charCodeAt(0);

/** So many that few n-grams have the key of another one by chance. */
const KEY_BITS = 14;
const keyOf = (gram: number) => Math.imul(gram, GOLDEN) >>> (32 - KEY_BITS);
/** The key of all numbers. They are not packed. */
const NUMBER_KEY = 0;

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

/** Returns the word without accents, and without the Arabic stroke that lengthens. */
export function unaccented(word: string): string {
  return normalForm(word, 'NFD')
    .replace(ACCENT(), '')
    .replace(ACCENTED, (letter) => UNACCENTED[letter] as string)
    .normalize('NFC');
}
