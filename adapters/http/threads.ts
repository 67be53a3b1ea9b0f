/** Worker threads that do jobs, each loaded with the operator's setup before it gets one. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { ContextShapingError } from '../../src/index.js';
import { messageOf } from '../../src/internal.js';
import type { Answer, Job, OnStage } from './jobs.js';
import { HttpProblem, problem } from './problems.js';
import type { Ends, Run } from './queue.js';
import type { WorkerOptions } from './setup.js';

/** A job whose thread dies is done again, twice at most: what ends three threads would end a fourth. */
const ATTEMPTS = 3;

/** In the sources it ends in .ts, as this file does. */
const WORKER = new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url).href;

/** What a thread is sent. On the line it tells of stages, and is told, by any message, that the caller has left. */
export type Task = 'load' | (Job & { line: MessagePort; wantsStages: boolean });

/** What was wrong with the setup, in a form that threads can send. */
export type Loaded = { wrong?: Pick<ContextShapingError, 'kind' | 'field' | 'value' | 'problem' | 'remedy'> };

export interface Threads {
  run: Run;
  /** Is there a thread that could do a job? */
  isAlive(): boolean;
  /** Ends them, with whatever they do. */
  close(): Promise<void>;
}

/**
 * Starts the threads and waits until each has loaded the setup.
 *
 * @param onDeath called for each thread that ended although nobody ended it, or that took too long, with its error.
 * @throws ContextShapingError what is wrong with the setup.
 */
export async function startThreads(
  count: number,
  options: WorkerOptions,
  onDeath: (error: unknown) => void,
): Promise<Threads> {
  const pool = new Piscina({
    filename: WORKER,
    minThreads: count,
    // A thread that runs out of memory is given 16 MB to end in. What Node 24 moves out of its larger young generation
    // in one go can be more, and then the process ends, not the thread.
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
    maxThreads: count,
    workerData: options,
    // With them a thread sleeps between jobs, and with it the connections of an embedder, and the report log.
    atomics: 'disabled',
    recordTiming: false,
  });
  // A thread that died between two jobs; the pool replaces it.
  pool.on('error', onDeath);
  let closed = false;
  const run: Run = async (job, ends, onStage) => {
    // A job that was begun again starts over; the caller has heard of these stages.
    let told = 0;
    for (let attempt = 1; ; attempt++) {
      if (closed) throw new HttpProblem(problem(503, 'The service is closing.'), { 'retry-after': '1' });
      let seen = 0;
      const tellNew: OnStage | undefined =
        onStage &&
        ((event) => {
          seen += 1;
          if (seen <= told) return;
          told = seen;
          onStage(event);
        });
      try {
        const answer = await runOnce(pool, job, ends, tellNew);
        if (!ends.left.aborted) return answer;
      } catch (error) {
        if (closed) continue;
        onDeath(error);
        ends.late.throwIfAborted();
        // A job's own errors come as answers. This is the end of a thread.
        if (attempt === ATTEMPTS) throw error;
      }
      ends.left.throwIfAborted();
    }
  };
  try {
    // All at once, so that each thread gets one.
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
    is: `could not be started: ${messageOf(cause)}`,
    remedy: 'Look at what the setup does while it is loaded.',
    cause,
  });

/** The bytes of the job are copied to the thread, not moved: should it die, another one needs them. */
async function runOnce(
  pool: Piscina<Task, Answer>,
  job: Job,
  { late, left }: Ends,
  onStage: OnStage | undefined,
): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  if (onStage !== undefined) port1.on('message', onStage);
  const leave = () => port1.postMessage('left');
  left.addEventListener('abort', leave);
  if (left.aborted) leave();
  try {
    const task = { ...job, line: port2, wantsStages: onStage !== undefined };
    const answer = await pool.run(task, { signal: late, transferList: [port2] });
    // What was sent before the answer may not have been read before it.
    for (let told = receiveMessageOnPort(port1); told; told = receiveMessageOnPort(port1)) {
      onStage?.(told.message);
    }
    return answer;
  } finally {
    left.removeEventListener('abort', leave);
    port1.close();
  }
}
