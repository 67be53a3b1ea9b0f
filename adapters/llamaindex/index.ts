/**
 * A node postprocessor for LlamaIndex.TS.
 *
 * @packageDocumentation
 */
export { ContextShapingPostprocessor, type ContextShapingPostprocessorFields } from './postprocessor.js';
export type { NodeLike, QueryLike, ScoredNode } from './types.js';
