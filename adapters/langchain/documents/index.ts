/** Shared by all adapters of the LangChain family: documents as chunks, and events about evictions. */
export {
  checkDocumentOptions,
  type DocumentOptions,
  documentOptionNames,
  formatDocument,
  idleScoreField,
  inTermsOfDocuments,
  renderedBy,
  toChunks,
  toDocuments,
} from './documents.js';
export { EVICTED_EVENT, type EvictedEvent, emitEvicted } from './events.js';
export { type DocumentShaperFields, documentShaper, shaperFields } from './shaper.js';
