/**
 * The keys of items as numbers. A text is compared with many others, and comparing two
 * numbers is faster than comparing two strings or looking one up.
 */
import { lazyRegExp } from '../../runtime/lazily.js';
import { ownText } from '../recent.js';
import { NONE_SWAPPED, polesOf, type Swapped, swappedOpposites } from './opposites.js';
import type { Facts, Item } from './reader.js';
import { isGlue, isUnordered } from './statement-words.js';
import type { Word } from './word.js';

/** Bounds of the memory of one numbering. The next numbering begins empty, and texts are numbered anew when needed. */
const MOST_KEYS = 2 ** 16;
const MOST_CHARACTERS = 2 ** 20;

/** Traits of keys. */
export const GLUE = 1;
export const UNORDERED = 2;
const PARTICLE = 4;

/** Particles of Chinese and Japanese that are words of their own. */
const PARTICLES = lazyRegExp(String.raw`^(?:[的了着过地得之所]|\p{sc=Hiragana}{1,2})$`, 'u');

let numberings = 0;

class Numbering {
  readonly #serial = ++numberings;
  readonly #numbers = new Map<string, number>();
  #characters = 0;
  /** By number. */
  traits = new Uint8Array(2 ** 10);
  /** By number: zero. A comparison may count here, and restores the zeros. */
  counts = new Int32Array(2 ** 10);

  get isFull(): boolean {
    return this.#numbers.size >= MOST_KEYS || this.#characters >= MOST_CHARACTERS;
  }

  numberOf(key: string): number {
    return this.#numbers.get(key) ?? this.#add(key);
  }

  /** Returns the number of a word's key. Most words were met before, and have it. */
  numberOfWord(word: Word): number {
    if (word.numbering !== this.#serial) {
      word.numbering = this.#serial;
      word.number = this.numberOf(word.key);
    }
    return word.number;
  }

  #add(key: string): number {
    const number = this.#numbers.size;
    this.#numbers.set(ownText(key), number);
    this.#characters += key.length;
    if (number >= this.traits.length) {
      const { traits } = this;
      this.traits = new Uint8Array(2 * traits.length);
      this.traits.set(traits);
      this.counts = new Int32Array(2 * traits.length);
    }
    this.traits[number] = traitsOf(key);
    return number;
  }
}

const traitsOf = (key: string): number =>
  (isGlue(key) ? GLUE : 0) | (isUnordered(key) ? UNORDERED : 0) | (PARTICLES().test(key) ? PARTICLE : 0);

/** Items as numbers. Numbers of two sequences mean the same only if they have the same numbering. */
export interface Sequence {
  readonly numbering: Numbering;
  readonly items: readonly Item[];
  /** By item: the number of its key. */
  readonly keys: Int32Array;
  /** Number of items with substance. */
  readonly words: number;
}

/** All items of a text as numbers. */
export interface Numbered extends Sequence {
  /** Places of the items that texts are aligned by: those that do not only hold sentences together. */
  readonly aligned: Uint32Array;
  /** The numbers of their keys. */
  readonly alignedKeys: Int32Array;
  /** The opposites of the text: see {@link polesOf}. */
  readonly poles: string;
  /** Number of negations. */
  readonly denials: number;
}

let latest = new Numbering();
/** By text: its items as numbers, computed at the first comparison. */
const numberedTexts = new WeakMap<Facts, Numbered>();

/** Returns the items of two texts in one numbering. */
export function numbered(a: Facts, b: Facts): [Numbered, Numbered] {
  const left = numberedOf(a);
  const right = numberedOf(b);
  if (left.numbering === right.numbering) return [left, right];
  return [numberedIn(right.numbering, a), right];
}

function numberedOf(text: Facts): Numbered {
  const known = numberedTexts.get(text);
  if (known !== undefined && known.numbering === latest) return known;
  if (latest.isFull) latest = new Numbering();
  return numberedIn(latest, text);
}

function numberedIn(numbering: Numbering, text: Facts): Numbered {
  const { items } = text;
  const keys = new Int32Array(items.length);
  const aligned = new Uint32Array(items.length);
  const alignedKeys = new Int32Array(items.length);
  let count = 0;
  let words = 0;
  for (let at = 0; at < keys.length; at++) {
    const { key, word, kind } = items[at] as Item;
    const number = word === undefined ? numbering.numberOf(key) : numbering.numberOfWord(word);
    keys[at] = number;
    const traits = numbering.traits[number] as number;
    const isGlue = (traits & GLUE) !== 0;
    if (!isGlue) words++;
    const isParticle = (traits & PARTICLE) !== 0 || (isGlue && (kind ?? 'name') === 'name');
    if (isParticle) continue;
    aligned[count] = at;
    alignedKeys[count++] = number;
  }
  let denials = 0;
  for (const times of text.negations.values()) denials += times;
  const found: Numbered = {
    numbering,
    items,
    keys,
    aligned: aligned.slice(0, count),
    alignedKeys: alignedKeys.slice(0, count),
    words,
    poles: polesOf(text),
    denials,
  };
  numberedTexts.set(text, found);
  return found;
}

/** Returns the {@link swappedOpposites} of two texts. Most texts that are compared have the same opposites. */
export function oppositesOf(a: Facts, b: Facts): Swapped {
  const [left, right] = numbered(a, b);
  return left.poles === right.poles ? NONE_SWAPPED : swappedOpposites(a, b);
}
