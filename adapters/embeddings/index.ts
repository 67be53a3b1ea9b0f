export { type CachedEmbedderOptions, cachedEmbedder } from './cached.js';
export {
  type EmbeddingsLike,
  fromLangChainEmbeddings,
  type LangChainEmbeddingsOptions,
} from './langchain.js';
export type { ByteStore, StoreOperation } from './vector-store.js';
