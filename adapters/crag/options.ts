/** The options of corrective retrieval. A compressor checks them with this module, without the rest of corrective retrieval. */
import * as z from 'zod/mini';
import { ContextShapingError, type Shaper } from '../../src/index.js';
import { hasMethods, lazily, parseOptions } from '../../src/internal.js';
import type { CragOptions } from './crag-options.js';
import { ecsGrader, relevanceGrader } from './graders.js';
import type { ReviewReason } from './record.js';
import type { Grader, OnReview, Rewrite, Thresholds, WebSearchLike } from './types.js';

/** {@link CragOptions} with every default filled in, except those of `webSearch` and `rewrite`. */
export interface CheckedCragOptions
  extends Pick<CragOptions, 'webSearch' | 'rewrite' | 'timeoutMs' | 'retryPolicy' | 'cachePolicy'> {
  grader: Grader;
  thresholds: Thresholds;
  maxAttempts: number;
  maxConcurrency: number;
  review: { on: readonly ReviewReason[]; onReview?: OnReview | undefined; maxReviews: number };
}

/** A schema with its meaning, for the table and the interface that are generated from it. */
const option = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description });
  return schema;
};
const withDefault = z._default;
const from = (least: number) => z.number().check(z.gte(least));
const wholeFrom = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
const share = () => z.number().check(z.gte(0), z.lte(1));
const callable = <T>(error: string) => z.custom<T>((value) => typeof value === 'function', { error });

const policy = lazily(() =>
  z.strictObject({
    on: option(
      withDefault(z.array(z.enum(['before-search', 'ambiguous', 'incorrect', 'conflict'])), () => [
        'ambiguous' as const,
        'incorrect' as const,
        'conflict' as const,
      ]),
      'When a person is asked: about a context that is `ambiguous` or `incorrect` after all searches, or that has a `conflict`; with `before-search`, before every search.',
    ),
    onReview: option(
      z.optional(callable<OnReview>('must be a function of a request')),
      'Asks a person and waits for the answer. Absent: the graph is interrupted, and continues with the value of `Command({ resume })`; this needs a checkpointer.',
    ),
    maxReviews: option(withDefault(wholeFrom(1, 100), 5), 'The most reviews of one run.'),
  }),
);

/** The one place of defaults. The table of the documents and the interface for editors are generated from it. */
export const cragOptionsSchema = lazily(() =>
  z.strictObject({
    grader: option(
      withDefault(
        z.union([z.enum(['relevance', 'ecs']), z.custom<Grader>((value) => hasMethods(value, 'grade'))], {
          error: 'must be "relevance", "ecs", or a grader with a grade(requests, { signal }) method',
        }),
        'relevance',
      ),
      'Grades the kept chunks. `relevance`: by words, without a model. `ecs`: by the utility that the shaper’s option `ecs` measured. Or a model (`chatGrader`, `fromJudge`), or your own grader.',
    ),
    thresholds: z.optional(
      z.strictObject({
        lower: option(
          z.optional(share()),
          'Chunks with a lower grade are evicted. Absent: the value that the grader suggests.',
        ),
        upper: option(
          z.optional(share()),
          'A chunk with at least this grade makes the context correct. Absent: the value that the grader suggests.',
        ),
      }),
    ),
    webSearch: option(
      z.optional(z.custom<WebSearchLike>((value) => value != null, { error: 'must be a search' })),
      'Finds documents if the context is not correct: a function, a LangChain tool or a LangChain retriever. Absent: nothing is searched.',
    ),
    rewrite: option(
      z.optional(callable<Rewrite>('must be a function of a request')),
      'Turns the question into a search query (`chatRewrite`). Absent: the keywords of the question.',
    ),
    maxAttempts: option(
      withDefault(wholeFrom(0, 10), 1),
      'The most searches per question. Searches that a person asks for are not counted.',
    ),
    review: option(
      withDefault(
        z.union([z.boolean(), policy()], { error: 'must be true, false, or { on, onReview, maxReviews }' }),
        false,
      ),
      'Enables review by people; `true` uses the defaults below.',
    ),
    maxConcurrency: option(
      withDefault(wholeFrom(1, 1000), 8),
      'The most calls of the grader at the same time.',
    ),
    timeoutMs: option(
      z.optional(z.number().check(z.positive(), z.lte(2 ** 31 - 1))),
      'The longest wait for one call of the grader, the rewrite or the search, in milliseconds. Absent: no limit.',
    ),
    retryPolicy: option(
      z.optional(
        z.strictObject({
          maxAttempts: option(z.optional(wholeFrom(1, 20)), 'The most calls, the first one included.'),
          initialInterval: option(z.optional(from(0)), 'Milliseconds before the second call.'),
          backoffFactor: option(z.optional(from(1)), 'Each further wait is longer by this factor.'),
          maxInterval: option(z.optional(from(0)), 'The longest wait, in milliseconds.'),
          jitter: option(z.optional(z.boolean()), 'Adds random variation to the waits.'),
        }),
      ),
      'How LangGraph retries a failed call of the grader, the rewrite or the search. Absent: no retries.',
    ),
    cachePolicy: option(
      z.optional(
        z.strictObject({
          ttl: option(z.optional(z.number().check(z.positive())), 'Seconds. Absent: without limit.'),
        }),
      ),
      'Keeps the answers of the grader, the rewrite and the search in the `cache` of the graph. Failures are not kept.',
    ),
  }),
);

