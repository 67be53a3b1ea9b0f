// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { ReviewReason } from './record.js';
import type { Grader, OnReview, Rewrite, WebSearchLike } from './types.js';

/** Options of corrective retrieval. All are optional: by default words alone grade, and the graph neither searches nor asks a person. */
export interface CragOptions {
  /** Grades the kept chunks. `relevance`: by words, without a model. `ecs`: by the utility that the shaper’s option `ecs` measured. Or a model (`chatGrader`, `fromJudge`), or your own grader. Default `"relevance"`. */
  grader?: 'relevance' | 'ecs' | Grader | undefined;
  thresholds?: {
    /** Chunks with a lower grade are evicted. Absent: the value that the grader suggests. */
    lower?: number | undefined;
    /** A chunk with at least this grade makes the context correct. Absent: the value that the grader suggests. */
    upper?: number | undefined;
  } | undefined;
  /** Finds documents if the context is not correct: a function, a LangChain tool or a LangChain retriever. Absent: nothing is searched. */
  webSearch?: WebSearchLike | undefined;
  /** Turns the question into a search query (`chatRewrite`). Absent: the keywords of the question. */
  rewrite?: Rewrite | undefined;
  /** The most searches per question. Searches that a person asks for are not counted. Default `1`. */
  maxAttempts?: number | undefined;
  /** Enables review by people; `true` uses the defaults below. Default `false`. */
  review?: boolean | {
    /** When a person is asked: about a context that is `ambiguous` or `incorrect` after all searches, or that has a `conflict`; with `before-search`, before every search. Default `["ambiguous","incorrect","conflict"]`. */
    on?: ReviewReason[] | undefined;
    /** Asks a person and waits for the answer. Absent: the graph is interrupted, and continues with the value of `Command({ resume })`; this needs a checkpointer. */
    onReview?: OnReview | undefined;
    /** The most reviews of one run. Default `5`. */
    maxReviews?: number | undefined;
  } | undefined;
  /** The most calls of the grader at the same time. Default `8`. */
  maxConcurrency?: number | undefined;
  /** The longest wait for one call of the grader, the rewrite or the search, in milliseconds. Absent: no limit. */
  timeoutMs?: number | undefined;
  /** How LangGraph retries a failed call of the grader, the rewrite or the search. Absent: no retries. */
  retryPolicy?: {
    /** The most calls, the first one included. */
    maxAttempts?: number | undefined;
    /** Milliseconds before the second call. */
    initialInterval?: number | undefined;
    /** Each further wait is longer by this factor. */
    backoffFactor?: number | undefined;
    /** The longest wait, in milliseconds. */
    maxInterval?: number | undefined;
    /** Adds random variation to the waits. */
    jitter?: boolean | undefined;
  } | undefined;
  /** Keeps the answers of the grader, the rewrite and the search in the `cache` of the graph. Failures are not kept. */
  cachePolicy?: {
    /** Seconds. Absent: without limit. */
    ttl?: number | undefined;
  } | undefined;
}
