/**
 * The core: shapes retrieved chunks to the best evidence that fits a token budget, and reports what happened to each.
 *
 * @packageDocumentation
 */

export { ContextShapingError, type ContextShapingErrorKind } from './errors.js';
export type { Ranked } from './input/list-order.js';
export type { ResolvedOptions } from './input/options.js';
export type { ShapingOptions } from './input/shaping-options.js';
export { withRelevance } from './pool/candidate.js';
export { byRelevance } from './pool/ranking.js';
export type {
  Answers,
  Embedder,
  Failed,
  Judge,
  Judgement,
  JudgeRequest,
  LogprobModel,
  ModelCall,
  Reranker,
  Reranking,
  ScoredText,
  ScoreRequest,
  Telemetry,
  TokenCounter,
  TokenProbability,
  TracedOutcome,
} from './ports.js';
export {
  headerText,
  renderContext,
} from './prompt/render.js';
export { type Sanitised, sanitise } from './prompt/sanitise.js';
export { createShaper } from './shaper/create-shaper.js';
export type {
  SessionOverrides,
  Shaper,
  ShapingInput,
  ShapingOverrides,
  ShapingResult,
  ShapingSession,
} from './shaping.js';
export type {
  Stage,
  StageEviction,
  StageInput,
  StageOutput,
} from './stage.js';
export { estimateTokens } from './tokens/token-estimate.js';
export type {
  Candidate,
  Chunk,
  Conflict,
  ConflictSide,
  Degradation,
  DegradationExtensions,
  EcsMethod,
  EcsProfile,
  EcsSettings,
  Edit,
  Eviction,
  EvictionExtensions,
  Excerpt,
  Flag,
  FlagKind,
  KeptEntry,
  ModelUsage,
  Query,
  Ranking,
  ReportExtensions,
  ShapedChunk,
  ShapingReport,
  Signals,
  Source,
  StageEvent,
} from './types.js';
