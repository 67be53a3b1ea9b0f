// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { ReviewReason } from './record.js';
import type { Grader, OnReview, Rewrite } from './types.js';
import type { WebSearchLike } from './web-search/web-search.js';

/** How retrieval is corrected. All optional: without any, words alone grade, nothing is searched, nobody asked. */
export interface CragOptions {
  /** Who grades the kept chunks: `relevance` their words alone, `ecs` the utility that the shaper’s option `ecs` measured; else a model (`chatGrader`, `fromJudge`) or your own. Default `"relevance"`. */
  grader?: 'relevance' | 'ecs' | Grader | undefined;
  thresholds?: {
    /** Chunks below it are evicted. Absent: as suits the grader. */
    lower?: number | undefined;
    /** A chunk that reaches it makes the context correct. Absent: as suits the grader. */
    upper?: number | undefined;
  } | undefined;
  /** Finds documents where the context is not correct: a function, a LangChain tool or retriever. Absent: nothing is searched. */
  webSearch?: WebSearchLike | undefined;
  /** Makes the question into words for the search (`chatRewrite`). Absent: its keywords. */
  rewrite?: Rewrite | undefined;
  /** The most searches per question; those that a person asks for come on top. Default `1`. */
  maxAttempts?: number | undefined;
  /** Are people asked, and when? `true`: as by default of the options below. Default `false`. */
  review?: boolean | {
    /** What a person is asked about: contexts that are `ambiguous` or `incorrect` when searching is over, or have a `conflict`; `before-search`: every search. Default `["ambiguous","incorrect","conflict"]`. */
    on?: ReviewReason[] | undefined;
    /** Asks a person and waits. Absent: the graph is interrupted, and goes on with what `Command({ resume })` brings; that needs a checkpointer. */
    onReview?: OnReview | undefined;
    /** The most reviews of one run. Default `5`. */
    maxReviews?: number | undefined;
  } | undefined;
  /** The most calls of the grader at once. Default `8`. */
  maxConcurrency?: number | undefined;
  /** Longest wait for one call of grader, rewrite or search, in milliseconds. Absent: no limit. */
  timeoutMs?: number | undefined;
  /** How a failed call of grader, rewrite or search is tried again, as LangGraph does. Absent: it is not. */
  retryPolicy?: {
    /** Calls in all, the first included. */
    maxAttempts?: number | undefined;
    /** Milliseconds before the second. */
    initialInterval?: number | undefined;
    /** How much longer each further wait is. */
    backoffFactor?: number | undefined;
    /** The longest wait, in milliseconds. */
    maxInterval?: number | undefined;
    /** Waits are varied at random. */
    jitter?: boolean | undefined;
  } | undefined;
  /** Keeps what grader, rewrite and search answered, in the `cache` of the graph. Failures are not kept. */
  cachePolicy?: {
    /** Seconds. Absent: for ever. */
    ttl?: number | undefined;
  } | undefined;
}
