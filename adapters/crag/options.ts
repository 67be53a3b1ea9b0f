import * as z from 'zod';
import { ContextShapingError, parseOptions } from '../../src/index.js';
import { ecsGrader } from './graders/ecs.js';
import { relevanceGrader } from './graders/relevance.js';
import { keywords } from './keywords.js';
import type { Grader, ReviewReason, ReviewRequest, Rewrite, Thresholds, WebSearch } from './types.js';
import { toWebSearch, type WebSearchLike } from './web-search.js';

/** How retrieval is corrected. All optional: without any, words alone grade, and nothing is searched or asked. */
export interface CragOptions {
  /**
   * Who grades the kept chunks. `relevance` (default): their words alone; `ecs`: the utility that the shaper's
   * option `ecs` measured; else a model (`chatGrader`, `fromJudge`) or your own.
   */
  grader?: 'relevance' | 'ecs' | Grader | undefined;
  /**
   * The context is `correct` if any chunk's grade reaches `upper`, `incorrect` if all are below `lower`, else
   * `ambiguous`; chunks below `lower` are evicted. Default: those that suit the grader.
   */
  thresholds?: Partial<Thresholds> | undefined;
  /** Finds documents where the context is not correct. Absent: nothing is searched. */
  webSearch?: WebSearchLike | undefined;
  /** Makes the question into words for the search. Default: its keywords. */
  rewrite?: Rewrite | undefined;
  /** The most searches per question, 0..10; those that a person asks for come on top. Default 1. */
  maxAttempts?: number | undefined;
  /** Whether people are asked, and when. `true`: as by default of a policy. Default false. */
  review?: boolean | ReviewPolicy | undefined;
  /** Longest wait for one call of grader, rewrite or search, in milliseconds. Default: as long as they take. */
  timeoutMs?: number | undefined;
  /** How a call of grader, rewrite or search that failed is tried again. Default: it is not. */
  retryPolicy?: RetryPolicy | undefined;
  /**
   * Keeps what grader, rewrite and search answered; takes effect with a cache: `createCragGraph({ cache })`, or
   * that of the parent graph. `ttl` in seconds; absent: for ever. Failures are not kept.
   */
  cachePolicy?: { ttl?: number | undefined } | undefined;
}

export interface ReviewPolicy {
  /**
   * What a person is asked for: contexts that are `ambiguous` or `incorrect` when searching is over, contexts
   * with a `conflict`, and `before-search` every search. Default all but the last.
   */
  on?: readonly ReviewReason[] | undefined;
  /**
   * Asks a person and waits. Absent: the graph is interrupted, and goes on with what `Command({ resume })`
   * brings; that needs a checkpointer.
   */
  onReview?:
    | ((request: ReviewRequest, call: { signal?: AbortSignal | undefined }) => Promise<unknown>)
    | undefined;
  /** The most reviews of one run, 1..100. Default 5. */
  maxReviews?: number | undefined;
}

/** As LangGraph's. */
export interface RetryPolicy {
  /** Calls in all, the first included. */
  maxAttempts?: number | undefined;
  /** In milliseconds. */
  initialInterval?: number | undefined;
  backoffFactor?: number | undefined;
  maxInterval?: number | undefined;
  jitter?: boolean | undefined;
}

/** {@link CragOptions} with every default filled in. */
export interface ResolvedCragOptions {
  grader: Grader;
  thresholds: Thresholds;
  webSearch?: WebSearch | undefined;
  rewrite: Rewrite;
  maxAttempts: number;
  review: { on: readonly ReviewReason[]; onReview?: ReviewPolicy['onReview']; maxReviews: number };
  timeoutMs?: number | undefined;
  retryPolicy?: RetryPolicy | undefined;
  cachePolicy?: { ttl?: number | undefined } | undefined;
}

const share = z.number().min(0).max(1);
const callable = <T>(what: string) => z.custom<T>((value) => typeof value === 'function', { error: what });

const policy = z.strictObject({
  on: z
    .array(z.enum(['before-search', 'ambiguous', 'incorrect', 'conflict']))
    .default(['ambiguous', 'incorrect', 'conflict']),
  onReview: callable<NonNullable<ReviewPolicy['onReview']>>('must be a function of a request').optional(),
  maxReviews: z.int().min(1).max(100).default(5),
});

const retry = z.strictObject({
  maxAttempts: z.int().min(1).max(20).optional(),
  initialInterval: z.number().min(0).optional(),
  backoffFactor: z.number().min(1).optional(),
  maxInterval: z.number().min(0).optional(),
  jitter: z.boolean().optional(),
});

const schema = z.strictObject({
  grader: z
    .union(
      [
        z.enum(['relevance', 'ecs']),
        z.custom<Grader>((value) => typeof (value as Grader | null)?.grade === 'function'),
      ],
      { error: 'must be "relevance", "ecs", or a grader with a grade(requests, { signal }) method' },
    )
    .default('relevance'),
  thresholds: z.strictObject({ lower: share.optional(), upper: share.optional() }).optional(),
  webSearch: z.custom<WebSearchLike>((value) => value != null, { error: 'must be a search' }).optional(),
  rewrite: callable<Rewrite>('must be a function of a request').optional(),
  maxAttempts: z.int().min(0).max(10).default(1),
  review: z
    .union([z.boolean(), policy], { error: 'must be true, false, or { on, onReview, maxReviews }' })
    .default(false),
  timeoutMs: z
    .number()
    .positive()
    .max(2 ** 31 - 1)
    .optional(),
  retryPolicy: retry.optional(),
  cachePolicy: z.strictObject({ ttl: z.number().positive().optional() }).optional(),
});

/** @throws ContextShapingError `invalid-options`, naming the first option that is wrong. */
export function resolveCragOptions(given: CragOptions): ResolvedCragOptions {
  const {
    grader: named,
    thresholds: bounds,
    webSearch,
    rewrite,
    review,
    ...rest
  } = parseOptions(schema, given);
  const grader = named === 'relevance' ? relevanceGrader() : named === 'ecs' ? ecsGrader() : named;
  const suited = grader.thresholds ?? { lower: 0.3, upper: 0.7 };
  const thresholds = { lower: bounds?.lower ?? suited.lower, upper: bounds?.upper ?? suited.upper };
  if (thresholds.lower > thresholds.upper) {
    throw new ContextShapingError('invalid-options', {
      field: 'thresholds.lower',
      value: thresholds.lower,
      is: `must be at most thresholds.upper, which is ${thresholds.upper}`,
      remedy: 'Give both, lower first.',
    });
  }
  return {
    ...rest,
    grader,
    thresholds,
    rewrite: rewrite ?? keywords,
    ...(webSearch === undefined ? {} : { webSearch: toWebSearch(webSearch) }),
    review: review === true ? policy.parse({}) : review === false ? { on: [], maxReviews: 1 } : review,
  };
}
