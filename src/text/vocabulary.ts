/** Assigns numbers to words, so that texts can be counted and compared as arrays of numbers. */
import { enlarged, Spellings } from './spellings.js';
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
  readonly #spellings = new Spellings();
  /** By number: the word, if it was asked for; and the number of its stem, plus one. */
  readonly #words: (string | undefined)[] = [];
  #stems = new Int32Array(1 << 12);
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
    return this.#spellings.size;
  }

  /** Returns what a class knows of the words of this vocabulary. Its object is made once. */
  found<T>(Knowledge: new (vocabulary: Vocabulary) => T): T {
    if (!this.#found.has(Knowledge)) this.#found.set(Knowledge, new Knowledge(this));
    return this.#found.get(Knowledge) as T;
  }

  /** Returns the number of a word. */
  idOf(word: string): number {
    const { size } = this;
    return this.#bounded(this.#spellings.numberOf(word, 0, word.length), size);
  }

  /** Returns the array into which words of up to `length` code units together may be written, from `written` on. */
  roomFor(length: number): Uint16Array {
    return this.#spellings.roomFor(length);
  }

  /** The place of the room at which the next word is to be written. */
  get written(): number {
    return this.#spellings.length;
  }

  /** Returns the numbers of words, in order. */
  idsOf(words: readonly string[]): Int32Array {
    const ids = new Int32Array(words.length);
    for (let at = 0; at < ids.length; at++) ids[at] = this.idOf(words[at] as string);
    return ids;
  }

  /** Returns the word of a number. */
  wordOf(id: number): string {
    const known = this.#words[id];
    if (known !== undefined) return known;
    return this.#keep(id, this.#spellings.wordOf(id));
  }

  #keep(id: number, word: string): string {
    // An array with large holes would become slow.
    while (this.#words.length < id) this.#words.push(undefined);
    this.#words[id] = word;
    return word;
  }

  /** Returns the number of the word's stem. */
  stemOf(id: number): number {
    const known = this.#stems[id] as number;
    if (known > 0) return known - 1;
    const stem = searchStem(this.wordOf(id));
    const found = this.idOf(stem);
    this.#keep(found, stem);
    if (id >= this.#stems.length) this.#stems = enlarged(this.#stems, this.size);
    this.#stems[id] = found + 1;
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

  /** Returns the number of the word that was written into the room, up to the place `end`. {@link Spellings} */
  idOfWritten(end: number, hash: number): number {
    const { size } = this;
    return this.#bounded(this.#spellings.numberOfWritten(end, hash), size);
  }

  /** Returns the number. If a word was added to those there were, the vocabulary may be full, and the next one begins empty. */
  #bounded(id: number, size: number): number {
    if (id < size) return id;
    const isFull = this.size >= MOST_WORDS || this.#spellings.length >= MOST_CHARACTERS;
    if (isFull && shared === this) shared = undefined;
    return id;
  }
}
