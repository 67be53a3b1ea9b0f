import * as z from 'zod';
import { ContextShapingError, type Shaper } from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
import type { CragOptions } from './crag-options.js';
import { ecsGrader, relevanceGrader } from './graders/without-model.js';
import { keywords } from './keywords/keywords.js';
import type { ReviewReason } from './record.js';
import type { Grader, OnReview, Rewrite, Thresholds, WebSearch } from './types.js';
import { toWebSearch, type WebSearchLike } from './web-search/web-search.js';

/** {@link CragOptions} with every default filled in. */
export interface ResolvedCragOptions extends Pick<CragOptions, 'timeoutMs' | 'retryPolicy' | 'cachePolicy'> {
  grader: Grader;
  thresholds: Thresholds;
  webSearch?: WebSearch | undefined;
  rewrite: Rewrite;
  maxAttempts: number;
  maxConcurrency: number;
  review: { on: readonly ReviewReason[]; onReview?: OnReview | undefined; maxReviews: number };
}

const share = () => z.number().min(0).max(1);
const duration = () => z.number().min(0);
const callable = <T>(what: string) => z.custom<T>((value) => typeof value === 'function', { error: what });

const policy = z.strictObject({
  on: z
    .array(z.enum(['before-search', 'ambiguous', 'incorrect', 'conflict']))
    .default(['ambiguous', 'incorrect', 'conflict'])
    .describe(
      'What a person is asked about: contexts that are `ambiguous` or `incorrect` when searching is over, or have a `conflict`; `before-search`: every search.',
    ),
  onReview: callable<OnReview>('must be a function of a request')
    .optional()
    .describe(
      'Asks a person and waits. Absent: the graph is interrupted, and goes on with what `Command({ resume })` brings; that needs a checkpointer.',
    ),
  maxReviews: z.int().min(1).max(100).default(5).describe('The most reviews of one run.'),
});

const isGrader = (value: unknown) => typeof (value as Grader | null)?.grade === 'function';

/** The one place of defaults. The table of the README and the interface for editors are generated from it. */
export const cragOptionsSchema = z.strictObject({
  grader: z
    .union([z.enum(['relevance', 'ecs']), z.custom<Grader>(isGrader)], {
      error: 'must be "relevance", "ecs", or a grader with a grade(requests, { signal }) method',
    })
    .default('relevance')
    .describe(
      'Who grades the kept chunks: `relevance` their words alone, `ecs` the utility that the shaper’s option `ecs` measured; else a model (`chatGrader`, `fromJudge`) or your own.',
    ),
  thresholds: z
    .strictObject({
      lower: share().optional().describe('Chunks below it are evicted. Absent: as suits the grader.'),
      upper: share()
        .optional()
        .describe('A chunk that reaches it makes the context correct. Absent: as suits the grader.'),
    })
    .optional(),
  webSearch: z
    .custom<WebSearchLike>((value) => value != null, { error: 'must be a search' })
    .optional()
    .describe(
      'Finds documents where the context is not correct: a function, a LangChain tool or retriever. Absent: nothing is searched.',
    ),
  rewrite: callable<Rewrite>('must be a function of a request')
    .optional()
    .describe('Makes the question into words for the search (`chatRewrite`). Absent: its keywords.'),
  maxAttempts: z
    .int()
    .min(0)
    .max(10)
    .default(1)
    .describe('The most searches per question; those that a person asks for come on top.'),
  review: z
    .union([z.boolean(), policy], { error: 'must be true, false, or { on, onReview, maxReviews }' })
    .default(false)
    .describe('Are people asked, and when? `true`: as by default of the options below.'),
  maxConcurrency: z.int().min(1).max(1000).default(8).describe('The most calls of the grader at once.'),
  timeoutMs: z
    .number()
    .positive()
    .max(2 ** 31 - 1)
    .optional()
    .describe('Longest wait for one call of grader, rewrite or search, in milliseconds. Absent: no limit.'),
  retryPolicy: z
    .strictObject({
      maxAttempts: z.int().min(1).max(20).optional().describe('Calls in all, the first included.'),
      initialInterval: duration().optional().describe('Milliseconds before the second.'),
      backoffFactor: z.number().min(1).optional().describe('How much longer each further wait is.'),
      maxInterval: duration().optional().describe('The longest wait, in milliseconds.'),
      jitter: z.boolean().optional().describe('Waits are varied at random.'),
    })
    .optional()
    .describe(
      'How a failed call of grader, rewrite or search is tried again, as LangGraph does. Absent: it is not.',
    ),
  cachePolicy: z
    .strictObject({ ttl: z.number().positive().optional().describe('Seconds. Absent: for ever.') })
    .optional()
    .describe(
      'Keeps what grader, rewrite and search answered, in the `cache` of the graph. Failures are not kept.',
    ),
});

/** @throws ContextShapingError `invalid-options`, naming the first option that is wrong. */
export function resolveCragOptions(given: CragOptions, shaper: Pick<Shaper, 'options'>): ResolvedCragOptions {
  const {
    grader: named,
    thresholds: bounds,
    webSearch,
    rewrite,
    review,
    ...rest
  } = parseOptions(cragOptionsSchema, given);
  const grader = named === 'relevance' ? relevanceGrader() : named === 'ecs' ? ecsGrader() : named;
  if (named === 'ecs' && shaper.options.ecs === false)
    throw wrong('grader', 'ecs', 'needs a shaper that measures utility', 'Give the shaper the option ecs.');
  const { batchSize = 1 } = grader;
  if (!(batchSize >= 1)) {
    const remedy = 'Give the number of chunks that one call of the grader takes, or Infinity.';
    throw wrong('grader.batchSize', batchSize, 'must be at least 1', remedy);
  }
  const suited = grader.thresholds ?? { lower: 0.3, upper: 0.7 };
  const thresholds = { lower: bounds?.lower ?? suited.lower, upper: bounds?.upper ?? suited.upper };
  if (thresholds.lower > thresholds.upper) {
    const is = `must be at most thresholds.upper, which is ${thresholds.upper}`;
    throw wrong('thresholds.lower', thresholds.lower, is, 'Give both, lower first.');
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

const wrong = (field: string, value: unknown, is: string, remedy: string) =>
  new ContextShapingError('invalid-options', { field, value, is, remedy });
