/** Remembers the costs of short pieces, because texts repeat their words. */
import { enlarged, hashed, Spellings } from '../text/spellings.js';

/** Longer pieces rarely occur again. */
const LONGEST = 20;
/** Beyond it the memory of some 2 MB is cleared, which costs a few milliseconds. */
const MOST = 1 << 15;
const AT_FIRST = 1 << 12;

export class KnownPieces {
  #spellings = new Spellings();
  /** By number of the piece: its kind plus one, and its tokens beyond one. */
  #kinds = new Int32Array(AT_FIRST);
  #excess = new Float64Array(AT_FIRST);

  /** Returns a number for the piece of these code units, valid until the next call; -1 for a piece that is not kept. */
  numberOf(units: Uint16Array, start: number, end: number): number {
    if (end - start > LONGEST) return -1;
    if (this.#spellings.size === MOST) this.#clear();
    const room = this.#spellings.roomFor(LONGEST);
    let last = this.#spellings.length;
    let hash = 0;
    for (let at = start; at < end; at++) {
      const unit = units[at] as number;
      hash = hashed(hash, unit);
      room[last++] = unit;
    }
    return this.#spellings.numberOfWritten(last, hash);
  }

  /** Returns the kind that was kept for a piece; undefined if there is none. */
  kindOf(piece: number): number | undefined {
    const kept = this.#kinds[piece];
    return kept ? kept - 1 : undefined;
  }

  excessOf(piece: number): number {
    return this.#excess[piece] as number;
  }

  keep(piece: number, kind: number, excess: number): void {
    if (piece >= this.#kinds.length) {
      this.#kinds = enlarged(this.#kinds, piece + 1);
      this.#excess = enlarged(this.#excess, piece + 1);
    }
    this.#kinds[piece] = kind + 1;
    this.#excess[piece] = excess;
  }

  #clear(): void {
    this.#spellings = new Spellings();
    this.#kinds.fill(0);
  }
}
