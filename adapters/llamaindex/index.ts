/**
 * A node postprocessor for LlamaIndex.TS.
 *
 * @packageDocumentation
 */
export type { ContextShapedEvent, ContextShapingEvents } from './events.js';
export type { GetEmbedding } from './nodes.js';
export { ContextShapingPostprocessor, type ContextShapingPostprocessorFields } from './postprocessor.js';
export type { EventSink, NodeLike, QueryLike, ScoredNode } from './types.js';
