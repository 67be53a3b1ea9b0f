/**
 * Cosines of the vectors of one call's candidates, for all stages that compare them.
 *
 * Vectors are packed once, and the cosines of all pairs are computed once, if these are few enough to be kept. They are
 * 32-bit sums: quick to tell what is surely near or far, and off by `rounding` at most. What that leaves open, and what
 * the ledger tells, is for `exact`.
 */
import { cosines, gram, type Packed, pack, roundingBound } from '../math/gram.js';
import { condensedIndex } from '../math/linkage.js';
import { cosine, dot } from '../math/vectors.js';
import type { Pacer } from '../runtime/pacer.js';
import type { Candidate } from '../types.js';

/** Of up to this many candidates all pairs are kept, in 8 MB. Of more, stages compute rows where they need them. */
export const MOST_KEPT = 2048;
/** Rows that are computed in one go: as many as the kernel multiplies at once. */
const ROWS = 128;
/**
 * Share of the components that is enough to tell far vectors from near ones, as a multiple of the distance that is near:
 * with 4, pairs whose cosine is below .75, if vectors have as much of their length in each part.
 */
const BEGINNING = 4;
/** If more is needed, all is as quick. */
const LONGEST_BEGINNING = 0.5;
/** Of the others. To gather more of them takes longer than to compare all, block by block. */
const MOST_LEFT = 1 / 16;

export class Cosines {
  #packed: Packed = pack([]);
  #vectors: readonly Float32Array[] = [];
  /** By the candidate's place in the input. */
  #slots = new Map<number, number>();
  /** All rows, if they are kept. */
  #kept: Float32Array | undefined;
  #rows = new Rows(this.#packed);
  #beginnings: Beginnings | undefined;

  /** Packs the vectors of candidates, unless they are packed already. */
  async pack(candidates: readonly Candidate[], pacer: Pacer): Promise<void> {
    if (!candidates.every(({ index }) => this.#slots.has(index))) await this.packInOrder(candidates, pacer);
  }

  /** Packs the vectors of candidates, unless they are packed in this order: each one's slot is its place in the list. */
  async packInOrder(candidates: readonly Candidate[], pacer: Pacer): Promise<void> {
    const isPacked = candidates.every(({ index }, slot) => this.#slots.get(index) === slot);
    if (isPacked && candidates.length === this.#slots.size) return;
    this.#vectors = candidates.map(({ vector }) => vector as Float32Array);
    this.#slots = new Map(candidates.map(({ index }, slot) => [index, slot]));
    this.#packed = pack(this.#vectors);
    this.#kept = candidates.length > MOST_KEPT ? undefined : await triangleOf(this.#packed, pacer);
    this.#rows = new Rows(this.#packed, this.#kept);
    this.#beginnings = undefined;
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

  /**
   * The slots after one whose cosines with it are at least so much, ascending. Quick where slots are asked for in their
   * order and `least` is always the same, even if not all pairs are kept.
   */
  near(slot: number, least: number): { slot: number; cosine: number }[] {
    const maybe = this.#maybeNear(slot, least);
    const values =
      maybe === undefined ? this.#rows.after(slot) : cosines(this.#packOf([slot]), this.#packOf(maybe));
    const found: { slot: number; cosine: number }[] = [];
    for (let at = 0; at < values.length; at++) {
      const cosine = values[at] as number;
      if (cosine >= least) found.push({ slot: maybe?.[at] ?? slot + 1 + at, cosine });
    }
    return found;
  }

  /** Those that may be as near by the beginnings of their vectors; nothing where it is as quick to compare all. */
  #maybeNear(slot: number, least: number): number[] | undefined {
    const share = BEGINNING * (1 - least);
    if (this.#kept !== undefined || !(share <= LONGEST_BEGINNING)) return undefined;
    if (this.#beginnings?.share !== share) this.#beginnings = beginningsOf(this.#vectors, share);
    const { rows, rest, rounding } = this.#beginnings;
    const own = rest[slot] as number;
    const row = rows.after(slot);
    const bound = least - rounding - this.rounding;
    const found: number[] = [];
    for (let at = 0; at < row.length; at++) {
      // The rests are alike at most as Cauchy and Schwarz allow.
      const most = (row[at] as number) + own * (rest[slot + 1 + at] as number);
      if (most >= bound) found.push(slot + 1 + at);
    }
    return found.length > MOST_LEFT * row.length ? undefined : found;
  }

  #packOf(slots: ArrayLike<number>): Packed {
    return pack(Array.from(slots, (slot) => this.#vectors[slot] as Float32Array));
  }

  /** Of a slot with others; 1 with itself. */
  between(slot: number, others: Int32Array): Float32Array {
    const { count } = this.#packed;
    const found = new Float32Array(others.length);
    const kept = this.#kept;
    const row = kept ?? cosines(this.#packed, this.#packed, slot, slot + 1);
    for (let at = 0; at < found.length; at++) {
      const other = others[at] as number;
      if (other === slot) found[at] = 1;
      else found[at] = row[kept ? condensedIndex(count, slot, other) : other] as number;
    }
    return found;
  }

  /** Of all pairs of some slots: the packed upper triangle, as `condensedIndex` has it. */
  async among(slots: Int32Array, pacer: Pacer): Promise<Float32Array> {
    if (this.#kept === undefined) {
      return triangleOf(this.#packOf(slots), pacer);
    }
    const n = slots.length;
    const triangle = new Float32Array((n * (n - 1)) / 2);
    for (let i = 0; i < n; i++) {
      const row = this.between(slots[i] as number, slots.subarray(i + 1));
      triangle.set(row, condensedIndex(n, i, i + 1));
    }
    return triangle;
  }
}

/** Rows of the upper triangle: all of them, or so many at once as are asked for. */
class Rows {
  #from = 0;
  #values: Float32Array;
  #to: number;

  constructor(
    readonly packed: Packed,
    kept?: Float32Array,
  ) {
    this.#values = kept ?? new Float32Array(0);
    this.#to = kept === undefined ? 0 : packed.count;
  }

  /** Of a slot with those after it. */
  after(slot: number): Float32Array {
    const { count } = this.packed;
    if (slot < this.#from || slot >= this.#to) {
      this.#from = slot;
      this.#to = Math.min(count, slot + ROWS);
      this.#values = gram(this.packed, this.#from, this.#to);
    }
    const start = condensedIndex(count, slot, slot + 1) - condensedIndex(count, this.#from, this.#from + 1);
    return this.#values.subarray(start, start + count - 1 - slot);
  }
}

/** Beginnings of vectors. */
interface Beginnings {
  readonly share: number;
  readonly rows: Rows;
  /** Lengths of what is behind them. */
  readonly rest: Float64Array;
  /** Most by which a product of two of them, and of two lengths, is off. */
  readonly rounding: number;
}

function beginningsOf(vectors: readonly Float32Array[], share: number): Beginnings {
  const length = Math.ceil(share * (vectors[0]?.length ?? 0));
  const rest = Float64Array.from(vectors, (vector) => {
    const tail = vector.subarray(length);
    return Math.sqrt(dot(tail, tail));
  });
  const packed = pack(vectors.map((vector) => vector.subarray(0, length)));
  return { share, rows: new Rows(packed), rest, rounding: roundingBound(packed.width) + 1e-9 };
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
