/**
 * Finds similar sets among many, without comparing all pairs.
 *
 * Sets x and y with Jaccard(x, y) >= s share at least a = s (|x| + |y|) / (1 + s) elements. With elements in one order, the
 * rarest first, they share at least c of the first |x| - ⌈a⌉ + c of x that are among the first |y| - ⌈a⌉ + c of y, or all a
 * if that is less. For all sizes, a >= s |x|, and a >= 2 s / (1 + s) |x| if y is no smaller. So a set has a long
 * prefix, and a short one that is enough beside sets that are no smaller: two sets are compared if c elements are in
 * both prefixes, and in one of them in the short one.
 *
 * Sources: S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006
 * (the prefix); C. Xiao, W. Wang, X. Lin, J. X. Yu, "Efficient similarity joins for near duplicate detection", WWW 2008
 * (the shorter one); J. Wang, G. Li, J. Feng, "Can we beat the prefix filtering?", SIGMOD 2012 (more than one element).
 */

import { Nearest, type Neighbour } from './nearest.js';
import { Slots } from './slots.js';

/** The c of the bound above, below 255. With 1 instead, 10,000 passages take two and a half times as long. */
const MEETINGS = 6;
/** Tolerance: rounding must not drop a near set. */
const EPSILON = 1e-9;

/** A collection of sets that finds the added sets near a given one. */
export class NearSets {
  readonly #least: number;
  /** Elements of each set, the rarest first. */
  readonly #sets: readonly Int32Array[];
  readonly #added: number[] = [];
  /**
   * By element: the added sets that have it in their short prefix, and those that have it in the rest of the long
   * prefix.
   */
  readonly #byShort: (number[] | undefined)[];
  readonly #byLong: (number[] | undefined)[];
  readonly #isOwn: Uint8Array;
  /**
   * By set: the number of its elements that were met, up to the number that matters. Bytes keep it in the nearest
   * cache.
   */
  readonly #hits: Uint8Array;

  private constructor(least: number, { sets, distinct }: Ordered) {
    this.#least = least - EPSILON;
    this.#sets = sets;
    this.#byShort = Array.from({ length: distinct });
    this.#byLong = Array.from({ length: distinct });
    this.#isOwn = new Uint8Array(distinct);
    this.#hits = new Uint8Array(sets.length);
  }

  /**
   * Puts the elements of the sets in order.
   *
   * @param sets sets of integers from 0 to `size` - 1. A repeated element of a list counts once.
   * @param size the number of possible elements.
   * @param least the least Jaccard similarity that is searched for. At 0 or below, all sets are near.
   */
  static of(sets: readonly Int32Array[], size: number, least: number): NearSets {
    return new NearSets(least, byRarity(sets, size));
  }

  /** Adds a set to the sets that {@link nearest} can find. */
  add(place: number): void {
    this.#added.push(place);
    const set = this.#sets[place] as Int32Array;
    const { short, long } = this.#prefixes(set.length);
    for (let at = 0; at < long; at++) {
      const lists = at < short ? this.#byShort : this.#byLong;
      const element = set[at] as number;
      const owners = lists[element];
      if (owners === undefined) lists[element] = [place];
      else owners.push(place);
    }
  }

