/** Worker threads, and the queue before them: the first job to come is the first that a free thread gets. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ContextShapingError } from 'context-shaping';
import { messageOf, serviceError } from 'context-shaping/kit';
import { Piscina } from 'piscina';
import type { Answer, Job, JobLimits, Run } from './jobs.js';
import type { WorkerOptions } from './setup.js';

/** A job whose thread dies is retried twice at most, because a job that kills three threads would kill a fourth. */
const ATTEMPTS = 3;

/** Has the same extension as this file: .ts in the sources. */
const WORKER = new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url).href;

/** A task for a thread. A message from `line` means that the thread begins, and one to it that the client left. */
export type Task = 'load' | (Job & { line: MessagePort });

/** The error of a setup, in a form that threads can send. */
export type Loaded = { wrong?: Pick<ContextShapingError, 'kind' | 'field' | 'value' | 'problem' | 'remedy'> };

/** Why a job has no answer, though its caller still waits. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';

  /**
   * @param why `full`: too many jobs wait; `waited`: no thread was free in time; `late`: the work took too long; `closed`:
   * the threads are closed; `died`: each thread that began the job ended; `unloaded`: each ended before it began.
   */
  constructor(
    readonly why: 'full' | 'waited' | 'late' | 'closed' | 'died' | 'unloaded',
    cause?: unknown,
  ) {
    super(cause === undefined ? why : messageOf(cause), { cause });
  }
}

export interface Threads {
  run: Run;
  /** Number of waiting jobs. */
  waiting(): number;
  /** Whether a thread is available for jobs. */
  isAlive(): boolean;
  /** Terminates all threads and their jobs. */
  close(): Promise<void>;
}

/**
 * Starts the threads and waits until each has loaded the setup.
 *
 * @param onDeath gets the error of each thread that died or exceeded the time limit.
 * @throws ContextShapingError the error of the setup.
 */
export async function startThreads(
  count: number,
  options: WorkerOptions,
  onDeath: (error: unknown) => void,
): Promise<Threads> {
  const pool = new Piscina({
    filename: WORKER,
    minThreads: count,
    // A thread that runs out of memory gets 16 MB for its termination. Node 24 may move more than that out of its larger
    // young generation at once; then the process dies instead of the thread.
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
    maxThreads: count,
    workerData: options,
    // With atomics a thread blocks between jobs, and so do the connections of an embedder.
    atomics: 'disabled',
    recordTiming: false,
  });
  // A thread died between two jobs; the pool replaces it.
  pool.on('error', onDeath);
  let closed = false;
  const run: Run = async (job, left, limits) => {
    if (pool.queueSize >= (limits.maxQueue ?? Number.POSITIVE_INFINITY)) throw new Unanswered('full');
    let begun = false;
    const onBegin = () => {
      if (!begun) limits.onBegin?.();
      begun = true;
    };
    for (let attempt = 1; ; attempt++) {
      left.throwIfAborted();
      if (closed) throw new Unanswered('closed');
      try {
        const answer = await runOnce(pool, job, left, { ...limits, onBegin });
        left.throwIfAborted();
        return answer;
      } catch (error) {
        left.throwIfAborted();
        if (closed) throw new Unanswered('closed');
        if (!(error instanceof Unanswered && error.why === 'waited')) onDeath(error);
        if (error instanceof Unanswered) throw error;
        // Errors of a job are answers. This error means that the thread died.
        if (attempt === ATTEMPTS) throw new Unanswered(begun ? 'died' : 'unloaded', error);
      }
    }
  };
  try {
    // All tasks start at once, so that each thread gets one.
    const loaded: Loaded[] = await Promise.all(Array.from({ length: count }, () => pool.run('load')));
    for (const { wrong } of loaded) {
      if (wrong !== undefined) throw new ContextShapingError(wrong.kind, { ...wrong, is: wrong.problem });
    }
  } catch (error) {
    await pool.destroy();
    throw ContextShapingError.isInstance(error) ? error : cannotStart(count, error);
  }
  return {
    run,
    waiting: () => pool.queueSize,
    isAlive: () => pool.threads.length > 0,
    close: () => {
      closed = true;
      return pool.destroy();
    },
  };
}

const cannotStart = (count: number, cause: unknown) => {
  const remedy = 'Check what the setup module does while it loads.';
  return serviceError('workers', count, `could not start: ${messageOf(cause)}`, remedy, cause);
};

/** Copies the bytes of the job to the thread. Another thread needs them if this one dies. */
async function runOnce(
  pool: Piscina<Task, Answer>,
  job: Job,
  left: AbortSignal,
  { waitMs, workMs, onBegin }: JobLimits,
): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  // Takes a waiting job out of the queue, and terminates the thread of a running one.
  const stop = new AbortController();
  const stopIn = (milliseconds: number, why: 'waited' | 'late') =>
    setTimeout(() => stop.abort(new Unanswered(why)), milliseconds);
  let timer = waitMs === undefined ? undefined : stopIn(waitMs, 'waited');
  let isRunning = false;
  port1.once('message', () => {
    isRunning = true;
    clearTimeout(timer);
    timer = stopIn(workMs, 'late');
    onBegin?.();
  });
  const leave = () => (isRunning ? port1.postMessage('left') : stop.abort(left.reason));
  left.addEventListener('abort', leave);
  try {
    return await pool.run({ ...job, line: port2 }, { signal: stop.signal, transferList: [port2] });
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearTimeout(timer);
    left.removeEventListener('abort', leave);
    port1.close();
  }
}
