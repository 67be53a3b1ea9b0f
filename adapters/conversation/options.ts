import type { FlagKind, Shaper, ShapingOptions } from '../../src/index.js';
import type { RequestReport } from './conversation-shaper.js';
import type { PassageStore } from './store.js';

/**
 * Options of a shaper, or a shaper, and options about conversations. `sanitise` defaults to `strip`, because strangers
 * write the results of tools.
 */
export interface ConversationShapingOptions extends Omit<ShapingOptions, 'onStage'> {
  /** A ready shaper, instead of options for one. */
  shaper?: Shaper | undefined;
  /**
   * Maximum tokens of one request: the texts, results and calls (as JSON) of all messages, the system prompt among them,
   * and 4 for each of these; and the schemas of its tools, as JSON. Content of unknown size, such as an image, is counted
   * in the report (`unknown`), not here: leave room for it. Absent: only results are shaped.
   */
  maxTokens?: number | undefined;
  /**
   * Maximum tokens of one tool result, including its note about left-out passages. Default `budget.maxTokens`, else 4000,
   * or half of `maxTokens` if that is less.
   */
  maxToolTokens?: number | undefined;
  /** Names of the tools whose results are shaped. Default: all. */
  tools?: readonly string[] | undefined;
  /** Passages with one of these flags are not shown unless they are pinned; they can be recalled. Default: none. */
  withhold?: readonly FlagKind[] | undefined;
  /**
   * Secret key of the handles of `recall_passage`, at least 16 characters or bytes. Stored messages contain handles, so
   * give the key if several processes serve a thread, or if a thread continues after a restart.
   */
  handleKey?: string | Uint8Array | undefined;
  /** Whether the agent has the tool `recall_passage`. If not, notes have no handles, and nothing is stored. Default true. */
  recall?: boolean | undefined;
  /** Metadata key under which a passage that replaces copies lists the sources of all. Absent: sources are only in reports. */
  citeSources?: string | undefined;
  /** Keeps left-out passages for recall. Default: in the memory of this process. */
  store?: PassageStore | undefined;
  /**
   * How a list shrinks that exceeds its budget. There is one way: results stay as they were first sent, and older ones are
   * relieved in rare batches.
   */
  strategy?: 'cache-stable' | undefined;
  /**
   * A batch begins when a request exceeds `high`, and relieves older results until it has at most
   * `low`. Up to 1: a share of `maxTokens`; above: tokens. Default `{ high: 1, low: 0.4 }`.
   */
  waterMarks?: { high?: number | undefined; low?: number | undefined } | undefined;
  /** The prices of the provider, by its name or in prices of one input token. Default `anthropic`. */
  prices?: 'anthropic' | 'openai' | 'google' | Prices | undefined;
  /** How many more requests a batch is expected to pay for, besides those so far. Default: as many as so far. */
  expectedRequests?: number | undefined;
  /** Called with the report of each request. */
  onRequest?: ((report: RequestReport) => unknown) | undefined;
}

/** Prices of a provider with a prompt cache, in prices of one input token. */
export interface Prices {
  /** A token that the cache has. */
  read: number;
  /** A token that is written to the cache. */
  write: number;
  /** Default 1. */
  input?: number | undefined;
}
