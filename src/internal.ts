/**
 * The names that only the adapters of this package use. No promise is made about any of it: it may change in every
 * release.
 */
export { createRecordedShaper, readyShaper } from './create-shaper.js';
export { defaultStage } from './default-stages.js';
export { judgePrompt } from './ecs/judgement.js';
export { settingsOf as ecsSettingsOf } from './ecs/trust.js';
export { connectionProblem, type ErrorText, invalidInput, messageOf, rethrowControlFlow } from './errors.js';
export { distinctIds } from './input/distinct-ids.js';
export { checkAnswer } from './input/embedder-answer.js';
export { nearest } from './input/names.js';
export {
  ECS_REACH,
  ENCODINGS,
  FEATURES,
  mergeOptions,
  ORDERS,
  optionsSchema,
  PRESETS,
  type Preset,
  resolveOptions,
  SENTENCE_SHARE,
} from './input/options.js';
export { parseJson } from './input/parse-json.js';
export { checkNames, inGroup, isObject, type JsonObject, parseOptions } from './input/parse-options.js';
export { pinTest } from './input/to-candidates.js';
export { cosines, gram, pack } from './math/gram/gram.js';
export { condensedIndex, linkage, type Merge } from './math/linkage.js';
export { logistic } from './math/logprobs.js';
export { maximalMarginalRelevance } from './math/mmr.js';
export { packVector } from './math/vectors.js';
export { GuardedSpan, inSpan, patient, tellObservers } from './observers.js';
export { frameTokens } from './prompt/shown.js';
export { ANSWERABLE_BOUNDS } from './relevance/answerable-bounds.js';
export { COEFFICIENTS } from './relevance/coefficients.js';
export { support } from './relevance/support.js';
export { digestOf } from './report/digest.js';
export { sealReport, withDegradation } from './report/report.js';
export { section as tableOf } from './report/table.js';
export { orAborted, pause, withDeadline } from './runtime/abort.js';
export { type Defined, defined } from './runtime/defined.js';
export { groupBy } from './runtime/group-by.js';
export { hasMethods, isService } from './runtime/has-methods.js';
export { lazily } from './runtime/lazily.js';
export { onDemand } from './runtime/on-demand.js';
export { importOptional } from './runtime/optional-package.js';
export { Pacer } from './runtime/pacer.js';
export { Recording } from './session/recording.js';
export {
  type Change,
  type Inside,
  insideOf,
  type LimitOverrides,
  type Outcome,
  sessionOf,
} from './session/session.js';
export { shapeWith } from './shape-with.js';
export { overridden } from './shaper.js';
export { scorerSettingsOf, shareOf as scorerShareOf } from './stages/extract/scorer-trust.js';
export { beginningOf, isAscii } from './text/characters.js';
export { applyEdits } from './text/edits.js';
export { DIRECTION_CONTROLS } from './text/hidden/classes.js';
export { normalise } from './text/normalise.js';
export { controlTokensIn } from './text/role-tags.js';
export type { Unit } from './text/units/page.js';
export { cellsIn, fieldsIn } from './text/units/tables.js';
export { unitsOf } from './text/units/units.js';
export { exactCounter, loadTokenCounter } from './tokens/tokenizers.js';
export { type Encoding, patternOf } from './tokens/vocabularies.js';
export { FLAG_KINDS } from './types.js';
export { type RankedUnit, unitRankings } from './unit-rankings.js';
export { LIBRARY } from './version.js';
