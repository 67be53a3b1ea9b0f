/** Compares an evaluation with an earlier one, case by case. */
import { invalidInput } from 'context-shaping/kit';
import { type Estimate, estimate } from '../measurement/index.js';
import { parseEvaluation } from './parse-evaluation.js';
import type { EvaluationResult } from './types.js';

export interface EvaluationComparison {
  /** The budget of the earlier evaluation, at which both are compared. */
  budget: number;
  /** Cases that both measured. */
  cases: number;
  /** Share of the evidence that the first options keep now, less that of the first options before. */
  difference: Estimate;
  /** The whole interval is below 0. */
  isWorse: boolean;
}

/**
 * Compares the first options of two evaluations at the budget that the earlier one reported on. Cases are paired by their
 * ids.
 *
 * @throws ContextShapingError `invalid-input`, if the later one did not measure that budget, or they share no case.
 */
export function compareEvaluations(now: EvaluationResult, before: EvaluationResult): EvaluationComparison {
  const { budget } = parseEvaluation(before);
  const [at, atBefore] = [now.budgets.indexOf(budget), before.budgets.indexOf(budget)];
  if (at < 0) {
    const remedy = `Measure this budget too: add ${budget} to the budgets.`;
    throw invalidInput('before.budget', budget, 'was not measured again', remedy);
  }
  const earlier = new Map(before.results.map((each) => [each.id, each.kept[0]?.[atBefore]]));
  const pairs = now.results.flatMap(({ id, group, kept }) => {
    const [own, other] = [kept[0]?.[at], earlier.get(id)];
    return own === undefined || other === undefined ? [] : [{ group, difference: own - other }];
  });
  if (pairs.length === 0) {
    throw invalidInput(
      'before.results',
      before.results.length,
      'have no measured case of this evaluation',
      'Give the result of an earlier evaluation of the same data.',
    );
  }
  const difference = estimate(
    pairs.map((pair) => pair.difference),
    pairs.map(({ group }) => group),
  );
  return { budget, cases: pairs.length, difference, isWorse: difference.high < 0 };
}
