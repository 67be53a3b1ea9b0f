/**
 * Which of many sets are much alike, without comparing all pairs.
 *
 * Sets x and y with Jaccard(x, y) >= s share at least s (|x| + |y|) / (1 + s) elements, hence at least s |x|. So of any
 * |x| - ⌈s |x|⌉ + 1 elements of x they share one: it is enough to look up the rarest so many. What is shared among these
 * also bounds what can be shared in all, which leaves few pairs to count.
 *
 * Sources: S. Chaudhuri, V. Ganti, R. Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006
 * (the prefix); C. Xiao, W. Wang, X. Lin, J. X. Yu, "Efficient similarity joins for near duplicate detection", WWW 2008
 * (the bound).
 */

/** Keeps what is near by in spite of rounding. */
const EPSILON = 1e-9;

export class NearSets {
  readonly #least: number;
  /** Elements of each set, the rarest first. */
  readonly #sets: readonly Int32Array[];
  /** Those that were added, by element. */
  readonly #owners: (number[] | undefined)[];
  readonly #added: number[] = [];
  readonly #isOwn: Uint8Array;
  readonly #hits: Int32Array;

  /**
   * @param sets of numbers from 0 on and below `size`; what is in a list twice is in the set once.
   * @param least the least Jaccard similarity that is sought. At 0 or below all sets are near.
   */
  constructor(sets: readonly Int32Array[], size: number, least: number) {
    this.#least = least - EPSILON;
    this.#sets = byRarity(sets, size);
    const distinct = this.#sets.reduce((most, set) => Math.max(most, 1 + (set.at(-1) ?? -1)), 0);
    this.#owners = Array.from({ length: distinct });
    this.#isOwn = new Uint8Array(size);
    this.#hits = new Int32Array(sets.length);
  }

  /** Puts a set among those that are found. */
  add(place: number): void {
    this.#added.push(place);
    for (const element of this.#sets[place] as Int32Array) {
      const owners = this.#owners[element];
      if (owners === undefined) this.#owners[element] = [place];
      else owners.push(place);
    }
  }

  /** Tells of those of the added sets that are near this one, each once, in no order. */
  near(place: number, tell: (place: number, similarity: number) => void): void {
    const own = this.#sets[place] as Int32Array;
    const isAny = this.#least <= 0;
    const lookedUp = isAny ? 0 : Math.min(own.length, own.length + 1 - Math.ceil(this.#least * own.length));
    const rest = own.length - lookedUp;
    for (const element of own) this.#isOwn[element] = 1;
    for (const other of isAny ? this.#added : this.#hit(own.subarray(0, lookedUp))) {
      const hits = this.#hits[other] as number;
      this.#hits[other] = 0;
      const size = own.length + (this.#sets[other] as Int32Array).length;
      if (hits + rest < (this.#least * size) / (1 + this.#least)) continue;
      const shared = hits + this.#sharedWith(other, own[lookedUp]);
      const similarity = shared === 0 ? 0 : shared / (size - shared);
      if (similarity >= this.#least) tell(other, similarity);
    }
    for (const element of own) this.#isOwn[element] = 0;
  }

  /** Jaccard similarity of two of the sets; 0 if both are empty. */
  similarity(a: number, b: number): number {
    const own = this.#sets[a] as Int32Array;
    for (const element of own) this.#isOwn[element] = 1;
    const shared = this.#sharedWith(b, own[0]);
    for (const element of own) this.#isOwn[element] = 0;
    return shared === 0 ? 0 : shared / (own.length + (this.#sets[b] as Int32Array).length - shared);
  }

  /** Added sets that have any of the elements, each once; counts how many. */
  #hit(elements: Int32Array): number[] {
    const found: number[] = [];
    for (const element of elements) {
      for (const owner of this.#owners[element] ?? []) {
        const hits = this.#hits[owner] as number;
        if (hits === 0) found.push(owner);
        this.#hits[owner] = hits + 1;
      }
    }
    return found;
  }

  /** How many elements of a set, from `first` on, are also those of the set that is marked. */
  #sharedWith(place: number, first = Number.POSITIVE_INFINITY): number {
    const set = this.#sets[place] as Int32Array;
    let shared = 0;
    for (let at = set.length - 1; at >= 0 && (set[at] as number) >= first; at--) {
      shared += this.#isOwn[set[at] as number] as number;
    }
    return shared;
  }
}

/**
 * The sets, each sorted, with other numbers for the elements: the fewer sets have one, the lower. By counting: to sort
 * the words of 200 passages by comparison takes longer than all that is looked up.
 */
function byRarity(lists: readonly Int32Array[], size: number): Int32Array[] {
  const frequencies = new Int32Array(size);
  const lastIn = new Int32Array(size).fill(-1);
  const sets = lists.map((list, place) =>
    list.filter((element) => {
      if (lastIn[element] === place) return false;
      lastIn[element] = place;
      frequencies[element] = (frequencies[element] as number) + 1;
      return true;
    }),
  );
  /** How many elements are in fewer sets; then, the next number for one that is in so many. */
  const ranks = new Int32Array(lists.length + 2);
  for (const frequency of frequencies) {
    if (frequency > 0) ranks[frequency + 1] = (ranks[frequency + 1] as number) + 1;
  }
  for (let frequency = 1; frequency < ranks.length; frequency++) {
    ranks[frequency] = (ranks[frequency] as number) + (ranks[frequency - 1] as number);
  }
  const rankOf = frequencies.map((frequency) => {
    const rank = ranks[frequency] as number;
    ranks[frequency] = rank + 1;
    return rank;
  });
  return sets.map((set) => set.map((element) => rankOf[element] as number).sort());
}
