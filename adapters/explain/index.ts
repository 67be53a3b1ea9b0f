/**
 * Explains what became of a chunk, and what would change that.
 *
 * @packageDocumentation
 */
export { CAUSES, type Cause } from './causes/causes.js';
export type { Change, Claim, LimitName, Rival } from './claims.js';
export { type ClosestMiss, closestMiss } from './closest-miss.js';
export type { Counterfactuals, KeptRanges, Remedy } from './counterfactuals.js';
export { explain } from './explain.js';
export { formatExplanation } from './format.js';
export type { Explanation } from './types.js';
export { type Flags, optionsWritten } from './wording.js';
