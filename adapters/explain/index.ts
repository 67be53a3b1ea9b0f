/**
 * Explains what became of a chunk, and what would change that.
 *
 * @packageDocumentation
 */
export { CAUSES, type Cause } from './causes/causes.js';
export { type ClosestMiss, closestMiss } from './closest-miss.js';
export type { Counterfactuals, KeptValues, Remedy } from './counterfactuals.js';
export { explain } from './explain.js';
export { formatExplanation } from './format.js';
export type { Change, Claim, Explanation, LimitName, Rival } from './types.js';
export { type Flags, optionsWritten } from './wording.js';
