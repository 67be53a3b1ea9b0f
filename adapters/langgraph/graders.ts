/** Graders that need no chat model: by the measurements of shaping, and by a judge. */
import { ContextShapingError, type Judge } from '../../src/index.js';
import { ANSWERABLE_BOUNDS, defined, logistic, orAborted } from '../../src/internal.js';
import type { Grader } from './types.js';

/** By words alone: the grade is the request's `support`. It costs nothing, and needs no model. */
export function relevanceGrader(): Grader {
  return {
    name: 'relevance',
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

/**
 * A judge of the shaper's option `ecs` as a grader: the grade is its probability of yes. A failure of one passage
 * affects that passage alone. Errors of the judge are rethrown.
 *
 * @throws ContextShapingError `invalid-options`, if it is not a judge.
 */
export function fromJudge(judge: Judge): Grader {
  if (typeof judge?.judge !== 'function') {
    throw new ContextShapingError('invalid-options', {
      field: 'judge',
      value: judge,
      is: 'must have the method judge',
      remedy: 'Give a judge, for instance chatJudge(chatModel) of context-shaping/langchain.',
    });
  }
  return {
    name: 'judge',
    async grade(requests, { signal }) {
      signal?.throwIfAborted();
      if (requests.length === 0) return [];
      const asked = requests.map(({ query, text }) => ({ question: query, passage: text }));
      const { results } = await orAborted(judge.judge(asked, defined({ signal })), signal);
      // The graph checks the grades of every grader.
      return results.map((result) => ('failure' in result ? result : { grade: result.yes }));
    },
  };
}
