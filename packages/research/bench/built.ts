/** Whether the build or the sources are measured, and the processor without SIMD. */

/** With `--conditions=context-shaping-source`, the sources are. */
export const isBuilt = import.meta.resolve('context-shaping').endsWith('.js');

/** Makes cosines do without SIMD. The kernel is chosen when it is first needed, so call it before that. */
export function forbidSimd(): void {
  Object.assign(globalThis, { WebAssembly: undefined });
}
