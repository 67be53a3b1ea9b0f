/** Numbers for words, so that texts can be counted and compared in arrays of numbers. */
import { ownText } from './recent.js';
import { stem } from './stem.js';

/**
 * Distinct words of a large pool, and their characters in all. Texts repeat their words, so calls share what was
 * learnt; what is over these bounds is for the calls that are going on, and later ones start anew.
 */
const MOST_WORDS = 50_000;
const MOST_CHARACTERS = 1_000_000;
const UNKNOWN = -1;
/** A power of two. */
const RECENT = 1 << 14;

let shared: Vocabulary | undefined;

export class Vocabulary {
  readonly #ids = new Map<string, number>();
  readonly #words: string[] = [];
  /** One more than the number of the word that was last found with these bits of its hash: most are, without a string. */
  readonly #recent = new Int32Array(RECENT);
  readonly #stems: number[] = [];
  #characters = 0;

  /** One that other calls use as well. Its numbers depend on what they read: no order may rest on them. */
  static shared(): Vocabulary {
    shared ??= new Vocabulary();
    return shared;
  }

  /** All numbers are below this. */
  get size(): number {
    return this.#words.length;
  }

  /** The number of a word. */
  idOf(word: string): number {
    return this.#ids.get(word) ?? this.#learn(word);
  }

  /** The number of the word that stands there. */
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

  idsOf(words: readonly string[]): Int32Array {
    const ids = new Int32Array(words.length);
    for (let at = 0; at < ids.length; at++) ids[at] = this.idOf(words[at] as string);
    return ids;
  }

  wordOf(id: number): string {
    return this.#words[id] as string;
  }

  /** The number of the word's stem. */
  stemOf(id: number): number {
    const known = this.#stems[id] as number;
    if (known !== UNKNOWN) return known;
    const found = this.idOf(stem(this.wordOf(id)));
    this.#stems[id] = found;
    return found;
  }

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
