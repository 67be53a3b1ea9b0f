/**
 * Computes the same as assembly/gram.ts in plain JavaScript, with the same order of operations, so that results are
 * equal to the last bit.
 *
 * Math.fround makes that possible: the product of two 32-bit floats is exact in 64 bits. A sum that was rounded to 53
 * bits first rounds to 24 bits as the exact sum does, because 53 >= 2 · 24 + 2.
 *
 * Source: S. A. Figueroa, "When is double rounding innocuous?", ACM SIGNUM Newsletter 30(3), 1995.
 */
import { SUMS, TILE_ROWS } from './layout.js';

/** Implements `multiply` of kernel.ts on a given memory. */
export function multiplyScalar(
  memory: Float32Array,
  left: number,
  right: number,
  rows: number,
  columns: number,
  length: number,
  upper: boolean,
): void {
  for (let row = 0; row < rows; row++) {
    for (let column = upper ? row : 0; column < columns; column++) {
      const at = SUMS + row * TILE_ROWS + column;
      const product = dotOfLanes(memory, left + row * length, right + column * length, length);
      memory[at] = Math.max(-1, Math.min(1, Math.fround((memory[at] as number) + product)));
    }
  }
}

function dotOfLanes(memory: Float32Array, a: number, b: number, length: number): number {
  const { fround } = Math;
  let lane0 = 0;
  let lane1 = 0;
  let lane2 = 0;
  let lane3 = 0;
  for (let k = 0; k < length; k += 4) {
    lane0 = fround(lane0 + fround((memory[a + k] as number) * (memory[b + k] as number)));
    lane1 = fround(lane1 + fround((memory[a + k + 1] as number) * (memory[b + k + 1] as number)));
    lane2 = fround(lane2 + fround((memory[a + k + 2] as number) * (memory[b + k + 2] as number)));
    lane3 = fround(lane3 + fround((memory[a + k + 3] as number) * (memory[b + k + 3] as number)));
  }
  return fround(fround(lane0 + lane1) + fround(lane2 + lane3));
}
