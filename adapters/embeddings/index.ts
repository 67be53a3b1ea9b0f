/**
 * Embedders: of LangChain, static ones without a service, and a cache of vectors.
 *
 * @packageDocumentation
 */
export { type CachedEmbedderOptions, cachedEmbedder } from './cached/cached.js';
export type { ByteStore, StoreOperation } from './cached/vector-store.js';
export {
  type EmbeddingsLike,
  fromLangChainEmbeddings,
  type LangChainEmbeddingsOptions,
} from './langchain.js';
export { loadStaticEmbedder } from './static/folder.js';
export {
  type StaticEmbedder,
  type StaticEmbedderOptions,
  type StaticModelFiles,
  staticEmbedder,
} from './static/static.js';
