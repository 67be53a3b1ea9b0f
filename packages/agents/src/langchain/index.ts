/**
 * Context shaping for agents of LangChain and LangGraph: shapes tool results and the messages of each request.
 *
 * @packageDocumentation
 */

export { EVICTED_EVENT, type EvictedEvent } from 'context-shaping/langchain';
export { RECALL_TOOL } from '../conversation/index.js';
export { contextShapingMiddleware, type RecallTool } from './middleware.js';
export type { ContextShapingMiddlewareOptions } from './shaping.js';
