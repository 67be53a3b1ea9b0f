/**
 * Context shaping for LangChain: a document compressor, a retriever, and a search tool for agents.
 *
 * @packageDocumentation
 */
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
} from '../documents/index.js';
export {
  ContextShapingCompressor,
  type ContextShapingCompressorFields,
  type ShapedDocuments,
} from './compressor.js';
export { ShapedRetriever, type ShapedRetrieverFields } from './retriever.js';
export { createShapedRetrieverTool, type ShapedRetrieverToolFields } from './retriever-tool.js';
