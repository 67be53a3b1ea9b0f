/**
 * Kernels: what adds up the products of two tiles. There are two, with results alike to the last bit:
 * SIMD in WebAssembly, and plain JavaScript where that is missing or forbidden.
 *
 * A kernel has one memory, which every call overwrites. That is safe, since no call waits for anything.
 */
import { MEMORY } from './layout.js';
import { multiplyScalar } from './scalar.js';
import { MODULE } from './simd-module.js';

export interface Kernel {
  /** As laid out in layout.ts. */
  readonly memory: Float32Array;
  /**
   * Adds to the sums of all rows of one tile with all of another, its columns, their dot products, and
   * keeps the sums in -1..1. None of the numbers is 0, but for where a tile begins.
   *
   * @param left where it begins in the memory; its rows follow each other without a gap.
   * @param length of a row, a multiple of 4.
   * @param upper only sums of a row with columns that are not before it need be right.
   */
  multiply(left: number, right: number, rows: number, columns: number, length: number, upper: boolean): void;
}

let chosen: Kernel | undefined;

/** The fastest there is, made when it is first asked for. */
export function kernel(): Kernel {
  chosen ??= simdKernel() ?? scalarKernel();
  return chosen;
}

export function scalarKernel(): Kernel {
  const memory = new Float32Array(MEMORY);
  return { memory, multiply: multiplyScalar.bind(undefined, memory) };
}

/**
 * None where there is no WebAssembly, or none with SIMD; where a content security policy or the host
 * forbids compiling; and where numbers have their high byte first, which WebAssembly's memory never has.
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
