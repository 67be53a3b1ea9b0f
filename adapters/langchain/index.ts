/**
 * Context shaping for LangChain: a document compressor, a retriever, and a search tool for agents.
 *
 * @packageDocumentation
 */
export type { DocumentOptions } from '../documents/index.js';
export { EVICTED_EVENT, type EvictedEvent, formatDocument } from '../documents/index.js';
export {
  ContextShapingCompressor,
  type ContextShapingCompressorFields,
  type ShapedDocuments,
} from './compressor.js';
export { ShapedRetriever, type ShapedRetrieverFields } from './retriever.js';
export { createShapedRetrieverTool, type ShapedRetrieverToolFields } from './retriever-tool.js';
