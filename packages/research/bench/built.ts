/**
 * Parts of the core for comparison with naive versions: from the build, or, with
 * `--conditions=context-shaping-source`, from the sources.
 */
const root = import.meta.resolve('context-shaping');

export const isBuilt = root.endsWith('.js');
// The build for Node is a bundle; the same modules stand beside it one by one.
const modules = new URL(isBuilt ? '../esm/src/' : './', root);
const load = (path: string) => import(new URL(`${path}.${isBuilt ? 'js' : 'ts'}`, modules).href);

export const { simdKernel }: typeof import('../../../src/math/gram/kernel.js') =
  await load('math/gram/kernel');
export const { cut }: typeof import('../../../src/math/linkage.js') = await load('math/linkage');
export const { wordsOf }: typeof import('../../../src/text/words.js') = await load('text/words');

/** Makes cosines do without SIMD. The kernel is chosen when it is first needed, so call it before that. */
export function forbidSimd(): void {
  Object.assign(globalThis, { WebAssembly: undefined });
}
