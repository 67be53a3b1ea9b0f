/**
 * Computes the cosines of many pairs of unit vectors. The cosines of all pairs of one set are its Gram matrix:
 *
 *   G = V Vᵀ,  G[i, j] = v_i · v_j = cos(v_i, v_j)
 *
 * Every value is a 32-bit float. Every kernel adds up the products in one and the same order (p(k) = fl(a(k) b(k)),
 * sums from left to right):
 *
 *   lane(c, l) = p(512 c + l) + p(512 c + l + 4) + .. + p(512 c + l + 508)           l = 0..3
 *   cos(a, b)  = Σ_c (lane(c, 0) + lane(c, 1)) + (lane(c, 2) + lane(c, 3))           kept in -1..1
 *
 * So the cosine of a pair is the same to the last bit on every machine, with SIMD and without, in a triangle, a part of
 * a triangle or a row, and in both directions. No product goes through more than min(d / 4, 128) + d / 512 + 1
 * roundings (each quotient rounded up), and with u = 2⁻²⁴
 *
 *   |computed - exact| <= (min(d / 4, 128) + d / 512 + 5) u
 *
 * The term 4 u covers clamping, lengths that are not quite 1, and underflow. The bound is 8.1e-6 for d = 1,536. The
 * largest error that was measured on random vectors was 2.6e-7.
 *
 * Vectors are multiplied tile by tile (assembly/gram.ts), in a memory of 576 KiB that all calls share and that never
 * grows. Copying tiles into it takes 5 % of the time; a memory that had grown for a large pool could never shrink in
 * WebAssembly. Measured on one core (AMD EPYC, Zen 4; Node 20), all pairs, by this file and by `cosine` of vectors.ts:
 *
 *   n = 200,   d = 1,536     1.7 ms       47 ms
 *   n = 500,   d = 384       2.7 ms       76 ms
 *   n = 1,000, d = 1,536    42 ms     1,270 ms
 *
 * Sources: N. J. Higham, "Accuracy and Stability of Numerical Algorithms", SIAM, 2002, sections 3.1 and
 * 4.2 (the bound); K. Goto, R. A. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM
 * Transactions on Mathematical Software 34(3), 2008 (the tiles).
 */

import { condensedIndex } from '../linkage.js';
import { kernel } from './kernel.js';
import { CHUNK, LEFT, RIGHT, SUMS, TILE_ROWS } from './layout.js';

/** Vectors prepared for multiplication: a copy of the same size. */
export interface Packed {
  /** Number of vectors. */
  readonly count: number;
  /** Components of each vector, padded with zeros to a multiple of 4. */
  readonly width: number;
  /**
   * The first {@link CHUNK} components of all vectors, vector by vector, then the next components of all vectors, and
   * so on.
   */
  readonly values: Float32Array;
}

/**
 * Copies vectors into the layout that {@link gram} and {@link cosines} read.
 *
 * @param vectors vectors of unit length or zero, all of one dimension.
 */
export function pack(vectors: readonly Float32Array[]): Packed {
  const count = vectors.length;
  const width = Math.ceil((vectors[0]?.length ?? 0) / 4) * 4;
  const values = new Float32Array(count * width);
  for (let start = 0; start < width; start += CHUNK) {
    const length = Math.min(CHUNK, width - start);
    for (let i = 0; i < count; i++) {
      const vector = vectors[i] as Float32Array;
      values.set(vector.subarray(start, start + length), start * count + i * length);
    }
  }
  return { count, width, values };
}

/**
 * Returns the cosines of all pairs, -1..1: the packed upper triangle, in the order of {@link condensedIndex}.
 *
 * The triangle of a large pool can be computed part by part: each call returns rows `from` to `to` (exclusive). The
 * parts follow each other in the triangle, and n rows are at most n times `count` floats.
 */
export function gram(packed: Packed, from = 0, to = packed.count): Float32Array {
  const { count } = packed;
  const place = (i: number, j: number) => condensedIndex(count, i, j);
  const start = place(from, from + 1);
  const triangle = new Float32Array(place(to, to + 1) - start);
  for (const left of tiles(packed, from, to)) {
    for (const right of tiles(packed, left.first, count)) {
      const sums = multiplyTiles(left, right, left.first === right.first);
      for (let row = 0; row < left.rows; row++) {
        const i = left.first + row;
        const j = Math.max(right.first, i + 1);
        const at = row * TILE_ROWS;
        triangle.set(sums.subarray(at + j - right.first, at + right.rows), place(i, j) - start);
      }
    }
  }
  return triangle;
}

/**
 * Returns the cosines of vectors `from` to `to` (exclusive) of one pack with all vectors of another, or of the same,
 * row by row, -1..1. All vectors have one dimension.
 */
export function cosines(left: Packed, right: Packed, from = 0, to = left.count): Float32Array {
  const { count } = right;
  const table = new Float32Array((to - from) * count);
  for (const one of tiles(left, from, to)) {
    for (const other of tiles(right, 0, count)) {
      const sums = multiplyTiles(one, other);
      for (let row = 0; row < one.rows; row++) {
        const at = row * TILE_ROWS;
        table.set(sums.subarray(at, at + other.rows), (one.first + row - from) * count + other.first);
      }
    }
  }
  return table;
}

/** Consecutive vectors, at most {@link TILE_ROWS}. */
interface Tile {
  of: Packed;
  first: number;
  rows: number;
}

function* tiles(of: Packed, from: number, to: number): Generator<Tile, void> {
  for (let first = from; first < to; first += TILE_ROWS) {
    yield { of, first, rows: Math.min(TILE_ROWS, to - first) };
  }
}

/**
 * Returns the cosines of two tiles, {@link TILE_ROWS} to a row. They are valid until the next call.
 *
 * @param upper whether the tiles begin with the same vector and each row is needed only from the diagonal on.
 */
function multiplyTiles(left: Tile, right: Tile, upper = false): Float32Array {
  const { memory, multiply } = kernel();
  const { width } = left.of;
  memory.fill(0, SUMS, SUMS + left.rows * TILE_ROWS);
  for (let start = 0; start < width; start += CHUNK) {
    const length = Math.min(CHUNK, width - start);
    memory.set(chunk(right, start, length), RIGHT);
    if (!upper) memory.set(chunk(left, start, length), LEFT);
    multiply(upper ? RIGHT : LEFT, RIGHT, left.rows, right.rows, length, upper);
  }
  return memory.subarray(SUMS);
}

function chunk({ of, first, rows }: Tile, start: number, length: number): Float32Array {
  const at = start * of.count + first * length;
  return of.values.subarray(at, at + rows * length);
}
