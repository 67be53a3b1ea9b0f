/**
 * Names that a single package of this repository uses besides the public ones: `context-shaping/internal`. The packages
 * depend on the exact version of this one, because no promise is made about any of these names: they may change in every
 * release.
 */
export {
  cellsIn,
  checkAnswer,
  checkNames,
  condensedIndex,
  cosines,
  createRecordedShaper,
  DIRECTION_CONTROLS,
  defaultStage,
  distinctIds,
  ECS_REACH,
  ecsSettingsOf,
  FEATURES,
  FLAG_KINDS,
  frameTokens,
  gram,
  hasMethods,
  hiddenIn,
  type Inside,
  importOptional,
  inGroup,
  insideOf,
  isAscii,
  isService,
  linkage,
  type Merge,
  maximalMarginalRelevance,
  mergeOptions,
  nearest,
  orAborted,
  pack,
  type RankedUnit,
  REPORT_VERSION,
  Recording,
  readyShaper,
  resolveOptions,
  SENTENCE_SHARE,
  scorerSettingsOf,
  searchTermsOf,
  sessionOf,
  tableLayout,
  tellInTime,
  toldError,
  type Unit,
  unitRankings,
} from '../../src/internal.js';
export { invalidOption, serviceError } from '../model-calls/index.js';
export { writeOwn } from '../own-file/index.js';
export { said, tableOf, why } from '../report/index.js';
