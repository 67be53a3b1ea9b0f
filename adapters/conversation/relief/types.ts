/** The numbers by which older results of a conversation are relieved. Messages and texts are not known here. */

/**
 * The tokens of one message. They depend only on the messages before it and on the options, because the plans of
 * earlier requests are made again from the same numbers.
 */
export interface MessageSize {
  /** Tokens of the message as it was first sent. */
  full: number;
  /** Tokens with its results reduced to their notes. At most `full`; equal if nothing in it can be relieved. */
  noted: number;
  /** Number of its turn. Never less than that of the message before. */
  turn: number;
  /** False: it stays if its turn is dropped (system prompts, standing messages, all messages of a pinned turn). */
  canDrop: boolean;
  /**
   * The model wrote it, so a request was sent with all messages before it. Adjacent messages of the model are one answer.
   */
  isAnswer: boolean;
}

/** Prices in prices of one input token. */
export interface TokenPrices {
  /** A token that the cache has. */
  read: number;
  /** A token that is written to the cache. */
  write: number;
  /** A token that is neither read nor written. Default 1. */
  input?: number | undefined;
}

export interface ReliefSettings {
  /** Tokens of every request before its messages: tools, and a system prompt that is not among the messages. */
  fixed: number;
  /** A request with more tokens forces a batch. */
  high: number;
  /** A batch relieves until the request has at most this many tokens. At most `high`. */
  low: number;
  prices: TokenPrices;
  /**
   * Further requests for which a batch below `high` saves its freed tokens. Default: their number is unknown, and the batch
   * waits until it would have paid for itself.
   */
  expectedRequests?: number | undefined;
}

/** `full`: as first sent. `noted`: results are reduced to their notes. `dropped`: not sent. It never goes back. */
export type ReliefLevel = 'full' | 'noted' | 'dropped';

/** The state of the newest request, which has all messages. */
export interface ReliefPlan {
  /** The level of each message. */
  levels: readonly ReliefLevel[];
  /** Tokens of the request, `fixed` included. It exceeds `high` only if what must stay does. */
  total: number;
  /** Tokens of the prefix that the previous request had as well. 0 for the first request. */
  stablePrefixTokens: number;
  /** Tokens of the request by price class. */
  tokens: { read: number; write: number; input: number };
  /** The price of the request, in prices of one input token. */
  cost: number;
  /** How many batches have changed what an earlier request had sent. */
  rewrites: number;
  /**
   * Indices of messages, ascending, at most 4: another request has, or will have, the same prefix up to the end of each.
   * They are the last message before all that can be dropped, the last before the first result that the next batch
   * relieves, the last of the previous request, and the last of all. Each is sent; if it is dropped, the one before it is.
   */
  breakpoints: readonly number[];
}
