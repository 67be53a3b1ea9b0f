/** Graders that need no chat model: by the measurements of shaping, and by a judge. */
import { ContextShapingError, type Judge } from '../../src/index.js';
import { ANSWERABLE_BOUNDS, defined, logistic, orAborted, rethrowControlFlow } from '../../src/internal.js';
import type { Grade, Grader } from './types.js';

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

/**
 * A judge of the shaper's option `ecs` as a grader: the grade is its probability of yes. A failure of one passage
 * affects that passage alone. Errors of the judge are rethrown.
 *
 * @throws ContextShapingError `invalid-options`, if it is not a judge. Grading throws `service` if the judge's answer
 *   does not follow its port.
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
    batchSize: 1,
    async grade(requests, { signal }) {
      signal?.throwIfAborted();
      if (requests.length === 0) return [];
      const asked = requests.map(({ query, text }) => ({ question: query, passage: text }));
      const call = defined({ signal });
      let answers: Awaited<ReturnType<Judge['judge']>>;
      try {
        answers = await orAborted(judge.judge(asked, call), signal);
      } catch (error) {
        rethrowControlFlow(error, signal);
        throw error;
      }
      const results: unknown = answers?.results;
      if (!Array.isArray(results) || results.length !== requests.length) {
        throw malformed('results', results, `must be ${requests.length} results`);
      }
      return results.map((result: unknown, place): Grade | { failure: string } => {
        const { yes, failure } = (result ?? {}) as { yes?: unknown; failure?: unknown };
        if (typeof failure === 'string') return { failure };
        if (typeof yes === 'number' && yes >= 0 && yes <= 1) return { grade: yes };
        throw malformed(`results[${place}]`, result, 'must be { yes } from 0 to 1, or { failure }');
      });
    },
  };
}

function malformed(field: string, value: unknown, is: string): ContextShapingError {
  const remedy = 'Correct the judge: its answer does not follow the port Judge.';
  return new ContextShapingError('service', { field: `judge: ${field}`, value, is, remedy });
}