/** @throws ContextShapingError `invalid-options`, naming the first option that is wrong. */
export function checkCragOptions(given: CragOptions, shaper: Pick<Shaper, 'options'>): CheckedCragOptions {
  const { grader: named, thresholds: bounds, review, ...rest } = parseOptions(cragOptionsSchema(), given);
  const grader = named === 'relevance' ? relevanceGrader() : named === 'ecs' ? ecsGrader() : named;
  if (named === 'ecs' && shaper.options.ecs === false)
    throw wrong('grader', 'ecs', 'needs a shaper that measures utility', 'Give the shaper the option ecs.');
  const { batchSize = 1 } = grader;
  if (!(batchSize >= 1)) {
    const remedy = 'Give the number of chunks that one call of the grader takes, or Infinity.';
    throw wrong('grader.batchSize', batchSize, 'must be at least 1', remedy);
  }
  const suggested = grader.thresholds ?? { lower: 0.3, upper: 0.7 };
  const thresholds = { lower: bounds?.lower ?? suggested.lower, upper: bounds?.upper ?? suggested.upper };
  checkThresholds(thresholds);
  if (rest.webSearch !== undefined) searchKindOf(rest.webSearch);
  return {
    ...rest,
    grader,
    thresholds,
    review: review === true ? policy().parse({}) : review === false ? { on: [], maxReviews: 1 } : review,
  };
}

/** @throws ContextShapingError `invalid-options`, if no grade could lie between the two. */
export function checkThresholds({ lower, upper }: Thresholds, field = 'thresholds.lower'): void {
  if (lower <= upper) return;
  throw wrong(field, lower, `must be at most thresholds.upper, which is ${upper}`, 'Give both, lower first.');
}

/** @throws ContextShapingError `invalid-options`, if it is not a search. */
export function searchKindOf(search: WebSearchLike): 'function' | 'tool' | 'retriever' {
  if (typeof search === 'function') return 'function';
  const { invoke, schema, _getRelevantDocuments } = (search ?? {}) as Record<string, unknown>;
  if (typeof invoke === 'function') {
    if (typeof schema === 'object' && schema !== null) return 'tool';
    if (typeof _getRelevantDocuments === 'function') return 'retriever';
  }
  throw wrong(
    'webSearch',
    search,
    'must be a function, a LangChain tool or a LangChain retriever',
    'Give one of these, such as (query, { signal }) => runnable.invoke(query, { signal }).',
  );
}

const wrong = (field: string, value: unknown, is: string, remedy: string) =>
  new ContextShapingError('invalid-options', { field, value, is, remedy });
