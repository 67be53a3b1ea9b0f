/**
 * Context shaping for LangChain: a document compressor, a retriever, and a search tool for agents. And LangChain's chat
 * models as judges, its embeddings as embedders, its rerankers as rerankers.
 *
 * @packageDocumentation
 */
export { chatJudge } from './chat/chat-judge.js';
export type { ChatJudgeOptions, ChatModelLike } from './chat/judging.js';
export { type ListJudgeOptions, listJudge } from './chat/list-judge.js';
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
