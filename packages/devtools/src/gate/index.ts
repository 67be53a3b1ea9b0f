/** Shared code of gates: whether a model ranks labelled questions better than its rivals. */
export { crossValidated, meansByKey } from './cross-validation.js';
export { chanceOf, type Gain, gainOf } from './mean-gain.js';
export { ndcg, type Scored } from './ranking.js';
export {
  ALPHA,
  type Differences,
  LEAST_QUESTIONS,
  LEAST_TO_WIN,
  type Verdict,
  verdictOf,
} from './verdict.js';
