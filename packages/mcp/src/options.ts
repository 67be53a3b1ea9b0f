/** Options of the proxy. */
import { randomBytes } from 'node:crypto';
import { parseOptions } from 'context-shaping/kit';
import {
  type ConversationShapingOptions,
  createConversationShaper,
  memoryPassageStore,
} from 'context-shaping-agents';
import * as z from 'zod';
import type { Id } from './json-rpc.js';

/** Options of a shaper, and options of the proxy. `sanitise` defaults to `strip`, because strangers write results. */
export interface McpProxyOptions
  extends Omit<
    ConversationShapingOptions,
    'maxTokens' | 'maxToolTokens' | 'images' | 'waterMarks' | 'prices' | 'onRequest'
  > {
  /**
   * Maximum tokens of one result, with its note about left-out passages. The content and the structured content may each
   * have as many, because clients send one of them to the model. Default 20000.
   */
  maxTokens?: number | undefined;
  /** The argument that is the question, by the name of the tool. Default: `query`, else the first text argument. A read has none. */
  queryFields?: Readonly<Record<string, string>> | undefined;
  /**
   * Maximum tokens of a read: a call whose arguments have a path or an address, and no question. A longer one is shaped by its
   * kind, not by the words of its path. Default 20000, or `maxTokens` if that is more.
   */
  readTokens?: number | undefined;
  /** The name of the conversation. A handle is valid only in its own. Default: the empty name. */
  thread?: string | undefined;
  /**
   * Most threads that shape long results and read left-out passages, so that other messages do not wait. They start when
   * they are needed. 0, or an option that threads cannot share, such as a function: this thread does all. Default 4.
   */
  workers?: number | undefined;
  /**
   * Longest work on one result, or on one answer of `recall_passage`, in milliseconds. Then the result passes whole, and its
   * thread ends. Each wait for the server's list of tools, the store and `onCall` has half of it. Default 20000.
   */
  timeoutMs?: number | undefined;
  /** Called for each shaped result, before the client gets it. */
  onCall?: ((call: McpCallReport) => unknown) | undefined;
  /** Called for each error of a transport, the store or a callback. No error ends the connection by itself. */
  onError?: ((error: unknown) => unknown) | undefined;
}

/** The outcome of one result. It has ids and numbers, and no texts. */
export interface McpCallReport {
  /** The id of the request. */
  request: Id;
  tool: string;
  /** The id of the result: the same for the same tool, arguments and result. */
  result: string;
  /** Tokens of the content, and of the structured content if there is some. */
  tokens: { content: Change; structured?: Change };
  /** Pieces of the content without a known number of tokens, by kind. They are never changed. */
  unknown: readonly { kind: string; count: number }[];
  /** SHA-256 of the result as sent. */
  digest: string;
}

interface Change {
  given: number;
  sent: number;
}

/** Default maximum tokens of a result. */
const MOST_TOKENS = 20_000;
/** A third of the time that clients of the SDK wait for an answer. */
const MOST_MILLISECONDS = 20_000;

const schema = z.strictObject({
  maxTokens: z.int().min(1).default(MOST_TOKENS),
  readTokens: z.int().min(1).optional(),
  queryFields: z.record(z.string(), z.string().min(1)).default({}),
  thread: z.string().default(''),
  workers: z.int().min(0).default(4),
  timeoutMs: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .default(MOST_MILLISECONDS),
});

/** @throws ContextShapingError `invalid-options`. */
export function resolveOptions({
  maxTokens,
  readTokens,
  queryFields,
  thread,
  workers,
  timeoutMs,
  onCall,
  onError,
  store = memoryPassageStore(),
  handleKey = randomBytes(32),
  ...options
}: McpProxyOptions) {
  const given = { maxTokens, readTokens, queryFields, thread, workers, timeoutMs };
  const own = parseOptions(schema, given);
  // A buffer would arrive in a thread as such an array.
  const key = handleKey instanceof Uint8Array ? Uint8Array.from(handleKey) : handleKey;
  const shaping = { ...options, handleKey: key };
  createConversationShaper({ ...shaping, store, maxToolTokens: own.maxTokens });
  const forReads = own.readTokens ?? Math.max(own.maxTokens, MOST_TOKENS);
  return { ...own, readTokens: forReads, onCall, onError, store, shaping };
}

/** The options that decide how a result is shaped. */
export type Settings = Pick<
  ReturnType<typeof resolveOptions>,
  'maxTokens' | 'readTokens' | 'queryFields' | 'thread' | 'shaping'
>;
