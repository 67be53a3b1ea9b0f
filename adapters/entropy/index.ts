/**
 * Entropy pruning by plain functions: without a query, a report of stages or a service.
 *
 * @packageDocumentation
 */
export { type PruneOptions, type PruneResult, pruneToBudget } from './pruning.js';
export { calculateShannonEntropy, calculateTokenEntropy, scoreChunk } from './score.js';
