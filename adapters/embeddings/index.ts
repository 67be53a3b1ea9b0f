export { type CachedEmbedderOptions, cachedEmbedder } from './cached.js';
export {
  type EmbeddingsLike,
  fromLangChainEmbeddings,
  type LangChainEmbeddingsOptions,
} from './langchain.js';
export {
  type StaticEmbedder,
  type StaticEmbedderOptions,
  type StaticModelFiles,
  staticEmbedder,
} from './static.js';
export { loadStaticEmbedder } from './static-folder.js';
export type { ByteStore, StoreOperation } from './vector-store.js';
