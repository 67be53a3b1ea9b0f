/**
 * Embedders: of LangChain, and static ones without a service.
 *
 * @packageDocumentation
 */
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
