/**
 * The core: shapes retrieved chunks to the best evidence that fits a token budget, and reports what happened to each.
 *
 * @packageDocumentation
 */
export { createShaper } from './create-shaper.js';
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
  GeneratedText,
  GenerateRequest,
  Judge,
  Judgement,
  JudgeRequest,
  LogprobModel,
  ModelCall,
  PortIdentity,
  Reranker,
  Reranking,
  ScoredText,
  ScoredToken,
  ScoreRequest,
  SentenceRequest,
  SentenceScorer,
  SentenceScores,
  Telemetry,
  TelemetrySpan,
  TokenCounter,
  TokenProbability,
  TracedOutcome,
  TracedWork,
} from './ports.js';
export {
  headerText,
  type Renderable,
  type RenderedContext,
  type RenderOptions,
  renderContext,
} from './prompt/render.js';
export { type Sanitised, sanitise } from './prompt/sanitise.js';
export type {
  SessionOverrides,
  Shaper,
  ShapingInput,
  ShapingOverrides,
  ShapingResult,
  ShapingSession,
} from './shaping.js';
export type {
  DefaultStage,
  ShapingQuery,
  Stage,
  StageEviction,
  StageInput,
  StageOutput,
} from './stage.js';
export { estimateTokens } from './tokens/token-estimate.js';
export type {
  Answerable,
  Candidate,
  Chunk,
  Conflict,
  ConflictLevel,
  ConflictSide,
  Degradation,
  DegradationExtensions,
  EcsMethod,
  EcsProfile,
  EcsSettings,
  EcsUse,
  Edit,
  Eviction,
  EvictionExtensions,
  EvictionReason,
  Excerpt,
  FactKind,
  Flag,
  FlaggedChunk,
  FlagKind,
  KeptEntry,
  ModelUsage,
  PreferSide,
  Query,
  Ranking,
  ReportExtensions,
  SentenceProfile,
  SentenceUse,
  ShapedChunk,
  ShapingReport,
  Signals,
  Source,
  StageEvent,
  Superseded,
  SupportEntry,
  TrustTier,
} from './types.js';
