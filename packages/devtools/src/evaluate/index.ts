/**
 * Measures what options keep of the evidence of your own questions, and the least budget that is enough.
 *
 * @packageDocumentation
 */
export type { Gain } from '../gate/index.js';
export { parseEvaluationCase } from './case.js';
export { compareEvaluations, type EvaluationComparison } from './compare.js';
export { evaluate } from './evaluate.js';
export { type Fit, fitMethods, fitOf, type TriedOptions } from './fit.js';
export { formatFit, formatModelFit } from './fit-format.js';
export {
  type FitModelsOptions,
  fitModels,
  type ModelFigures,
  type ModelFit,
  type RankingFigures,
} from './fit-models.js';
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
  LeastBudget,
  LostUnit,
  MethodDifference,
  MethodResult,
} from './types.js';
