/** The graders that the option `grader` names, and judges as graders. */
import type { Judge } from '../../src/index.js';
import { ANSWERABLE_BOUNDS, defined, logistic } from '../../src/internal.js';
import type { Grader } from './types.js';

/** By words alone: the grade is the request's `support`. It costs nothing, and needs no model. */
const relevance: Grader = {
  name: 'relevance',
  thresholds: ANSWERABLE_BOUNDS,
  grade: async (requests) => requests.map(({ support }) => ({ grade: support })),
};

/**
 * By the utility, in nats, that the shaper's option `ecs` measured:
 *
 *   grade = 1 / (1 + exp(−utility))
 *
 * A chunk above one half adds to the model's belief in the answer; a chunk below one half misleads. A chunk without a
 * measured utility has no grade.
 */
const ecs: Grader = {
  name: 'ecs',
  // A chunk that misleads is evicted; a chunk that adds a whole nat answers.
  thresholds: { lower: logistic(0), upper: logistic(1) },
  grade: async (requests) =>
    requests.map(({ id, utility }) =>
      utility === undefined
        ? { failure: `The utility of ${JSON.stringify(id)} was not measured.` }
        : { grade: logistic(utility) },
    ),
};

/** The grade is the judge's probability of yes. A failure of one passage affects that passage alone. */
const judging = (judge: Judge): Grader => ({
  name: judge.modelId ?? 'judge',
  async grade(requests, { signal }) {
    const asked = requests.map(({ query, text }) => ({ question: query, passage: text }));
    const { results } = await judge.judge(asked, defined({ signal }));
    return results.map((result) => ('failure' in result ? result : { grade: result.yes }));
  },
});

export function graderOf(given: 'relevance' | 'ecs' | Judge | Grader): Grader {
  if (typeof given === 'string') return given === 'ecs' ? ecs : relevance;
  return 'judge' in given ? judging(given) : given;
}
