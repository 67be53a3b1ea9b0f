/**
 * Context shaping for conversations with tools: one model of messages for all hosts, and the engine behind their adapters.
 *
 * @packageDocumentation
 */

export type * from './conversation-shaper.js';
export { createConversationShaper } from './create-conversation-shaper.js';
export type * from './messages.js';
export { RECALL_TOOL } from './note.js';
export type { ConversationShapingOptions } from './options.js';
export type { Prices } from './plan-relief.js';
export { RECALL_DESCRIPTION, readRecallInput, recallToolSchema } from './recall.js';
export { memoryPassageStore, type PassageStore } from './store.js';
