/**
 * Contexts under version control: lockfiles that are recorded, replayed and compared.
 *
 * @packageDocumentation
 */
export {
  type ChunkChange,
  type ChunkOutcome,
  type ContextDiff,
  type ContextTotals,
  type Difference,
  diffContexts,
} from './diff.js';
export { formatDiff } from './format-diff.js';
export { type ContextMatchers, type MatcherContext, type MatcherResult, toMatchContext } from './matcher.js';
export { openLockfile } from './open.js';
export { parseLockfile } from './parse.js';
export { type RecordOptions, recordContext, sealLockfile } from './record.js';
export { type ContextRecorderOptions, contextRecorder } from './recorder.js';
export { type Replay, type ReplayOptions, replayContext } from './replay.js';
export { formatLockfile } from './text.js';
export type {
  ContextLockfile,
  LockfileTexts,
  OpenOptions,
  RecordedChunk,
  RecordedIdentity,
  RecordedInput,
  RecordedService,
  RecordedServices,
  RecordedTurn,
  RecordedVector,
} from './types.js';
