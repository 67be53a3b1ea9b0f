export {
  type CalibrateOptions,
  type CalibrationProfile,
  calibrate,
  type MethodFigures,
  type RankingFigures,
} from './calibrate/calibrate.js';
export { checkQuestion, type LabelledQuestion } from './calibrate/labelled.js';
export type { Interval } from './calibrate/statistics.js';
export { ggufModel, loadGgufModel } from './gguf-model.js';
