import { Slots } from '../text/slots.js';
import type { Passage } from './passage.js';

/** For each term of some passages, those that have it. */
export class Postings {
  readonly #slots: Slots;
  /** By slot: how many passages have the term, and one more than where its last posting is. */
  readonly #frequencies: Int32Array;
  readonly #last: Int32Array;
  /** By posting: a passage, and one more than where the posting before it of the same term is. */
  readonly #places: Int32Array;
  readonly #before: Int32Array;

  /** @param size that of the vocabulary. */
  constructor(passages: readonly Passage[], size: number) {
    const most = passages.reduce((sum, { terms }) => sum + terms.length, 0);
    this.#slots = new Slots(size);
    this.#frequencies = new Int32Array(Math.min(size, most));
    this.#last = new Int32Array(Math.min(size, most));
    this.#places = new Int32Array(most);
    this.#before = new Int32Array(most);
    let count = 0;
    for (let place = 0; place < passages.length; place++) {
      const { terms } = passages[place] as Passage;
      for (let at = 0; at < terms.length; at++) {
        const slot = this.#slots.add(terms[at] as number);
        const last = this.#last[slot] as number;
        if (last > 0 && this.#places[last - 1] === place) continue;
        this.#places[count] = place;
        this.#before[count] = last;
        this.#last[slot] = ++count;
        this.#frequencies[slot] = (this.#frequencies[slot] as number) + 1;
      }
    }
  }

  /** How many passages have the term. */
  frequencyOf(term: number): number {
    const slot = this.#slots.of(term);
    return slot < 0 ? 0 : (this.#frequencies[slot] as number);
  }

  /** The passages that have it, the last first. */
  of(term: number): number[] {
    const slot = this.#slots.of(term);
    const places: number[] = [];
    let next = slot < 0 ? 0 : (this.#last[slot] as number);
    for (; next > 0; next = this.#before[next - 1] as number) places.push(this.#places[next - 1] as number);
    return places;
  }
}
