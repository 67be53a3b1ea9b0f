/**
 * Context shaping for Genkit: a reranker that also leaves out copies and cuts documents to a budget.
 *
 * @packageDocumentation
 */
export {
  type DocumentLike,
  type RankedDocumentLike,
  type RerankerFunction,
  shapedReranker,
} from './reranker.js';
