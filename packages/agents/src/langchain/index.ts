/**
 * Context shaping for agents of LangChain and LangGraph: shapes tool results and the messages of each request.
 *
 * @packageDocumentation
 */

export { EVICTED_EVENT, type EvictedEvent } from 'context-shaping/langchain';
export { RECALL_TOOL } from '../conversation/index.js';
export { shapedPreModelHook } from './message-list.js';
export { type ContextShapingMiddlewareOptions, contextShapingMiddleware } from './middleware.js';
export type { AgentShapingOptions, MessageListOptions } from './options.js';
export { createRecallTool, type RecallTool } from './recall.js';
