/**
 * Character n-grams of words. They match what the forms of a word share, the parts of a compound, and most
 * of a word with a typing error, in any language and without knowing which.
 *
 * - Alphabets: 4 characters, the ends of the word marked. Accents are left out, as many who search do.
 * - Hangul, whose characters are syllables: 2 characters, the ends of the word marked.
 * - Chinese, Japanese, Thai and others without spaces: 2 characters, and single Chinese ones.
 * - Numbers stay whole: 1932 is not nearly 1933.
 *
 * Sources: P. McNamee, J. Mayfield, "Character N-Gram Tokenization for European Language Text Retrieval",
 * 2004; J.-Y. Nie, J. Gao, J. Zhang, M. Zhou, "On the Use of Words and N-grams for Chinese Information
 * Retrieval", 2000.
 */

import { lazyRegExp } from '../runtime/lazily.js';
import { isAscii } from './characters.js';
import { IS_SPACELESS } from './words.js';

/** Most words of most texts, known at a glance. */
const PLAIN = /^[a-z]+$/;
const NUMBER = lazyRegExp(String.raw`^[\p{N}_]+$`, 'u');
const HANGUL = lazyRegExp(String.raw`\p{sc=Hangul}`, 'u');
const HAN = lazyRegExp(String.raw`\p{sc=Han}`, 'gu');
/** Marks that scripts share, and the Arabic stroke that lengthens. Vowel signs of India are of one script. */
const ACCENT = lazyRegExp(String.raw`[\p{sc=Inherited}\u0640]`, 'gu');
/** Letters that are one with their accent. */
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
 * @param run a folded word, or a stretch of a script without spaces; not empty.
 * @returns its n-grams in order, at least one; what is shorter than an n-gram is one by itself.
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

/** Finds some n-grams in runs. */
export class GramSearch {
  readonly #places: ReadonlyMap<string, number>;
  readonly #placesOfPacked = new Map<number, number>();
  /** By some bits of a packed n-gram: nearly all are seen at once not to be wanted. */
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
   * Adds the places of those that the run has among those given, in the order of the run.
   *
   * @returns how many n-grams it has, at least 1.
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

  /** Four characters of ASCII are a number: without a string for each n-gram it takes a tenth of the time. */
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

/** Is it of digits and underscores? Not the empty part beside an apostrophe. */
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

/** By code units: one half of a pair of surrogates makes as good a key as both. */
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
