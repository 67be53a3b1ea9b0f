/**
 * How unpredictable a text is: two plain entropies, and a score.
 *
 * @packageDocumentation
 */
export { calculateShannonEntropy, calculateTokenEntropy, scoreChunk } from './score.js';
