/**
 * What is inside the package that is measured, for comparison with naive versions of the same: from where its name
 * leads, the build, or the sources with `--conditions=context-shaping-source`.
 */
const root = import.meta.resolve('context-shaping');
const inside = (path: string) => import(new URL(path, root).href);

export const isBuilt = root.endsWith('.js');
export const { cut }: typeof import('../../src/math/linkage.js') = await inside('./math/linkage.js');
export const { simdKernel }: typeof import('../../src/math/gram/kernel.js') =
  await inside('./math/gram/kernel.js');
export const { TermIndex }: typeof import('../../src/text/term-index.js') =
  await inside('./text/term-index.js');
export const { wordsOf }: typeof import('../../src/text/words.js') = await inside('./text/words.js');

/** Makes cosines do without SIMD. The kernel is chosen when it is first needed, so call it before that. */
export function forbidSimd(): void {
  Object.assign(globalThis, { WebAssembly: undefined });
}
