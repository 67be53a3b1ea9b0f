/**
 * Context shaping for Mastra: a processor for agents with tools, the recall tool, and results of vector stores.
 *
 * @packageDocumentation
 */
export {
  type ContextShapingProcessor,
  contextShapingProcessor,
  type MastraRecallTool,
  type MastraShapingOptions,
  type MessageListLike,
  type RequestContextLike,
} from './processor.js';
export { type QueryResultLike, type QueryResultsOptions, shapeQueryResults } from './query-results.js';
