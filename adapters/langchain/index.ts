export type { DocumentOptions } from '../documents/index.js';
export { EVICTED_EVENT, type EvictedEvent } from '../documents/index.js';
export {
  ContextShapingCompressor,
  type ContextShapingCompressorFields,
  type ShapedDocuments,
} from './compressor.js';
export { ShapedRetriever, type ShapedRetrieverFields } from './retriever.js';
export {
  createShapedRetrieverTool,
  formatDocument,
  type ShapedRetrieverToolFields,
} from './retriever-tool.js';
