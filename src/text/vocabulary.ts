/** Assigns numbers to words, so that texts can be counted and compared as arrays of numbers. */
import { stem } from './stem.js';

/**
 * The number of distinct words of a large pool, and the number of their characters. Texts repeat their words, so calls
 * share one vocabulary. A vocabulary that reaches a bound serves only the running calls; later calls start a new one.
 */
const MOST_WORDS = 50_000;
const MOST_CHARACTERS = 1_000_000;
const UNKNOWN = -1;
/** A power of two, at most half full. */
const SMALLEST_TABLE = 1 << 12;

/** The most code units that one becomes. */
export const LONGEST_FOLD = 8;

/** What code units are folded to. */
export interface Folds {
  /** By code unit: the code unit that it becomes, or 0 if it becomes several. */
  readonly single: Uint16Array;
  readonly several: ReadonlyMap<number, string>;
}

let shared: Vocabulary | undefined;

/**
 * Numbers of words, from 0 in the order in which the words were first seen. It is a hash table of its own over one array
 * of characters, so that a text is read without a string for each of its words. That takes a third of the time.
 */
export class Vocabulary {
  /** Numbers plus one by hash, with linear probing; 0 is free. */
  #table = new Int32Array(SMALLEST_TABLE);
  /** The characters of all words, one word after the other, with room behind the last one. */
  #units = new Uint16Array(8 * SMALLEST_TABLE);
  /** By number: the index of the first character. The last entry is the end of the last word. */
  #starts = new Int32Array(SMALLEST_TABLE);
  #stems = new Int32Array(SMALLEST_TABLE);
  #size = 0;
  /** The words that were asked for. */
  readonly #words: (string | undefined)[] = [];

  /**
   * Returns the vocabulary that calls share. Its numbers depend on the texts of all calls, so no order may depend on
   * them.
   */
  static shared(): Vocabulary {
    shared ??= new Vocabulary();
    return shared;
  }

  /** Number of words. All numbers of words are below it. */
  get size(): number {
    return this.#size;
  }

  /** Returns the number of a word. */
  idOf(word: string): number {
    const units = this.#roomFor(word.length);
    return this.#idOfLast(append(units, this.#starts[this.#size] as number, word));
  }

  /**
   * Returns the number of the word that the code units from `start` to `end` spell once they are folded.
   */
  idWithin(given: Uint16Array, start: number, end: number, { single, several }: Folds): number {
    const units = this.#roomFor(LONGEST_FOLD * (end - start));
    let last = this.#starts[this.#size] as number;
    for (let at = start; at < end; at++) {
      const unit = given[at] as number;
      const folded = single[unit] as number;
      if (folded !== 0) units[last++] = folded;
      else last = append(units, last, several.get(unit) as string);
    }
    return this.#idOfLast(last);
  }

  /** Returns the numbers of words, in order. */
  idsOf(words: readonly string[]): Int32Array {
    const ids = new Int32Array(words.length);
    for (let at = 0; at < ids.length; at++) ids[at] = this.idOf(words[at] as string);
    return ids;
  }

  /** Returns the word of a number. */
  wordOf(id: number): string {
    let word = this.#words[id];
    if (word === undefined) {
      const units = this.#units.subarray(this.#starts[id], this.#starts[id + 1]);
      word = String.fromCharCode(...units);
      this.#words[id] = word;
    }
    return word;
  }

  /** Returns the number of the word's stem. */
  stemOf(id: number): number {
    const known = this.#stems[id] as number;
    if (known !== UNKNOWN) return known;
    const found = this.idOf(stem(this.wordOf(id)));
    this.#stems[id] = found;
    return found;
  }

  /** Returns the numbers of the stems of words, in order. */
  stemsOf(ids: Int32Array): Int32Array {
    const stems = new Int32Array(ids.length);
    for (let at = 0; at < ids.length; at++) stems[at] = this.stemOf(ids[at] as number);
    return stems;
  }

  /** Returns the array of characters, with room for a word behind the last one. */
  #roomFor(length: number): Uint16Array {
    const needed = (this.#starts[this.#size] as number) + length;
    if (needed > this.#units.length) this.#units = enlarged(this.#units, needed);
    return this.#units;
  }

  /** Returns the number of the word whose characters are behind the last word, up to `end`. It keeps them if they are new. */
  #idOfLast(end: number): number {
    const units = this.#units;
    const start = this.#starts[this.#size] as number;
    const mask = this.#table.length - 1;
    let slot = hashOf(units, start, end) & mask;
    for (let id = this.#table[slot] as number; id !== 0; id = this.#table[slot] as number) {
      if (this.#isAt(id - 1, start, end)) return id - 1;
      slot = (slot + 1) & mask;
    }
    return this.#learn(slot, end);
  }

  #isAt(id: number, start: number, end: number): boolean {
    const units = this.#units;
    let at = this.#starts[id] as number;
    if ((this.#starts[id + 1] as number) - at !== end - start) return false;
    for (let other = start; other < end; other++) if (units[at++] !== units[other]) return false;
    return true;
  }

  #learn(slot: number, end: number): number {
    const id = this.#size++;
    this.#table[slot] = id + 1;
    if (id + 2 > this.#starts.length) {
      this.#starts = enlarged(this.#starts, id + 2);
      this.#stems = enlarged(this.#stems, id + 2);
    }
    this.#starts[id + 1] = end;
    this.#stems[id] = UNKNOWN;
    if (2 * this.#size > this.#table.length) this.#enlargeTable();
    const isFull = this.#size >= MOST_WORDS || end >= MOST_CHARACTERS;
    if (isFull && shared === this) shared = undefined;
    return id;
  }

  #enlargeTable(): void {
    const table = new Int32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (let id = 0; id < this.#size; id++) {
      let slot = hashOf(this.#units, this.#starts[id] as number, this.#starts[id + 1] as number) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = id + 1;
    }
    this.#table = table;
  }
}

/** Writes the code units of a text from `at` on. Returns the index behind them. */
function append(units: Uint16Array, at: number, text: string): number {
  for (let next = 0; next < text.length; next++) units[at + next] = text.charCodeAt(next);
  return at + text.length;
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (units[at] as number)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** Returns a copy with more room: twice as much, or as much as is needed. */
function enlarged<T extends Int32Array | Uint16Array>(array: T, needed: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(2 * array.length, needed));
  larger.set(array);
  return larger;
}
