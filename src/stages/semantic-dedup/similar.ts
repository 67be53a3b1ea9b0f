/**
 * Finds pairs of statements of different chunks that are equal but for one place, before any of them is read for its facts.
 * Most lists have none, and must not pay for the search.
 *
 * Each statement is a row of numbers: the stems of its words, without those that only hold it together. All numbers count
 * as one word, and so do opposites. Two rows are aligned if they share enough pairs of neighbouring words that few rows
 * have.
 */
import { lcs } from '../../math/lcs.js';
import { enlarged } from '../../runtime/enlarged.js';
import type { Pacer } from '../../runtime/pacer.js';
import { MOST_ADDED } from '../../text/facts/difference.js';
import { type WordKind, WordKinds } from '../../text/facts/kinds.js';
import type { Vocabulary } from '../../text/vocabulary.js';

/** A statement, wherever it stands. */
export interface Worded {
  readonly text: string;
  /** The numbers of its words that count: {@link WordNumbers}. */
  readonly words: Int32Array;
}

/** Longer statements are lists, or texts without stops. In words that count. */
const MOST_WORDS = 160;
/** A pair of neighbouring words that more statements have says little. */
const MOST_LISTED = 16;
/** Most pairs that are aligned in one call, those that share most first. */
const MOST_ALIGNED = 4000;
/** Least share of the pairs of neighbouring words of the shorter statement. */
const LEAST_SHARED = 0.25;
/** Most words of a replaced part. */
const MOST_REPLACED = 8;
/** Least number of words that both have, as a share of the words of the longer statement. */
const LEAST_SAME = 0.5;

/**
 * Returns the pairs, in order. `isBounded`: there were too many, and the least alike are missing.
 *
 * @param mayPair whether two of them are compared at all.
 */
export async function similarPairs<T extends Worded>(
  all: readonly T[],
  mayPair: (one: T, other: T) => boolean,
  pacer: Pacer,
): Promise<{ pairs: readonly (readonly [T, T])[]; isBounded: boolean }> {
  const neighbours = new Neighbours(all.map(({ words }) => words));
  const found: { pair: readonly [T, T]; share: number }[] = [];
  for (const [at, other] of all.entries()) {
    if (pacer.due()) await pacer.pause();
    neighbours.each(at, (place, shared) => {
      const one = all[place] as T;
      const share = shared / Math.min(one.words.length, other.words.length);
      if (share >= LEAST_SHARED && mayPair(one, other)) found.push({ pair: [one, other], share });
    });
  }
  const isBounded = found.length > MOST_ALIGNED;
  if (isBounded) {
    const textsOf = ({ pair }: (typeof found)[number]) =>
      pair
        .map(({ text }) => text)
        .sort()
        .join('\n');
    found.sort((a, b) => b.share - a.share || (textsOf(a) < textsOf(b) ? -1 : 1));
    found.length = MOST_ALIGNED;
  }
  const pairs = found.map(({ pair }) => pair);
  return { pairs: pairs.filter(([one, other]) => mayDiffer(one.words, other.words)), isBounded };
}

/** Returns whether at most one part, or a name of two parts, is replaced by another. */
function mayDiffer(one: Int32Array, other: Int32Array): boolean {
  let [same, replaced, added, at, from] = [0, 0, 0, 0, 0];
  const note = (left: number, right: number) => {
    if (left > 0 && right > 0) replaced += Math.max(left, right) > MOST_REPLACED ? 3 : 1;
    else added += left + right;
  };
  for (const [left, right] of lcs(one, other)) {
    note(left - at, right - from);
    same++;
    [at, from] = [left + 1, right + 1];
  }
  note(one.length - at, other.length - from);
  return (
    replaced <= 2 &&
    added <= MOST_ADDED * Math.max(same, 2) &&
    same >= LEAST_SAME * Math.max(one.length, other.length) - 1 &&
    same > 0
  );
}

/** The rows that have each pair of neighbouring words. */
class Neighbours {
  /** By slot of a hash table: the pair, the number of its rows, and its last entry, plus one. */
  readonly #pairs: Int32Array;
  readonly #counts: Int32Array;
  readonly #last: Int32Array;
  /** By entry: its row, its slot, and the entry of the same pair before it, plus one. */
  readonly #rows: Int32Array;
  readonly #slots: Int32Array;
  readonly #before: Int32Array;
  /** By row: its first entry. */
  readonly #first: Int32Array;
  readonly #shared: Int32Array;

