/** A priority queue of numbered items, as a binary heap. */

interface Entry {
  readonly item: number;
  readonly turn: number;
  readonly worth: number;
}

/** Gives the items of the least turn first, then those of the greatest worth, then those of the least number. */
export class Queue {
  readonly #entries: Entry[] = [];

  push(item: number, turn: number, worth: number): void {
    const entries = this.#entries;
    const entry = { item, turn, worth };
    let at = entries.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, entries[parent] as Entry)) break;
      entries[at] = entries[parent] as Entry;
      at = parent;
    }
    entries[at] = entry;
  }

  pop(): Entry | undefined {
    const entries = this.#entries;
    const [first] = entries;
    const last = entries.pop();
    if (first === undefined || last === undefined || entries.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && isBefore(entries[child + 1] as Entry, entries[child] as Entry))
        child++;
      if (!isBefore(entries[child] as Entry, last)) break;
      entries[at] = entries[child] as Entry;
      at = child;
    }
    entries[at] = last;
    return first;
  }
}

const isBefore = (a: Entry, b: Entry): boolean =>
  a.turn < b.turn || (a.turn === b.turn && (a.worth > b.worth || (a.worth === b.worth && a.item < b.item)));
