/** Assigns numbers to words, so that texts can be counted and compared as arrays of numbers. */
import { ownText } from './recent.js';
import { stem } from './stem.js';

/**
 * The number of distinct words of a large pool, and the number of their characters. Texts repeat their words, so calls
 * share one vocabulary. A vocabulary that reaches a bound serves only the running calls; later calls start a new one.
 */
const MOST_WORDS = 50_000;
const MOST_CHARACTERS = 1_000_000;
const UNKNOWN = -1;
/** A power of two. */
const RECENT = 1 << 14;

let shared: Vocabulary | undefined;

/** Numbers of words, from 0 in the order in which the words were first seen. */
export class Vocabulary {
  readonly #ids = new Map<string, number>();
  readonly #words: string[] = [];
  /**
   * By some bits of a hash: the number of the last word found with these bits, plus one. It saves a string for most
   * words.
   */
  readonly #recent = new Int32Array(RECENT);
  readonly #stems: number[] = [];
  #characters = 0;

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

  /** Returns the number of a word. */
  idOf(word: string): number {
    return this.#ids.get(word) ?? this.#learn(word);
  }

  /** Returns the number of the word `text.slice(start, end)`. */
  idWithin(text: string, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    const slot = (hash ^ (hash >>> 15)) & (RECENT - 1);
    const recent = (this.#recent[slot] as number) - 1;
    if (recent >= 0 && isAt(this.#words[recent] as string, text, start, end)) return recent;
    const id = this.idOf(text.slice(start, end));
    this.#recent[slot] = id + 1;
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

  #learn(word: string): number {
    const own = ownText(word);
    const id = this.#words.push(own) - 1;
    this.#ids.set(own, id);
    this.#stems.push(UNKNOWN);
    this.#characters += own.length;
    const isFull = this.size >= MOST_WORDS || this.#characters >= MOST_CHARACTERS;
    if (isFull && shared === this) shared = undefined;
    return id;
  }
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  const { length } = word;
  if (end - start !== length) return false;
  for (let at = 0; at < length; at++) {
    if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}
