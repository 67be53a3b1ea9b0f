/**
 * The layout of the memory of the kernels, in 32-bit floats: one tile of rows, another tile, and the sums of their
 * products. The memory has a fixed size.
 *
 * Two tiles are half of an L2 cache of 1 MiB. 6 rows, as many as are multiplied at once, are less than half of an L1
 * cache of 32 KiB.
 */

/** Rows of a tile, a multiple of 4. */
export const TILE_ROWS = 128;
/** Components of a row that are multiplied in one pass, a multiple of 4. */
export const CHUNK = 512;

/** Indices in the memory: the two tiles, and their sums. `MEMORY` is its size. */
export const LEFT = 0;
export const RIGHT = TILE_ROWS * CHUNK;
export const SUMS = 2 * TILE_ROWS * CHUNK;
export const MEMORY = SUMS + TILE_ROWS * TILE_ROWS;
