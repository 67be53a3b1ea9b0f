/**
 * Context shaping for LangChain: a document compressor, a retriever, and a search tool for agents. And LangChain's chat
 * models as judges, its embeddings as embedders, its rerankers as rerankers.
 *
 * @packageDocumentation
 */
export { type ChatJudgeOptions, type ChatModelLike, chatJudge } from './chat-judge.js';
export {
  ContextShapingCompressor,
  type ContextShapingCompressorFields,
  type ShapedDocuments,
} from './compressor.js';
export {
  type DocumentOptions,
  type DocumentShaperFields,
  documentShaper,
  EVICTED_EVENT,
  type EvictedEvent,
  emitEvicted,
  formatDocument,
  shaperFields,
  toChunks,
} from './documents/index.js';
export { type EmbeddingsLike, fromLangChainEmbeddings } from './embeddings.js';
export {
  type DocumentCompressorLike,
  type LangChainRerankerOptions,
  langChainReranker,
} from './reranker.js';
export { ShapedRetriever, type ShapedRetrieverFields } from './retriever.js';
export { createShapedRetrieverTool, type ShapedRetrieverToolFields } from './retriever-tool.js';
