/** What every adapter of the LangChain family shares: documents as chunks, and events that tell of evictions. */
export { checkDocumentOptions, type DocumentOptions, toChunks, toDocuments } from './documents.js';
export { EVICTED_EVENT, type EvictedEvent, emit, emitEvicted } from './events.js';
