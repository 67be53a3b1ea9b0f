/** Checks the result of an earlier evaluation, as read from a file. */
import { invalidInput, isObject } from 'context-shaping/kit';
import type { EvaluationResult } from './types.js';

/**
 * Checks the parts that a comparison and a page read.
 *
 * @throws ContextShapingError `invalid-input`, if it is none, or one of another version.
 */
export function parseEvaluation(value: unknown): EvaluationResult {
  const isResult =
    isObject(value) &&
    value.evaluationVersion === 1 &&
    typeof value.budget === 'number' &&
    [value.budgets, value.methods, value.results, value.notes].every(Array.isArray);
  if (isResult) return value as unknown as EvaluationResult;
  const remedy = 'Give a result that evaluate() or context-shaping-devtools evaluate --json made.';
  throw invalidInput('evaluation', value, 'is no result of an evaluation that this release reads', remedy);
}
