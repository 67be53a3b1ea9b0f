/** Shared by all adapters of the LangChain family: documents as chunks, and events about evictions. */
export {
  checkDocumentOptions,
  type DocumentOptions,
  formatDocument,
  toChunks,
  toDocuments,
} from './documents.js';
export { EVICTED_EVENT, type EvictedEvent, emit, emitEvicted } from './events.js';
export { type DocumentShaperFields, documentShaper } from './shaper.js';
