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
export { type OpenOptions, openLockfile, type Replay, replayContext } from './open.js';
export { parseLockfile } from './parse.js';
export { recordContext } from './record.js';
export { formatLockfile } from './text.js';
export type { ContextLockfile, RecordedAnswers, RecordedChunk, RecordedVector } from './types.js';