  constructor(rows: readonly Int32Array[]) {
    const total = rows.reduce((sum, { length }) => sum + length + 1, 0);
    const size = 2 ** Math.ceil(Math.log2(2 * total + 2));
    this.#pairs = new Int32Array(size);
    this.#counts = new Int32Array(size);
    this.#last = new Int32Array(size);
    this.#rows = new Int32Array(total);
    this.#slots = new Int32Array(total);
    this.#before = new Int32Array(total);
    this.#first = new Int32Array(rows.length + 1);
    this.#shared = new Int32Array(rows.length);
    let entry = 0;
    for (const [at, row] of rows.entries()) {
      // How a statement begins and how it ends are pairs, too: the middle of a short one may be what differs.
      let before = END;
      for (let place = 0; place <= row.length; place++) {
        const word = row[place] ?? END;
        const slot = this.#slotOf(pairOf(before, word));
        before = word;
        const last = this.#last[slot] as number;
        if (last === 0 || this.#rows[last - 1] !== at)
          this.#counts[slot] = (this.#counts[slot] as number) + 1;
        this.#rows[entry] = at;
        this.#slots[entry] = slot;
        this.#before[entry] = last;
        this.#last[slot] = ++entry;
      }
      this.#first[at + 1] = entry;
    }
  }

  /** Calls back with each row before one that shares pairs with it, and how many. */
  each(at: number, call: (other: number, shared: number) => void): void {
    const shared = this.#shared;
    const near: number[] = [];
    for (let own = this.#first[at] as number; own < (this.#first[at + 1] as number); own++) {
      const slot = this.#slots[own] as number;
      if ((this.#counts[slot] as number) < 2 || (this.#counts[slot] as number) > MOST_LISTED) continue;
      for (let entry = this.#before[own] as number; entry > 0; entry = this.#before[entry - 1] as number) {
        const other = this.#rows[entry - 1] as number;
        if (other === at) continue;
        if (shared[other] === 0) near.push(other);
        shared[other] = (shared[other] as number) + 1;
      }
    }
    for (const other of near) {
      call(other, shared[other] as number);
      shared[other] = 0;
    }
  }

  #slotOf(pair: number): number {
    const pairs = this.#pairs;
    const last = pairs.length - 1;
    let slot = (Math.imul(pair, 0x9e3779b1) >>> 7) & last;
    while ((this.#last[slot] as number) > 0 && pairs[slot] !== pair) slot = (slot + 1) & last;
    pairs[slot] = pair;
    return slot;
  }
}

/** Returns a number that seldom is that of another pair. */
const pairOf = (one: number, other: number): number => (Math.imul(one, 0x85ebca6b) + other) | 0;

/** By number of a word: what the word counts as, or 0 if it does not count. It is known once the word was asked for. */
export class WordNumbers {
  #numbers = new Int32Array(1 << 12);
  readonly #room = new Int32Array(MOST_WORDS);
  readonly #scales = new Map<string, number>();

  constructor(readonly vocabulary: Vocabulary) {}

  /**
   * Returns what the words from one place to another count as, in order, without those that do not count. Several numbers in
   * a row are one. `undefined` if too few or too many count.
   */
  of(ids: Int32Array, from: number, to: number): Int32Array | undefined {
    const found = this.#room;
    let count = 0;
    for (let at = from; at < to; at++) {
      const id = ids[at] as number;
      const number = (this.#numbers[id] as number) || this.#learn(id);
      if (number === IGNORED || (number === VALUE && count > 0 && found[count - 1] === VALUE)) continue;
      if (count === MOST_WORDS) return undefined;
      found[count++] = number;
    }
    return count < 2 ? undefined : found.slice(0, count);
  }

  #learn(id: number): number {
    const number = this.#numberOf(id, this.vocabulary.found(WordKinds).of(id));
    if (id >= this.#numbers.length) this.#numbers = enlarged(this.#numbers, this.vocabulary.size);
    this.#numbers[id] = number;
    return number;
  }

  #numberOf(id: number, kind: WordKind): number {
    if (kind === 'glue') return IGNORED;
    if (kind === 'value') return VALUE;
    if (kind === undefined) return FIRST_WORD + this.vocabulary.stemOf(id);
    const known = this.#scales.get(kind.scale) ?? FIRST_SCALE - this.#scales.size;
    this.#scales.set(kind.scale, known);
    return known;
  }
}

const IGNORED = 1;
const VALUE = 2;
const END = 3;
const FIRST_WORD = 4;
const FIRST_SCALE = -1;
