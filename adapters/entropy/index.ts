/**
 * Entropy pruning by plain functions: without a query, a report of stages or a service.
 *
 * @packageDocumentation
 */
export {
  type AnnotatedChunk,
  type AnnotateOptions,
  annotateChunks,
  type EvictionReport,
  evictionReport,
  type PruneOptions,
  pruneToBudget,
} from './pruning.js';
export { calculateShannonEntropy, calculateTokenEntropy, scoreChunk } from './score.js';
