/** Shapes the lines of a batch in worker threads of this process. */
import { availableParallelism } from 'node:os';
import { invalidOption, messageOf, serviceError } from 'context-shaping/kit';
import type { Answer, OfBatch } from '../workers/jobs.js';
import type { WorkerOptions } from '../workers/setup.js';
import { startThreads, type Threads, Unanswered } from '../workers/threads.js';
import type { BatchLine, Executor, Outcome, Rejection } from './types.js';

/** The settings that the lines of a batch share. */
export interface LineSettings extends OfBatch {
  /** Milliseconds after which a line is rejected. */
  timeoutMs: number;
}

/** The threads that shape lines. */
export interface LineThreads extends Omit<WorkerOptions, 'maxChunks'> {
  /** Number of threads. Default: one per core. */
  workers?: number | undefined;
}

/** @throws ContextShapingError `invalid-options`; the error of the setup. */
export async function startLineThreads({
  workers = availableParallelism(),
  setup,
}: LineThreads): Promise<Threads & { count: number }> {
  if (workers < 1)
    throw invalidOption('workers', workers, 'must be above 0', 'Give a greater number, or leave it out.');
  const limits = { setup, maxChunks: Number.MAX_SAFE_INTEGER };
  return { ...(await startThreads(workers, limits, () => {})), count: workers };
}

/** @throws ContextShapingError the error of the setup. */
export async function threadsExecutor(how: LineThreads, settings: LineSettings): Promise<Executor> {
  const threads = await startLineThreads(how);
  const run = ({ bytes }: BatchLine, signal: AbortSignal) => shapeLine(threads, bytes, settings, signal);
  return { run, close: threads.close };
}

/**
 * Shapes a line in a thread. A wrong line is rejected, and so is one that takes too long or ends its thread.
 *
 * @throws ContextShapingError `service` if the threads end before they begin; the reason of the signal.
 */
export async function shapeLine(
  threads: Threads,
  body: Uint8Array,
  { options, report, timeoutMs }: LineSettings,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const job = { kind: 'shape' as const, body, isJson: true, batch: { options, report } };
    return outcomeOf(await threads.run(job, signal, { workMs: timeoutMs }));
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    if (error.why === 'late') return rejected(tooLate(timeoutMs));
    if (error.why === 'died') return rejected(deadly(error));
    throw cannotShape(error);
  }
}

/** The outcome of a line, from the answer to its job of the kind `shape`. */
function outcomeOf({ body = '', problem }: Answer): Outcome {
  if (problem === undefined) return { is: 'shaped', json: body };
  const { detail, field, remedy } = problem;
  return rejected({ detail, field, remedy });
}

const rejected = (problem: Rejection): Outcome => ({ is: 'rejected', problem });

const tooLate = (timeoutMs: number): Rejection => ({
  detail: `The line took more than ${timeoutMs / 1000} seconds.`,
  remedy: 'Give fewer chunks, or raise the limit.',
});

const deadly = (error: unknown): Rejection => ({
  detail: `The line ended its thread three times: ${messageOf(error)}.`,
  remedy: 'Give fewer or shorter chunks, so that a thread has enough memory.',
});

/** Not even begun: the threads end before they have loaded their setup. */
function cannotShape(cause: unknown) {
  const remedy = 'Check what the setup module does while it loads, then run the same command again to go on.';
  return serviceError('workers', messageOf(cause), 'end before they shape', remedy, cause);
}
