import type { ShapingReport } from 'context-shaping';
import type { Content, Message, ResultPart, ToolSchema } from './messages.js';

/** Shapes results when they arrive, the messages of each request, and reads left-out passages. */
export interface ConversationShaper {
  /**
   * Shapes one result when it arrives, for the question that asked for it. The same result, call and options give the same
   * content, byte for byte. Errors, results of other tools and content without text stay as they are.
   */
  shapeResult(result: ResultPart, call: Arrival): Promise<ShapedResult>;
  /** Shapes the messages of one request. The given messages are never changed. */
  shapeRequest(request: ConversationRequest): Promise<ShapedRequest>;
  /** Reads left-out passages from the store, by a handle of a note. */
  recall(call: RecallCall): Promise<Recalled>;
}

export interface Arrival {
  /** The conversation. A handle is valid only in its own. Empty: the only one. */
  thread: string;
  /** The arguments of the call. The query is their `query`, else their first text unless they read a file, else the newest question. */
  input?: unknown;
  /** The messages before the result, the call included. Default: those of the newest request of the thread in this process. */
  messages?: readonly Message[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface ShapedResult {
  /** The same array if nothing changed. */
  content: readonly Content[];
  /** The passages that the content shows now. Present if the tool reported passages. */
  passages?: ResultPart['passages'];
  report?: ShapingReport | undefined;
  /** Failures of services. Absent if there were none. */
  degradations?: readonly RequestDegradation[] | undefined;
}

/** A service that failed. The request goes on without it. */
export interface RequestDegradation {
  /** `store-failed`: left-out passages may be out of reach. `observer-failed`: `onRequest` threw. */
  code: 'store-failed' | 'observer-failed';
  message: string;
}

export interface ConversationRequest {
  thread: string;
  /** All messages, oldest first; a system prompt is the first. */
  messages: readonly Message[];
  /** The tools of the request. They count against the budget. */
  tools?: readonly ToolSchema[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface ShapedRequest {
  /** The messages that stay, in order; `at` is the index in the given messages. An unchanged message is the same object. */
  messages: readonly { at: number; message: Message }[];
  /** Indices in `messages` of this answer. The prefix up to each will be repeated: mark it for the provider's cache. */
  breakpoints: readonly number[];
  report: RequestReport;
  /** The reports of the shapings that this request needed. Results that were shaped before are remembered. */
  shapings?: readonly ShapingReport[] | undefined;
}

/** The arguments of the recall tool. */
export interface RecallInput {
  handle: string;
  /** The question, if the handle is of several passages. Default: the newest question. */
  query?: string | undefined;
  /** Numbers of lines, `12` or `12-40`: as the note has them, or counted in the passages if the note has none. */
  lines?: string | undefined;
  /** A text or a regular expression: the lines that match. Upper and lower case are the same. */
  pattern?: string | undefined;
}

export interface RecallCall extends RecallInput {
  thread: string;
  /** The id of the call of the recall tool itself. */
  callId: string;
  /**
   * The messages of the conversation. They have the newest question, and the answers to earlier recalls. Default: those of
   * the newest request of the thread in this process.
   */
  messages?: readonly Message[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface Recalled {
  /** False: the handle is of no passage of this conversation, or the lines are none. `text` then says so, to the model. */
  found: boolean;
  text: string;
  /** The passages that the text shows. Present if the tool reported passages. */
  passages?: ResultPart['passages'];
}

/** The ledger of one request. It has ids, and no texts. */
export interface RequestReport {
  tokens: {
    /** All messages as given, and the tools. */
    given: number;
    /** All messages as sent, and the tools. */
    sent: number;
    system: number;
    tools: number;
  };
  /** Content whose tokens are unknown, by kind. It is not in `tokens`. */
  unknown: readonly { kind: string; count: number }[];
  /** Images without `tokens` of their own, counted by the option `images`; also in `tokens`. Absent if there are none. */
  images?: { count: number; tokens: number } | undefined;
  /** Every result of the given messages, in order. */
  results: readonly ResultEntry[];
  /**
   * Calls of `recall_passage` among the given messages, the tokens of their answers, and the calls for each other result
   * that is not whole. Absent if all results are whole.
   */
  recalls?: { calls: number; tokens: number; rate: number } | undefined;
  /** Indices of dropped messages in the given messages. */
  dropped: readonly number[];
  cache: CacheUse;
  /** SHA-256 of the decisions, the same in every host: `results` as sent, and how many parts of messages were dropped. */
  digest: string;
  /** Failures of services. Absent if there were none. */
  degradations?: readonly RequestDegradation[] | undefined;
}

/** The part of a request that the provider's prompt cache has. */
export interface CacheUse {
  /** Tokens of the prefix that the previous request of this conversation had as well, byte for byte. */
  stablePrefixTokens: number;
  /** Tokens by price class: read from the provider's cache, and written to it. */
  tokens: { read: number; write: number };
  /** The tokens times their prices, in prices of one input token. */
  cost: number;
  /** How often an older message has changed so far in this conversation. */
  rewrites: number;
}

export interface ResultEntry {
  /** The id of the call. */
  id: string;
  tool: string;
  /** `whole`: as given. `shaped`: some passages are left out. `relieved`: only its note is left. `dropped`: with its turn. */
  state: 'whole' | 'shaped' | 'relieved' | 'dropped';
  tokens: { given: number; sent: number };
  /** Number of passages. */
  passages: { given: number; sent: number };
  /** The option for which a shaped result got less room than `maxToolTokens`, because other new results share it. */
  limit?: 'maxTokens' | undefined;
}
