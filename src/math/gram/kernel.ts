/**
 * Kernels: each adds up the products of two tiles. There are two, and their results are equal to the last bit: SIMD in
 * WebAssembly, and plain JavaScript if WebAssembly is missing or forbidden.
 *
 * A kernel has one memory, which every call overwrites. That is safe, because no call waits for anything.
 */
import { MEMORY } from './layout.js';
import { multiplyScalar } from './scalar.js';
import { MODULE } from './simd-module.js';

export interface Kernel {
  /** The layout is in layout.ts. */
  readonly memory: Float32Array;
  /**
   * Computes the dot products of all rows of one tile with all rows of another (its columns), adds them to the sums,
   * and clamps the sums to -1..1. Only the start of a tile may be 0; all other numbers are above 0.
   *
   * @param left the index in the memory at which the tile begins; its rows follow each other without a gap.
   * @param right the same of the tile that has the columns.
   * @param length components of a row, a multiple of 4.
   * @param upper whether only the sums of a row with columns from the same index on need to be right.
   */
  multiply(left: number, right: number, rows: number, columns: number, length: number, upper: boolean): void;
}

let chosen: Kernel | undefined;

/** Returns the fastest kernel available. It is created at the first call. */
export function kernel(): Kernel {
  chosen ??= simdKernel() ?? scalarKernel();
  return chosen;
}

/** Creates a kernel in plain JavaScript. */
export function scalarKernel(): Kernel {
  const memory = new Float32Array(MEMORY);
  return { memory, multiply: multiplyScalar.bind(undefined, memory) };
}

/**
 * Returns undefined if WebAssembly or its SIMD is missing, if a content security policy or the host forbids
 * compilation, or if the machine is big-endian, because WebAssembly's memory is always little-endian.
 */
export function simdKernel(): Kernel | undefined {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) return undefined;
  try {
    const bytes = Uint8Array.from(atob(MODULE), (byte) => byte.charCodeAt(0));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    const { memory, multiply } = exports as { memory: WebAssembly.Memory; multiply: Kernel['multiply'] };
    return { memory: new Float32Array(memory.buffer), multiply };
  } catch {
    return undefined;
  }
}
