/**
 * Results of tools and lists of messages, shaped to token budgets in any host of agents.
 *
 * @packageDocumentation
 */
export {
  type Arrival,
  type CacheUse,
  type CallPart,
  type Content,
  type ConversationRequest,
  type ConversationShaper,
  type ConversationShapingOptions,
  createConversationShaper,
  type JsonContent,
  type Message,
  memoryPassageStore,
  type OtherPart,
  type Part,
  type Passage,
  type PassageStore,
  type Prices,
  RECALL_DESCRIPTION,
  RECALL_TOOL,
  type RecallCall,
  type Recalled,
  type RecallInput,
  type RequestDegradation,
  type RequestReport,
  type ResultEntry,
  type ResultPart,
  readRecallInput,
  recallToolSchema,
  type ShapedRequest,
  type ShapedResult,
  type TextPart,
  type ToolSchema,
} from './conversation/index.js';
export {
  type Dropped,
  type Kept,
  type KindName,
  type Pinned,
  type ShapedToolResult,
  shapeToolResult,
  type ToolResultOptions,
  type ToolResultReport,
} from './tool-results/index.js';
