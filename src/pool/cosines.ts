/**
 * Cosines of the vectors of one call's candidates, for all stages that compare them.
 *
 * Vectors are packed once. If there are few enough pairs to keep, all cosines are computed once. They are 32-bit sums:
 * fast, and wrong by `rounding` at most, which suffices for pairs that are clearly near or far. Pairs in between, and
 * values in the report, use `exact`.
 */
import { cosines, gram, type Packed, pack, roundingBound } from '../math/gram/gram.js';
import { condensedIndex } from '../math/linkage.js';
import { cosine } from '../math/vectors.js';
import type { Candidate } from '../types.js';

/** Up to this number of candidates, the cosines of all pairs are kept, in 8 MB. Above it, rows are computed when needed. */
export const MOST_KEPT = 2048;
/** Number of rows to compute at once: as many as the kernel multiplies at once. */
const ROWS = 128;

export class Cosines {
  #packed: Packed = pack([]);
  #vectors: readonly Float32Array[] = [];
  /** Slots by the candidate's place in the input. */
  #slots = new Map<number, number>();
  /** The cosines of all pairs, if they are kept. */
  #kept: Float32Array | undefined;

  /** Packs the vectors of candidates, unless they are packed already. */
  pack(candidates: readonly Candidate[]): void {
    if (candidates.every(({ index }) => this.#slots.has(index))) return;
    const vectors = candidates.map(({ vector }) => vector as Float32Array);
    const packed = pack(vectors);
    const kept = candidates.length > MOST_KEPT ? undefined : triangleOf(packed);
    this.#vectors = vectors;
    this.#slots = new Map(candidates.map(({ index }, slot) => [index, slot]));
    this.#packed = packed;
    this.#kept = kept;
  }

  slotOf({ index }: Candidate): number {
    return this.#slots.get(index) as number;
  }

  /** Greatest error of a cosine that is not exact. */
  get rounding(): number {
    return roundingBound(this.#packed.width);
  }

  /** The cosine of two slots, in 64-bit sums. */
  exact(a: number, b: number): number {
    return cosine(this.#vectors[a] as Float32Array, this.#vectors[b] as Float32Array);
  }

  #vectorsOf(slots: ArrayLike<number>): Float32Array[] {
    return Array.from(slots, (slot) => this.#vectors[slot] as Float32Array);
  }

  /** The cosines of a slot with others; 1 with itself. */
  between(slot: number, others: Int32Array): Float32Array {
    if (this.#kept !== undefined) return ofTriangle(this.#kept, this.#packed.count, slot, others);
    const row = cosines(this.#packed, this.#packed, slot, slot + 1);
    row[slot] = 1;
    return ofRow(row, others);
  }

  /** The cosines of all pairs of some slots: the packed upper triangle, in the order of `condensedIndex`. */
  among(slots: Int32Array): Float32Array {
    if (this.#kept === undefined) return triangleOf(pack(this.#vectorsOf(slots)));
    const n = slots.length;
    const triangle = new Float32Array((n * (n - 1)) / 2);
    for (let i = 0; i < n; i++) {
      const row = ofTriangle(this.#kept, this.#packed.count, slots[i] as number, slots.subarray(i + 1));
      triangle.set(row, condensedIndex(n, i, i + 1));
    }
    return triangle;
  }
}

/** The values of some slots. */
function ofRow(row: Float32Array, slots: Int32Array): Float32Array {
  const found = new Float32Array(slots.length);
  for (let at = 0; at < found.length; at++) found[at] = row[slots[at] as number] as number;
  return found;
}

/** The values of a slot with others from the upper triangle of `count` slots; 1 with itself. */
function ofTriangle(triangle: Float32Array, count: number, slot: number, others: Int32Array): Float32Array {
  const found = new Float32Array(others.length);
  for (let at = 0; at < found.length; at++) {
    const other = others[at] as number;
    found[at] = other === slot ? 1 : (triangle[condensedIndex(count, slot, other)] as number);
  }
  return found;
}

function triangleOf(packed: Packed): Float32Array {
  const { count } = packed;
  const triangle = new Float32Array((count * (count - 1)) / 2);
  for (let from = 0; from < count; from += ROWS) {
    const rows = gram(packed, from, Math.min(count, from + ROWS));
    triangle.set(rows, condensedIndex(count, from, from + 1));
  }
  return triangle;
}

/** After the embed stage, all candidates have vectors or none has. */
export function haveVectors(candidates: readonly Candidate[]): boolean {
  return candidates.length > 0 && candidates.every((candidate) => candidate.vector !== undefined);
}
