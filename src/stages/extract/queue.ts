/** A priority queue of numbered items. */
import { Heap } from '../../math/heap.js';

interface Entry {
  readonly item: number;
  readonly turn: number;
  readonly worth: number;
}

/** Gives the items of the least turn first, then those of the greatest worth, then those of the least number. */
export class Queue {
  readonly #heap = new Heap<Entry>(isBefore);

  push(item: number, turn: number, worth: number): void {
    this.#heap.push({ item, turn, worth });
  }

  pop(): Entry | undefined {
    return this.#heap.pop();
  }
}

const isBefore = (a: Entry, b: Entry): boolean =>
  a.turn - b.turn < 0 ||
  (a.turn === b.turn && (a.worth > b.worth || (a.worth === b.worth && a.item < b.item)));
