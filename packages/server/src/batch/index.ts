/** Batches: the lines of a file, shaped by threads or other processes; not an export. */
export { runBatch } from './run-batch.js';
export {
  type LineSettings,
  outcomeOf,
  type ShapedLine,
  shapeLine,
  type ThreadsOptions,
  threadsExecutor,
} from './threads-executor.js';
export type {
  BatchLine,
  BatchOptions,
  BatchProgress,
  Executor,
  Outcome,
  Rejection,
  WindowLimits,
} from './types.js';
