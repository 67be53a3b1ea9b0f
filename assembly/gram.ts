/**
 * The inner loop of src/math/gram/gram.ts, in AssemblyScript. It implements `multiply` of src/math/gram/kernel.ts.
 * `npm run generate` compiles it into src/math/gram/simd-module.ts.
 *
 * It computes eight dot products at once, of 2 rows with 4 columns: each loaded vector is used 4 or 2 times, and 8
 * sums, 3 operands and a product fit the 16 registers of x86-64. Measured on one core (AMD EPYC, Zen 4), tiles of 128
 * rows of 512, in billions of operations per second: 1 x 4 rows 31, 2 x 2 rows 34, 2 x 4 rows 40, 3 x 3 rows 21, 4 x 4
 * rows 29.
 *
 * Four columns stay in the L1 cache while all rows are multiplied with them. If the rows or columns of a tile are no
 * multiple of these, the memory behind the tile is multiplied, too. Those sums are never read.
 *
 * Given offsets and lengths count 32-bit floats, as in src/math/gram/layout.ts. Addresses count bytes.
 */
import { SUMS, TILE_ROWS } from '../src/math/gram/layout';

const SUMS_ROW: usize = TILE_ROWS << 2;

export function multiply(
  left: usize,
  right: usize,
  rows: usize,
  columns: usize,
  length: usize,
  upper: bool,
): void {
  const stride = length << 2;
  let column: usize = 0;
  do {
    const last = upper ? min(rows, column + 4) : rows;
    let row: usize = 0;
    do {
      let a0 = (left << 2) + row * stride;
      let a1 = a0 + stride;
      let b0 = (right << 2) + column * stride;
      let b1 = b0 + stride;
      let b2 = b1 + stride;
      let b3 = b2 + stride;
      const end = a1;
      let s00 = f32x4.splat(0);
      let s01 = s00;
      let s02 = s00;
      let s03 = s00;
      let s10 = s00;
      let s11 = s00;
      let s12 = s00;
      let s13 = s00;
      do {
        const x0 = v128.load(a0);
        const x1 = v128.load(a1);
        let y = v128.load(b0);
        s00 = f32x4.add(s00, f32x4.mul(x0, y));
        s10 = f32x4.add(s10, f32x4.mul(x1, y));
        y = v128.load(b1);
        s01 = f32x4.add(s01, f32x4.mul(x0, y));
        s11 = f32x4.add(s11, f32x4.mul(x1, y));
        y = v128.load(b2);
        s02 = f32x4.add(s02, f32x4.mul(x0, y));
        s12 = f32x4.add(s12, f32x4.mul(x1, y));
        y = v128.load(b3);
        s03 = f32x4.add(s03, f32x4.mul(x0, y));
        s13 = f32x4.add(s13, f32x4.mul(x1, y));
        a0 += 16;
        a1 += 16;
        b0 += 16;
        b1 += 16;
        b2 += 16;
        b3 += 16;
      } while (a0 < end);
      const at = (SUMS << 2) + row * SUMS_ROW + (column << 2);
      add(at, s00, s01, s02, s03);
      add(at + SUMS_ROW, s10, s11, s12, s13);
      row += 2;
    } while (row < last);
    column += 4;
  } while (column < columns);
}

/** Adds the sum of each vector's lanes, (0 + 1) + (2 + 3), to four floats, and clamps them to -1..1. */
function add(at: usize, s0: v128, s1: v128, s2: v128, s3: v128): void {
  const low = f32x4.add(v128.shuffle<f32>(s0, s1, 0, 2, 4, 6), v128.shuffle<f32>(s0, s1, 1, 3, 5, 7));
  const high = f32x4.add(v128.shuffle<f32>(s2, s3, 0, 2, 4, 6), v128.shuffle<f32>(s2, s3, 1, 3, 5, 7));
  const four = f32x4.add(v128.shuffle<f32>(low, high, 0, 2, 4, 6), v128.shuffle<f32>(low, high, 1, 3, 5, 7));
  const sum = f32x4.add(v128.load(at), four);
  v128.store(at, f32x4.max(f32x4.splat(-1), f32x4.min(f32x4.splat(1), sum)));
}
