/**
 * What is inside the package that is measured, for comparison with naive versions of the same: from where its name
 * leads, the build, or the sources with `--conditions=context-shaping-source`.
 */
const root = import.meta.resolve('context-shaping');

export const isBuilt = root.endsWith('.js');
export const { cut, simdKernel, wordsOf }: typeof import('../../src/measured.js') = await import(
  new URL('./measured.js', root).href
);

/** Makes cosines do without SIMD. The kernel is chosen when it is first needed, so call it before that. */
export function forbidSimd(): void {
  Object.assign(globalThis, { WebAssembly: undefined });
}
