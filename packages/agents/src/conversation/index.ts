/**
 * Context shaping for conversations with tools: one model of messages for all hosts, and the engine behind their adapters.
 *
 * @packageDocumentation
 */

export type {
  Arrival,
  CacheUse,
  ConversationRequest,
  ConversationShaper,
  RecallCall,
  Recalled,
  RecallInput,
  RequestDegradation,
  RequestReport,
  ResultEntry,
  ShapedRequest,
  ShapedResult,
} from './conversation-shaper.js';
export { createConversationShaper } from './create-conversation-shaper.js';
export type {
  CallPart,
  Content,
  JsonContent,
  Message,
  OtherPart,
  Part,
  Passage,
  ResultPart,
  TextPart,
  ToolSchema,
} from './messages.js';
export { RECALL_TOOL } from './note.js';
export type { ConversationShapingOptions } from './options.js';
export type { Prices } from './plan-relief.js';
export { RECALL_DESCRIPTION, readRecallInput, recallToolSchema } from './recall.js';
export { memoryPassageStore, type PassageStore } from './store.js';
export { contentText } from './tokens.js';
