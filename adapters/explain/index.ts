/**
 * Explains what became of a chunk, and what would change that; prints reports as tables and as lines of a log.
 *
 * @packageDocumentation
 */
export { formatReport, reportLines } from '../report/index.js';
export { CAUSES, type Cause, type Remedy } from './causes.js';
export { explain } from './explain.js';
export type { Counterfactuals, NearestValue } from './runs.js';
export { formatExplanation } from './sentences.js';
export type { Explanation, Rival } from './types.js';
export { type Flags, optionsWritten } from './wording.js';
