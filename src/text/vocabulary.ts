/** Assigns numbers to words, so that texts can be counted and compared as arrays of numbers. */
import { ownText } from './recent.js';
import { searchStem } from './stem.js';

/**
 * The number of distinct words of a large pool, and the number of their characters. Texts repeat their words, so calls
 * share one vocabulary. A vocabulary that reaches a bound serves only the running calls; later calls start a new one.
 */
const MOST_WORDS = 50_000;
const MOST_CHARACTERS = 1_000_000;
let shared: Vocabulary | undefined;

/** Numbers of words, from 0 in the order in which the words were first seen. */
export class Vocabulary {
  readonly #ids = new Map<string, number>();
  /** By number: the word, and the number of its stem once it was asked for. */
  readonly #words: string[] = [];
  readonly #stems: (number | undefined)[] = [];
  #characters = 0;
  readonly #found = new Map<unknown, unknown>();

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
    return this.#words.length;
  }

  /** Returns what `make` makes of this vocabulary. It is made once. */
  found<T>(make: (vocabulary: Vocabulary) => T): T {
    if (!this.#found.has(make)) this.#found.set(make, make(this));
    return this.#found.get(make) as T;
  }

  /** Returns the number of a word. */
  idOf(word: string): number {
    return this.#ids.get(word) ?? this.#add(ownText(word));
  }

  /** Adds a word. The vocabulary may then be full, and the next one begins empty. */
  #add(word: string): number {
    const id = this.size;
    this.#ids.set(word, id);
    this.#words.push(word);
    this.#stems.push(undefined);
    this.#characters += word.length;
    if (shared === this && (id + 1 >= MOST_WORDS || this.#characters >= MOST_CHARACTERS)) shared = undefined;
    return id;
  }

  /** Returns the numbers of words, in order. */
  idsOf(words: readonly string[]): Int32Array {
    const ids = new Int32Array(words.length);
    for (let at = 0; at < ids.length; at++) ids[at] = this.idOf(words[at] as string);
    return ids;
  }

  /** Returns the word of a number. */
  wordOf(id: number): string {
    return this.#words[id] as string;
  }

  /** Returns the number of the word's stem. */
  stemOf(id: number): number {
    const found = this.#stems[id] ?? this.idOf(searchStem(this.wordOf(id)));
    this.#stems[id] = found;
    return found;
  }

  /**
   * Returns the numbers of the stems of words, in order.
   *
   * @param stems the array for the result.
   */
  stemsOf(ids: Int32Array, stems = new Int32Array(ids.length)): Int32Array {
    for (let at = 0; at < ids.length; at++) stems[at] = this.stemOf(ids[at] as number);
    return stems;
  }
}

/** Returns a function of the numbers of words that finds each value once. */
export function onceByWord<T extends object | string | number>(find: (id: number) => T): (id: number) => T {
  const known: (T | undefined)[] = [];
  return (id) => {
    const found = known[id];
    if (found !== undefined) return found;
    // An array with large holes would become slow.
    while (known.length <= id) known.push(undefined);
    const value = find(id);
    known[id] = value;
    return value;
  };
}
