/** Shared code of gates: whether a model has shown on labelled questions that it is better than what it would replace. */
export { type Gain, gainOf } from './mean-gain.js';
export { areaUnderCurve, f1AtK, meanOf, type Scored } from './ranking.js';
export {
  ALPHA,
  type Differences,
  LEAST_QUESTIONS,
  LEAST_TO_WIN,
  type Verdict,
  verdictOf,
} from './verdict.js';
