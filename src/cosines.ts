/**
 * Cosines of the vectors of one call's candidates, for all stages that compare them.
 *
 * Vectors are packed once, and the cosines of all pairs are computed once, if these are few enough to be kept. They are
 * 32-bit sums: quick to tell what is surely near or far, and off by `rounding` at most. What that leaves open, and what
 * the ledger tells, is for `exact`.
 */
import { cosines, gram, type Packed, pack, roundingBound } from './math/gram.js';
import { condensedIndex } from './math/linkage.js';
import { cosine } from './math/vectors.js';
import type { Pacer } from './pacer.js';
import type { Candidate } from './types.js';

/** Of up to this many candidates all pairs are kept, in 8 MB. Of more, stages compute rows where they need them. */
const MOST_KEPT = 2048;
/** Rows that are computed in one go: as many as the kernel multiplies at once. */
const ROWS = 128;
const NONE = { from: 0, to: 0, values: new Float32Array(0) };

export class Cosines {
  #packed: Packed = pack([]);
  #vectors: readonly Float32Array[] = [];
  /** By the candidate's place in the input. */
  #slots = new Map<number, number>();
  /** Rows of the upper triangle from slot `from` to `to` (not included): all of them, if they are kept. */
  #rows: { from: number; to: number; values: Float32Array } = NONE;

  /** Packs the vectors of candidates, unless they are packed already. Their order is that of the slots. */
  async pack(candidates: readonly Candidate[], pacer: Pacer): Promise<void> {
    if (candidates.every(({ index }) => this.#slots.has(index))) return;
    this.#vectors = candidates.map(({ vector }) => vector as Float32Array);
    this.#slots = new Map(candidates.map(({ index }, slot) => [index, slot]));
    this.#packed = pack(this.#vectors);
    const count = candidates.length;
    this.#rows =
      count > MOST_KEPT ? NONE : { from: 0, to: count, values: await triangleOf(this.#packed, pacer) };
  }

  slotOf({ index }: Candidate): number {
    return this.#slots.get(index) as number;
  }

  /** Most by which a cosine that is not exact is off. */
  get rounding(): number {
    return roundingBound(this.#packed.width);
  }

  /** Of two slots, in 64-bit sums. */
  exact(a: number, b: number): number {
    return cosine(this.#vectors[a] as Float32Array, this.#vectors[b] as Float32Array);
  }

  /** Of a slot with those after it. Quick where slots are asked for in their order, even if not all pairs are kept. */
  after(slot: number): Float32Array {
    const { count } = this.#packed;
    if (slot < this.#rows.from || slot >= this.#rows.to) {
      const to = Math.min(count, slot + ROWS);
      this.#rows = { from: slot, to, values: gram(this.#packed, slot, to) };
    }
    const { from, values } = this.#rows;
    const start = condensedIndex(count, slot, slot + 1) - condensedIndex(count, from, from + 1);
    return values.subarray(start, start + count - 1 - slot);
  }

  /** Of a slot with others; 1 with itself. */
  between(slot: number, others: Int32Array): Float32Array {
    const { count } = this.#packed;
    const found = new Float32Array(others.length);
    const { values } = this.#rows;
    const row = this.#isKept ? undefined : cosines(this.#packed, this.#packed, slot, slot + 1);
    for (let at = 0; at < found.length; at++) {
      const other = others[at] as number;
      if (other === slot) found[at] = 1;
      else found[at] = row ? (row[other] as number) : (values[condensedIndex(count, slot, other)] as number);
    }
    return found;
  }

  /** Of all pairs of some slots: the packed upper triangle, as `condensedIndex` has it. */
  async among(slots: Int32Array, pacer: Pacer): Promise<Float32Array> {
    if (!this.#isKept) {
      return triangleOf(pack(Array.from(slots, (slot) => this.#vectors[slot] as Float32Array)), pacer);
    }
    const n = slots.length;
    const triangle = new Float32Array((n * (n - 1)) / 2);
    for (let i = 0; i < n; i++) {
      const row = this.between(slots[i] as number, slots.subarray(i + 1));
      triangle.set(row, condensedIndex(n, i, i + 1));
    }
    return triangle;
  }

  get #isKept(): boolean {
    return this.#rows.to - this.#rows.from === this.#packed.count;
  }
}

async function triangleOf(packed: Packed, pacer: Pacer): Promise<Float32Array> {
  const { count } = packed;
  const triangle = new Float32Array((count * (count - 1)) / 2);
  for (let from = 0; from < count; from += ROWS) {
    const rows = gram(packed, from, Math.min(count, from + ROWS));
    triangle.set(rows, condensedIndex(count, from, from + 1));
    if (pacer.due()) await pacer.pause();
  }
  return triangle;
}

/** After the embed stage, all candidates have vectors or none has. */
export function haveVectors(candidates: readonly Candidate[]): boolean {
  return candidates.length > 0 && candidates.every((candidate) => candidate.vector !== undefined);
}
