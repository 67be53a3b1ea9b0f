/**
 * Numbers of words by their spelling: a hash table with linear probing over one array of characters. So a text is read
 * without a string for each of its words, which takes a third of the time.
 */

/** A power of two. The table is at most half full. */
const SMALLEST_TABLE = 1 << 12;

export class Spellings {
  /** Numbers plus one by hash; 0 is free. */
  #table = new Int32Array(SMALLEST_TABLE);
  /** The code units of all words, one word after the other, with room behind the last one. */
  #units = new Uint16Array(8 * SMALLEST_TABLE);
  /** By number: the index of the first code unit. The entry behind the last number is the end of the last word. */
  #starts = new Int32Array(SMALLEST_TABLE);
  #size = 0;

  /** The number of words. */
  get size(): number {
    return this.#size;
  }

  /** The number of code units of all words. */
  get length(): number {
    return this.#starts[this.#size] as number;
  }

  /** Returns the array into which a word of up to `length` code units may be written, from the index `this.length` on. */
  roomFor(length: number): Uint16Array {
    const needed = this.length + length;
    if (needed > this.#units.length) this.#units = enlarged(this.#units, needed);
    return this.#units;
  }

  /**
   * Returns the number of the word that was written into the room, up to the index `end`. A new word gets the next number,
   * which is the size until now.
   */
  numberOfWritten(end: number): number {
    const { length: start } = this;
    const mask = this.#table.length - 1;
    let slot = hashOf(this.#units, start, end) & mask;
    for (let next = this.#table[slot] as number; next !== 0; next = this.#table[slot] as number) {
      if (this.#isAt(next - 1, start, end)) return next - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(slot, end);
  }

  /** Returns the word of a number. */
  wordOf(number: number): string {
    return String.fromCharCode(...this.#units.subarray(this.#starts[number], this.#starts[number + 1]));
  }

  #isAt(number: number, start: number, end: number): boolean {
    const units = this.#units;
    let at = this.#starts[number] as number;
    if ((this.#starts[number + 1] as number) - at !== end - start) return false;
    for (let other = start; other < end; other++) if (units[at++] !== units[other]) return false;
    return true;
  }

  #add(slot: number, end: number): number {
    const number = this.#size++;
    this.#table[slot] = number + 1;
    if (this.#size === this.#starts.length) this.#starts = enlarged(this.#starts);
    this.#starts[this.#size] = end;
    if (2 * this.#size > this.#table.length) this.#enlargeTable();
    return number;
  }

  #enlargeTable(): void {
    const table = new Int32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (let number = 0; number < this.#size; number++) {
      const [start, end] = [this.#starts[number] as number, this.#starts[number + 1] as number];
      let slot = hashOf(this.#units, start, end) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = number + 1;
    }
    this.#table = table;
  }
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (units[at] as number)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** Returns a copy with more room: at least twice as much. */
export function enlarged<T extends Int32Array | Uint16Array | Float64Array>(array: T, least = 0): T {
  const Kind = array.constructor as new (length: number) => T;
  const larger = new Kind(Math.max(2 * array.length, least));
  larger.set(array);
  return larger;
}
