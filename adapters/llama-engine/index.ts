/** node-llama-cpp: its types, loading it, and the identity of its models. No export of the package. */
export type { Evaluated, Gpu, LlamaModelLike, LlamaSequence, RankingContextLike } from './engine.js';
export { keptIdentityOf, openModel } from './model.js';
