/**
 * Explains what became of a chunk, and what would change that.
 *
 * @packageDocumentation
 */
export { explain } from './explain.js';
export { formatExplanation } from './format.js';
export type { Cause, Counterfactuals, Explanation, KeptRanges, Remedy, Rival } from './types.js';
export { CAUSES } from './types.js';
