/**
 * Context shaping for Mastra: a processor for agents with tools, and the recall tool.
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
