/** The number of terms in one array, at least. */
const BLOCK = 1 << 12;

/**
 * Puts together many short arrays of terms. They are parts of a few long arrays, because an array of its own takes ten
 * times as long. So none of them should be kept longer than the others.
 */
export class TermList {
  #block = new Int32Array(BLOCK);
  #start = 0;
  #end = 0;

  /** Adds the terms from `start` to `end` (exclusive) to the array that is being put together. */
  add(terms: Int32Array, start = 0, end = terms.length): void {
    if (this.#end + end - start > this.#block.length) this.#begin(end - start);
    const block = this.#block;
    let to = this.#end;
    for (let at = start; at < end; at++) block[to++] = terms[at] as number;
    this.#end = to;
  }

  /** Returns the terms that were added since the last call. */
  take(): Int32Array {
    const terms = this.#block.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return terms;
  }

  /** Returns the terms of all arrays, one after the other. */
  of(...all: readonly Int32Array[]): Int32Array {
    for (const terms of all) this.add(terms);
    return this.take();
  }

  /** Begins a block with room for more terms, and moves those that are not taken yet there. */
  #begin(more: number): void {
    const begun = this.#block.subarray(this.#start, this.#end);
    this.#block = new Int32Array(Math.max(BLOCK, 2 * (begun.length + more)));
    this.#block.set(begun);
    this.#start = 0;
    this.#end = begun.length;
  }
}