  /**
   * Returns the added sets that are near this one, at most the `most` nearest, in the order of their places. Ties go to the
   * lower place. The distance is 1 less the Jaccard similarity.
   *
   * @param admits whether a set may be among them.
   */
  nearest(place: number, most: number, admits: (place: number) => boolean): Neighbour[] {
    const own = this.#sets[place] as Int32Array;
    const found = new Nearest(most);
    for (const element of own) this.#isOwn[element] = 1;
    const compare = (other: number) => this.#compare(own.length, other, found, admits);
    if (this.#least <= 0) this.#added.forEach(compare);
    else this.#meet(own, found, compare);
    for (const element of own) this.#isOwn[element] = 0;
    return found.inOrder();
  }

  /** Adds the set to those found if it is near the marked set, and nearer than the farthest of them. */
  #compare(length: number, other: number, found: Nearest, admits: (place: number) => boolean): void {
    const size = length + (this.#sets[other] as Int32Array).length;
    const { farthest } = found;
    let least = (this.#least * size) / (1 + this.#least);
    if (farthest !== undefined) {
      const similarity = 1 - farthest.distance;
      // A tie does not suffice for a higher place.
      const more = other > farthest.place ? EPSILON : -EPSILON;
      least = Math.max(least, (similarity * size) / (1 + similarity) + more);
    }
    const shared = this.#sharedWith(other, least);
    const similarity = shared === 0 ? 0 : shared / (size - shared);
    if (shared >= least && similarity >= this.#least && admits(other)) found.add(other, 1 - similarity);
  }

  /** Returns the Jaccard similarity of two of the sets, 0..1. It is 0 if both are empty. */
  similarity(a: number, b: number): number {
    const shared = this.#shared(a, b);
    return shared === 0 ? 0 : shared / (this.#sizeOf(a) + this.#sizeOf(b) - shared);
  }

  /**
   * Returns the share of the elements of the smaller set that the other set has, 0..1. It is 0 if the smaller set is
   * empty.
   */
  containment(a: number, b: number): number {
    const shared = this.#shared(a, b);
    return shared === 0 ? 0 : shared / Math.min(this.#sizeOf(a), this.#sizeOf(b));
  }

  #shared(a: number, b: number): number {
    const own = this.#sets[a] as Int32Array;
    for (const element of own) this.#isOwn[element] = 1;
    const shared = this.#sharedWith(b, 0);
    for (const element of own) this.#isOwn[element] = 0;
    return shared;
  }

  #sizeOf(place: number): number {
    return (this.#sets[place] as Int32Array).length;
  }

  /** Returns the lengths of both prefixes of a set of this size. */
  #prefixes(size: number, least = this.#least): { short: number; long: number } {
    const prefix = (share: number) => Math.min(size, size + MEETINGS - Math.ceil(share * size));
    return { short: prefix((2 * least) / (1 + least)), long: prefix(least) };
  }

  /**
   * Calls `compare` for the added sets that share enough prefix elements to be near, each once. Every near set is among
   * them. As soon as enough sets are found, only nearer ones count, so the prefixes become shorter: among a thousand
   * filled-in forms, the first elements suffice.
   */
  #meet(own: Int32Array, found: Nearest, compare: (place: number) => void): void {
    const enough = Math.min(MEETINGS, Math.ceil(this.#least * own.length));
    const hits = this.#hits.fill(0);
    const meet = (owners: readonly number[] | undefined) => {
      if (owners === undefined) return;
      for (let at = 0; at < owners.length; at++) {
        const owner = owners[at] as number;
        const count = (hits[owner] as number) + 1;
        if (count > enough) continue;
        hits[owner] = count;
        if (count === enough) compare(owner);
      }
    };
    let { short, long } = this.#prefixes(own.length);
    for (let at = 0; at < long; at++) {
      meet(this.#byShort[own[at] as number]);
      if (at < short) meet(this.#byLong[own[at] as number]);
      const { farthest } = found;
      if (farthest === undefined) continue;
      const nearer = this.#prefixes(own.length, 1 - farthest.distance - EPSILON);
      short = Math.min(short, nearer.short);
      long = Math.min(long, nearer.long);
    }
  }

  /** Counts the elements that a set shares with the marked set. The count may be too low if it is less than `least`. */
  #sharedWith(place: number, least: number): number {
    const set = this.#sets[place] as Int32Array;
    let shared = 0;
    // Beginning with the most frequent elements would separate less, because nearly all sets have them.
    for (let at = 0; at < set.length && shared + set.length - at >= least; at++) {
      shared += this.#isOwn[set[at] as number] as number;
    }
    return shared;
  }
}

interface Ordered {
  sets: Int32Array[];
  /** The number of different elements. */
  distinct: number;
}

/**
 * Returns the sets, each sorted, with elements renumbered from 0 without gaps: the fewer sets have an element, the
 * lower its number. It counts, because sorting the words of 200 passages by comparison takes longer than all look-ups.
 */
function byRarity(lists: readonly Int32Array[], size: number): Ordered {
  const most = lists.reduce((sum, { length }) => sum + length, 0);
  const slots = new Slots();
  const frequencies = new Int32Array(Math.min(size, most));
  const lastIn = new Int32Array(Math.min(size, most));
  const all = new Int32Array(most);
  let end = 0;
  const sets: Int32Array[] = [];
  for (const [place, list] of lists.entries()) {
    const start = end;
    for (let at = 0; at < list.length; at++) {
      const slot = slots.add(list[at] as number);
      if (lastIn[slot] === place + 1) continue;
      lastIn[slot] = place + 1;
      frequencies[slot] = (frequencies[slot] as number) + 1;
      all[end++] = slot;
    }
    sets.push(all.subarray(start, end));
  }
  /**
   * By frequency: first the number of elements of lower frequency, then the next number for an element of this
   * frequency.
   */
  const ranks = new Int32Array(lists.length + 2);
  for (let slot = 0; slot < slots.size; slot++) {
    const next = (frequencies[slot] as number) + 1;
    ranks[next] = (ranks[next] as number) + 1;
  }
  for (let frequency = 1; frequency < ranks.length; frequency++) {
    ranks[frequency] = (ranks[frequency] as number) + (ranks[frequency - 1] as number);
  }
  const rankOf = new Int32Array(slots.size);
  for (let slot = 0; slot < slots.size; slot++) {
    const frequency = frequencies[slot] as number;
    const rank = ranks[frequency] as number;
    ranks[frequency] = rank + 1;
    rankOf[slot] = rank;
  }
  for (const set of sets) {
    for (let at = 0; at < set.length; at++) set[at] = rankOf[set[at] as number] as number;
    set.sort();
  }
  return { sets, distinct: slots.size };
}
