export { type Deadline, orAborted, withDeadline } from './abort.js';
export { distinctIds } from './distinct-ids.js';
export type { PromptInput } from './ecs/prompt.js';
export { settingsOf as ecsSettingsOf } from './ecs/trust.js';
export { applyEdits } from './edits.js';
export { checkAnswer } from './embedder-answer.js';
export { type AnnotatedChunk, type AnnotateOptions, annotateChunks } from './entropy-annotation.js';
export {
  type EvictionReport,
  evictionReport,
  type PruneOptions,
  pruneToBudget,
} from './entropy-pruning.js';
export { calculateShannonEntropy, calculateTokenEntropy, scoreChunk } from './entropy-score.js';
export {
  ContextShapingError,
  type ContextShapingErrorKind,
  messageOf,
  rethrowControlFlow,
} from './errors.js';
export { cosines, gram, type Packed, pack } from './math/gram.js';
export {
  condensedIndex,
  linkage,
  type Merge,
  type ReducibleMethod,
} from './math/linkage.js';
export { logistic } from './math/logprobs.js';
export { type MmrInput, maximalMarginalRelevance } from './math/mmr.js';
export { packVector } from './math/vectors.js';
export { patient, tellObservers } from './observers.js';
export {
  ENCODINGS,
  FEATURES,
  type Linkage,
  mergeOptions,
  ORDERS,
  type Order,
  optionsSchema,
  PRESETS,
  type Preset,
  presets,
  type Representative,
  type ResolvedOptions,
  resolveOptions,
  type SanitiseMode,
  type Spotlight,
} from './options.js';
export { parseOptions } from './parse-options.js';
export type { StageEvent } from './pipeline.js';
export type {
  Answers,
  Embedder,
  Failed,
  GeneratedText,
  GenerateRequest,
  Judge,
  Judgement,
  JudgeRequest,
  LogprobModel,
  ModelCall,
  ModelUsage,
  ScoredText,
  ScoredToken,
  ScoreRequest,
  TokenCounter,
  TokenProbability,
} from './ports.js';
export { SUPPORT_THRESHOLDS, support } from './relevance/support.js';
export {
  headerText,
  type Renderable,
  type RenderedContext,
  type RenderOptions,
  renderContext,
} from './render.js';
export { type KeptEntry, type ShapingReport, sealReport, withDegradation } from './report.js';
export { formatReport, reportLines } from './report-format.js';
export { type Sanitised, sanitise } from './sanitise.js';
export {
  createShaper,
  type ShapedChunk,
  type Shaper,
  type ShapingInput,
  type ShapingResult,
} from './shaper.js';
export type { ShapingOptions } from './shaping-options.js';
export { estimateTokens } from './text/token-estimate.js';
export { loadTokenCounter } from './tokenizers.js';
export type {
  Chunk,
  Conflict,
  CragRecord,
  Degradation,
  EcsMethod,
  EcsProfile,
  EcsSettings,
  EcsUse,
  Edit,
  Eviction,
  EvictionReason,
  Excerpt,
  FactKind,
  Flag,
  FlaggedChunk,
  FlagKind,
  GradeEntry,
  Query,
  Ranking,
  ReviewEntry,
  ReviewReason,
  SearchEntry,
  Signals,
  Source,
  SupportEntry,
  TrustTier,
  Verdict,
} from './types.js';
export { FLAG_KINDS } from './types.js';
