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
  #hashes = new Int32Array(SMALLEST_TABLE);
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
   *
   * @param hash of the word: `0`, and `hashed(hash, unit)` for each code unit.
   */
  numberOfWritten(end: number, hash: number): number {
    const table = this.#table;
    const hashes = this.#hashes;
    const mask = table.length - 1;
    let slot = slotOf(hash) & mask;
    for (let next = table[slot] as number; next !== 0; next = table[slot] as number) {
      if (hashes[next - 1] === hash && this.#isAt(next - 1, end)) return next - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(slot, end, hash);
  }

  /** Returns the number of a part of a text, as {@link numberOfWritten} does. */
  numberOf(text: string, start: number, end: number): number {
    const room = this.roomFor(end - start);
    let behind = this.length;
    let hash = 0;
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      hash = hashed(hash, unit);
      room[behind++] = unit;
    }
    return this.numberOfWritten(behind, hash);
  }

  /** Returns the word of a number. */
  wordOf(number: number): string {
    const units = this.#units.subarray(this.#starts[number], this.#starts[number + 1]);
    // `apply` takes an array as it is, which is several times faster than to spread it.
    return String.fromCharCode.apply(null, units as unknown as number[]);
  }

  #isAt(number: number, end: number): boolean {
    const units = this.#units;
    const starts = this.#starts;
    const start = starts[this.#size] as number;
    let at = starts[number] as number;
    if ((starts[number + 1] as number) - at !== end - start) return false;
    for (let other = start; other < end; other++) if (units[at++] !== units[other]) return false;
    return true;
  }

  #add(slot: number, end: number, hash: number): number {
    const number = this.#size++;
    this.#table[slot] = number + 1;
    if (this.#size === this.#starts.length) {
      this.#starts = enlarged(this.#starts);
      this.#hashes = enlarged(this.#hashes);
    }
    this.#starts[this.#size] = end;
    this.#hashes[number] = hash;
    if (2 * this.#size > this.#table.length) this.#enlargeTable();
    return number;
  }

  #enlargeTable(): void {
    const table = new Int32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = slotOf(this.#hashes[number] as number) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = number + 1;
    }
    this.#table = table;
  }
}

/** Returns the hash of a word with one more code unit. */
export const hashed = (hash: number, unit: number): number => (Math.imul(hash, 31) + unit) | 0;

const slotOf = (hash: number): number => {
  const mixed = Math.imul(hash, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

/** Returns a copy with more room: at least twice as much. */
export function enlarged<T extends Int32Array | Uint16Array | Float64Array>(array: T, least = 0): T {
  const Kind = array.constructor as new (length: number) => T;
  const larger = new Kind(Math.max(2 * array.length, least));
  larger.set(array);
  return larger;
}
