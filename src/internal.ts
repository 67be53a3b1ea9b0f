/**
 * The names that only the adapters of this package use, grouped by purpose. No promise is made about any of it: it may
 * change in every release.
 */

// Errors and aborts: what a catch has to let through, and what an error says.

export {
  connectionProblem,
  invalidInput,
  isWord,
  messageOf,
  rethrowControlFlow,
  silence,
  tellingOf,
  toldError,
  toldOf,
} from './errors.js';
export { orAborted, pause, withDeadline, within } from './runtime/abort.js';

// Options: those of an adapter are parsed, and refused, as those of the core are.

export { nearest } from './input/names.js';
export {
  CHOICES,
  ECS_REACH,
  FEATURES,
  mergeOptions,
  optionsSchema,
  resolveOptions,
} from './input/options.js';
export {
  checkNames,
  inGroup,
  isObject,
  type JsonObject,
  parseJson,
  parseOptions,
} from './input/parse-options.js';

// Input: the chunks and vectors that a host gives.

export { distinctIds } from './input/distinct-ids.js';
export { checkAnswer } from './input/embedder-answer.js';
export { pinTest } from './input/to-candidates.js';
export { packVector } from './math/vectors.js';
export {
  type EvictionReason,
  REPORT_VERSION,
  type Superseded,
} from './types.js';

// Shapers: with the options of a host, ready-made, or with recorded services.

export { Recording } from './session/recording.js';
export { type Inside, insideOf, madeOf, type Outcome, sessionOf } from './session/session.js';
export { createRecordedShaper, readyShaper } from './shaper/create-shaper.js';
export { defaultStage } from './shaper/default-stages.js';
export { shapeWith } from './shaper/shape-with.js';

// Reports: sealed with a digest, told to observers, traced.

export { tellInTime } from './observers.js';
export { checkReportVersion } from './report/check-version.js';
export { digestOf } from './report/digest.js';
export { sealReport } from './report/report.js';
export { keptSidesFirst } from './report/sides.js';
export { LIBRARY } from './version.js';

// Relevance and utility: what a fit measures, and what graders read.

export { settingsOf as ecsSettingsOf } from './ecs/trust.js';
export { log2 } from './math/elementary.js';
export { shannonEntropy } from './math/entropy.js';
export { logistic } from './math/logprobs.js';
export { ANSWERABLE_BOUNDS } from './relevance/answerable-bounds.js';
export { support } from './relevance/support.js';

// Texts: their units, tables, edits, subjects and control characters.

export { bitsOf } from './text/background.js';
export { BACKGROUND_WORDS, FURNITURE } from './text/background-words.js';
export { beginningOf, isAscii, normalForm } from './text/characters.js';
export { concerns } from './text/concerns.js';
export { applyEdits } from './text/edits.js';
export { characterEntropy } from './text/entropy.js';
export { DIRECTION_CONTROLS, escaped } from './text/hidden/classes.js';
export { hiddenIn } from './text/hidden/hidden.js';
export { controlTokensIn } from './text/role-tags.js';
export { searchTermsOf } from './text/search-terms.js';
export { stem } from './text/stem.js';
export type { Unit } from './text/units/page.js';
export { cellsIn, tableLayout } from './text/units/tables.js';
export { unitsOf } from './text/units/units.js';
export { wordsIn, wordsOf } from './text/words.js';

// Tokens: the counters, and the tokens around the passages.

export { frameTokens } from './prompt/shown.js';
export { loadTokenCounter } from './tokens/tokenizers.js';

// Vectors: similarity, clusters and diversity without a shaper.

export { cosines, gram, pack } from './math/gram/gram.js';
export { condensedIndex, linkage, type Merge } from './math/linkage.js';
export { maximalMarginalRelevance } from './math/mmr.js';

// Small helpers that know nothing of chunks.

export { builtIns } from './runtime/built-ins.js';
export { defined } from './runtime/defined.js';
export { groupBy } from './runtime/group-by.js';
export { hasMethods, isService } from './runtime/has-methods.js';
export { lazily, lazyRegExp } from './runtime/lazily.js';
export { importOptional } from './runtime/optional-package.js';
export { Pacer } from './runtime/pacer.js';
