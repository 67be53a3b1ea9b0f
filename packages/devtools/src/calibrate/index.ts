/**
 * Whether a model may rank: measured on labelled questions.
 *
 * @packageDocumentation
 */
export type { Gain } from '../gate/index.js';
export { type CalibrateOptions, type CalibrationProfile, calibrate } from './calibrate.js';
export type { MethodFigures, RankingFigures, RivalFigures } from './figures.js';
export { checkQuestion, type LabelledPassage, type LabelledQuestion } from './labelled-question.js';
export {
  type CalibrateSentencesOptions,
  calibrateSentences,
  type SentenceCalibration,
} from './sentences.js';
