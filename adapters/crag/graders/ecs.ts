/**
 * Utility as a grade, through the logistic function: 0 nats is one half.
 *
 *   grade = 1 / (1 + exp(−utility))
 */
import { logistic } from '../../../src/internal.js';
import type { Grader } from '../types.js';

/**
 * By the utility that the shaper's option `ecs` measured: above one half a chunk adds to the model's belief in
 * the answer, below it misleads. A chunk that was not measured has no grade.
 */
export function ecsGrader(): Grader {
  return {
    name: 'ecs',
    batchSize: Number.POSITIVE_INFINITY,
    // What misleads goes; a whole nat answers.
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
