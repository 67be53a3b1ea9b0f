/**
 * Context shaping for Mastra: a processor for agents with tools, the recall tool, and results of vector stores.
 *
 * @packageDocumentation
 */
export {
  type ContextShapingProcessor,
  contextShapingProcessor,
  type MastraShapingOptions,
} from './processor.js';
export { type QueryResultLike, type QueryResultsOptions, shapeQueryResults } from './query-results.js';
export type { MastraRecallTool } from './recall.js';
export type { MessageListLike, RequestContextLike } from './types.js';
