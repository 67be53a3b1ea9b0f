/**
 * The memory that kernels work in, in 32-bit floats: a tile of rows, another, and the sums of their
 * products. It never grows, whatever is computed.
 *
 * Two tiles are half of an L2 cache of 1 MiB, and 6 rows, as many as are multiplied at once, less than
 * half of an L1 cache of 32 KiB.
 */

/** Rows of a tile, a multiple of 4. */
export const TILE_ROWS = 128;
/** Components of a row that are multiplied in one go, a multiple of 4. */
export const CHUNK = 512;

export const LEFT = 0;
export const RIGHT = TILE_ROWS * CHUNK;
export const SUMS = 2 * TILE_ROWS * CHUNK;
export const MEMORY = SUMS + TILE_ROWS * TILE_ROWS;
