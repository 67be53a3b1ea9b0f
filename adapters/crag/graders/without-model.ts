/** Graders that ask no model: they use the measurements of shaping. */
import { ANSWERABLE_BOUNDS, logistic } from '../../../src/internal.js';
import type { Grader } from '../types.js';

/** By words alone: the grade is the request's `support`. It costs nothing, and needs no model. */
export function relevanceGrader(): Grader {
  return {
    name: 'relevance',
    batchSize: Number.POSITIVE_INFINITY,
    thresholds: ANSWERABLE_BOUNDS,
    async grade(requests, { signal }) {
      signal?.throwIfAborted();
      return requests.map(({ support }) => ({ grade: support }));
    },
  };
}

/**
 * By the utility, in nats, that the shaper's option `ecs` measured:
 *
 *   grade = 1 / (1 + exp(−utility))
 *
 * A chunk above one half adds to the model's belief in the answer; a chunk below one half misleads. A chunk without a
 * measured utility has no grade.
 */
export function ecsGrader(): Grader {
  return {
    name: 'ecs',
    batchSize: Number.POSITIVE_INFINITY,
    // A chunk that misleads is evicted; a chunk that adds a whole nat answers.
    thresholds: { lower: logistic(0), upper: logistic(1) },
    async grade(requests, { signal }) {
      signal?.throwIfAborted();
      return requests.map(({ id, utility }) =>
        utility === undefined
          ? { failure: `The utility of ${JSON.stringify(id)} was not measured.` }
          : { grade: logistic(utility) },
      );
    },
  };
}
