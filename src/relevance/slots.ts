import type { Passage } from './passage.js';

/** Some terms of a vocabulary, numbered in the order in which they were added. Five times as fast as a map. */
export class Slots {
  readonly #slots: Int32Array;
  #size = 0;

  /** @param size that of the vocabulary. */
  constructor(size: number) {
    this.#slots = new Int32Array(size);
  }

  get size(): number {
    return this.#size;
  }

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

/** How many passages have each of the terms. */
export function frequenciesOf(slots: Slots, passages: readonly Passage[]): Int32Array {
  const frequencies = new Int32Array(slots.size);
  const lastSeen = new Int32Array(slots.size).fill(-1);
  for (const [place, { terms }] of passages.entries()) {
    for (let at = 0; at < terms.length; at++) {
      const slot = slots.of(terms[at] as number);
      if (slot < 0 || lastSeen[slot] === place) continue;
      lastSeen[slot] = place;
      frequencies[slot] = (frequencies[slot] as number) + 1;
    }
  }
  return frequencies;
}
