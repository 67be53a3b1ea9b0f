/** Batches: the lines of a file, shaped by threads or other processes; not an export. */
export type { WindowLimits } from './in-order.js';
export { type BatchOptions, type BatchProgress, runBatch } from './run-batch.js';
export {
  type LineSettings,
  outcomeOf,
  type ShapedLine,
  shapeLine,
  type ThreadsOptions,
  threadsExecutor,
} from './threads-executor.js';
export type { BatchLine, Executor, Outcome, Rejection } from './types.js';
