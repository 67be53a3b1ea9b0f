/** Context shaping for agents of LangChain and LangGraph: shapes tool results and the messages of each request. */
export { EVICTED_EVENT, type EvictedEvent } from '../documents/index.js';
export { DROPPED_EVENT, type DroppedEvent } from './events.js';
export { contextShapingEdit, shapedPreModelHook } from './message-list.js';
export { type ContextShapingMiddlewareOptions, contextShapingMiddleware } from './middleware.js';
export { RECALL_TOOL } from './note.js';
export type { AgentShapingOptions, MessageListOptions, ToolResultOptions } from './options.js';
export { createRecallTool, type RecallTool } from './recall.js';
