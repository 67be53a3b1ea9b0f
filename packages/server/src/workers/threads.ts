/** Worker threads. Each loads the operator's setup before it gets jobs. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ContextShapingError } from 'context-shaping';
import { messageOf } from 'context-shaping/kit';
import { Piscina } from 'piscina';
import type { Answer, Ends, Job, OnBegin, Run } from './jobs.js';
import { HttpProblem, problem } from './problems.js';
import type { WorkerOptions } from './setup.js';

/** A job whose thread dies is retried twice at most, because a job that kills three threads would kill a fourth. */
const ATTEMPTS = 3;

/** Has the same extension as this file: .ts in the sources. */
const WORKER = new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url).href;

/** A task for a thread. A message from `line` means that the thread begins, and one to it that the client left. */
export type Task = 'load' | (Job & { line: MessagePort });

/** The error of a setup, in a form that threads can send. */
export type Loaded = { wrong?: Pick<ContextShapingError, 'kind' | 'field' | 'value' | 'problem' | 'remedy'> };

export interface Threads {
  run: Run;
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
    // With atomics a thread blocks between jobs, and so do the connections of an embedder and the report log.
    atomics: 'disabled',
    recordTiming: false,
  });
  // A thread died between two jobs; the pool replaces it.
  pool.on('error', onDeath);
  let closed = false;
  const run: Run = async (job, ends, onBegin) => {
    for (let attempt = 1; ; attempt++) {
      if (closed)
        throw new HttpProblem(problem(503, 'The service is shutting down.'), { 'retry-after': '1' });
      try {
        const answer = await runOnce(pool, job, ends, onBegin);
        if (!ends.left.aborted) return answer;
      } catch (error) {
        if (closed) continue;
        onDeath(error);
        ends.late.throwIfAborted();
        // Errors of a job are answers. This error means that the thread died.
        if (attempt === ATTEMPTS) throw error;
      }
      ends.left.throwIfAborted();
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
    isAlive: () => pool.threads.length > 0,
    close: () => {
      closed = true;
      return pool.destroy();
    },
  };
}

const cannotStart = (count: number, cause: unknown) =>
  new ContextShapingError('service', {
    field: 'workers',
    value: count,
    is: `could not start: ${messageOf(cause)}`,
    remedy: 'Check what the setup module does while it loads.',
    cause,
  });

/** Copies the bytes of the job to the thread. Another thread needs them if this one dies. */
async function runOnce(
  pool: Piscina<Task, Answer>,
  job: Job,
  { late, left }: Ends,
  onBegin: OnBegin | undefined,
): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  port1.once('message', () => onBegin?.());
  const leave = () => port1.postMessage('left');
  left.addEventListener('abort', leave);
  if (left.aborted) leave();
  try {
    return await pool.run({ ...job, line: port2 }, { signal: late, transferList: [port2] });
  } finally {
    left.removeEventListener('abort', leave);
    port1.close();
  }
}
