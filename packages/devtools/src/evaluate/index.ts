/**
 * Measures what options keep of the evidence of your own questions, and the least budget that is enough.
 *
 * @packageDocumentation
 */
export { parseEvaluationCase } from './case.js';
export { compareEvaluations, type EvaluationComparison } from './compare.js';
export { evaluate } from './evaluate.js';
export { type Fit, fitMethods, fitOf, type TriedOptions } from './fit.js';
export { formatFit } from './fit-format.js';
export { formatEvaluation } from './format.js';
export { type EvidenceMatchers, toKeepEvidence } from './matcher.js';
export { parseEvaluation } from './parse-evaluation.js';
export type {
  BudgetFigures,
  CaseResult,
  Estimate,
  EvaluatedOptions,
  EvaluateOptions,
  EvaluationCase,
  EvaluationResult,
  Evidence,
  EvidenceSpan,
  LeastBudget,
  LostUnit,
  MethodDifference,
  MethodResult,
  ReliabilityBin,
} from './types.js';
