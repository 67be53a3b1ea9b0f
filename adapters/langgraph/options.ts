/** The options of corrective retrieval: their schema, and their check. */
import * as z from 'zod/mini';
import type { Judge, Shaper } from '../../src/index.js';
import { hasMethods, lazily, parseOptions } from '../../src/internal.js';
import { invalidOption } from '../model-calls/index.js';
import type { CragOptions } from './crag-options.js';
import { graderOf } from './graders.js';
import type { ReviewReason } from './record.js';
import type { Grader, Rewrite, Thresholds, WebSearch } from './types.js';

/** {@link CragOptions} with every default filled in. */
export interface CheckedCragOptions extends Pick<CragOptions, 'webSearch' | 'rewrite' | 'timeoutMs'> {
  grader: Grader;
  thresholds: Thresholds;
  review: { on: readonly ReviewReason[] };
}

/** A schema with its meaning, for the table and the interface that are generated from it. */
const option = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description });
  return schema;
};
const withDefault = z._default;
const share = () => z.number().check(z.gte(0), z.lte(1));

const policy = lazily(() =>
  z.strictObject({
    on: option(
      withDefault(z.array(z.enum(['ambiguous', 'incorrect', 'conflict'])), () => [
        'ambiguous' as const,
        'incorrect' as const,
        'conflict' as const,
      ]),
      'When a person is asked: about a context that is `ambiguous` or `incorrect` after the search, or that has a `conflict`.',
    ),
  }),
);

/** The one place of defaults. The table of the documents and the interface for editors are generated from it. */
export const cragOptionsSchema = lazily(() =>
  z.strictObject({
    grader: option(
      withDefault(
        z.union(
          [
            z.enum(['relevance', 'ecs']),
            z.custom<Judge>((value) => hasMethods(value, 'judge')),
            z.custom<Grader>((value) => hasMethods(value, 'grade')),
          ],
          {
            error:
              'must be "relevance", "ecs", a judge, or a grader with a grade(requests, { signal }) method',
          },
        ),
        'relevance',
      ),
      'Grades the kept chunks. `relevance`: by words, without a model. `ecs`: by the utility that the shaper’s option `ecs` measured. Or a judge, such as `chatJudge(chatModel)`, or your own grader.',
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
      z.optional(
        z.custom<WebSearch>((value) => typeof value === 'function', {
          error: 'must be a function of a query, such as (query, call) => tool.invoke({ query }, call)',
        }),
      ),
      'Finds documents if the context is not correct, once for each question, such as `(query, call) => tool.invoke({ query }, call)`. Absent: nothing is searched.',
    ),
    rewrite: option(
      z.optional(
        z.custom<Rewrite>((value) => typeof value === 'function', {
          error: 'must be a function of a request',
        }),
      ),
      'Turns the question into a search query. Absent: the question is the query.',
    ),
    review: option(
      withDefault(z.union([z.boolean(), policy()], { error: 'must be true, false, or { on }' }), false),
      'Enables review by people, at most five times in a run: the graph is interrupted, and continues with the value of `Command({ resume })`; this needs a checkpointer. `true` uses the default below.',
    ),
    timeoutMs: option(
      z.optional(z.number().check(z.positive(), z.lte(2 ** 31 - 1))),
      'The longest wait for the grader, the rewrite or the search, in milliseconds. Absent: no limit.',
    ),
  }),
);

/** @throws ContextShapingError `invalid-options`, naming the first option that is wrong. */
export function checkCragOptions(given: CragOptions, shaper: Shaper): CheckedCragOptions {
  const { grader: named, thresholds: bounds, review, ...rest } = parseOptions(cragOptionsSchema(), given);
  const grader = graderOf(named);
  if (named === 'ecs' && shaper.options.ecs === false)
    throw invalidOption(
      'grader',
      'ecs',
      'needs a shaper that measures utility',
      'Give the shaper the option ecs.',
    );
  const suggested = grader.thresholds ?? { lower: 0.3, upper: 0.7 };
  const thresholds = { lower: bounds?.lower ?? suggested.lower, upper: bounds?.upper ?? suggested.upper };
  if (thresholds.lower > thresholds.upper) {
    const is = `must be at most thresholds.upper, which is ${thresholds.upper}`;
    throw invalidOption('thresholds.lower', thresholds.lower, is, 'Give both, lower first.');
  }
  return {
    ...rest,
    grader,
    thresholds,
    review: review === true ? policy().parse({}) : review === false ? { on: [] } : review,
  };
}
