/**
 * Context shaping for the AI SDK, versions 6 and 7. Nothing of it is imported: its objects are typed structurally.
 *
 * @packageDocumentation
 */

export type { RecallInput } from '../conversation/index.js';
export type { MessageLike } from './messages.js';
export { type ShapingMiddleware, shapingMiddleware } from './middleware.js';
export { type ShapedReranking, shapedReranking } from './reranking.js';
export { type AiSdkShaping, type AiSdkShapingOptions, aiSdkShaping, type ThreadCall } from './shaping.js';
export { type RecallTool, recallTool, shapedTool } from './tools.js';
