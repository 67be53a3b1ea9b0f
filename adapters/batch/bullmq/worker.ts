/** The side of a worker: takes lines from a queue and shapes them in threads. */
import { availableParallelism, hostname } from 'node:os';
import { Queue, Worker } from 'bullmq';
import * as z from 'zod';
import { parseOptions } from '../../../src/internal.js';
import { type Facts, startThreads } from '../../workers/index.js';
import type { Outcome } from '../types.js';
import { connectQueue } from './connection.js';
import { decodeBytes, type QueuedLine, type QueuedOutcome, queueOf, queueShape } from './jobs.js';
import { shapeLine } from './shape-line.js';

const MOST_CHUNKS = 2000;

const schema = z.strictObject({
  ...queueShape,
  workers: z
    .int()
    .min(1)
    .max(1024)
    .default(() => availableParallelism()),
  setup: z.string().min(1).optional(),
  embedder: z.string().min(1).optional(),
  takeoverMs: z.int().min(1000).max(600_000).default(10_000),
});

export interface QueueWorkerOptions {
  /** `redis://HOST` or `rediss://HOST`. */
  url: string;
  /** Password of Redis, in place of one in the address. */
  password?: string | undefined;
  /** Default `context-shaping`. */
  queueName?: string | undefined;
  /** Number of threads; each shapes one line at a time. Default one per core. */
  workers?: number | undefined;
  /** Module whose default export is a setup, or a function that returns one. Every thread loads it. */
  setup?: string | undefined;
  /** Folder of a static embedding model. */
  embedder?: string | undefined;
  /** Milliseconds without a sign of life after which others may take the lines of this worker. Default 10,000. */
  takeoverMs?: number | undefined;
}

/** What a worker tells. Each is optional. */
export interface WorkerEvents {
  line?(outcome: Outcome['is'], seconds: number): void;
  /** After each line that was shaped. */
  shaped?(facts: Facts): void;
  /** A line of a worker that ended without notice went back to the queue. */
  takenOver?(): void;
  /** A thread died. */
  died?(): void;
}

export interface QueueWorker {
  /** Name of the queue in Redis. */
  readonly queue: string;
  /** Whether Redis is connected, threads are alive, and lines are taken. */
  isReady(): boolean;
  /** Numbers of jobs by state, in the format of Prometheus. Rejects while Redis is away. */
  queueMetrics(): Promise<string>;
  /** Takes no more lines, finishes those that have begun, and stops the threads. */
  close(): Promise<void>;
}

/**
 * Takes lines from a queue until it is closed. While Redis is away it waits.
 *
 * @param tell gets sentences for the operator.
 * @throws ContextShapingError `invalid-options`, also for a setup that cannot be loaded; `service` if Redis cannot be
 * reached at the start.
 */
export async function createQueueWorker(
  given: QueueWorkerOptions,
  tell: (sentence: string) => void,
  events: WorkerEvents = {},
): Promise<QueueWorker> {
  const { url, password, queueName, workers, setup, embedder, takeoverMs } = parseOptions(schema, given);
  const threads = await startThreads(workers, { setup, embedder, maxChunks: MOST_CHUNKS }, () =>
    events.died?.(),
  );
  const connection = await connectQueue(url, password, tell).catch(async (error) => {
    await threads.close();
    throw error;
  });
  const { client, onError } = connection;
  const name = queueOf(queueName);
  const queue = new Queue(name, { connection: client, skipMetasUpdate: true });
  const worker = new Worker<QueuedLine, QueuedOutcome>(
    name,
    async ({ data }) => {
      const began = performance.now();
      const { outcome, facts } = await shapeLine(threads, decodeBytes(data.bytes));
      events.line?.(outcome.is, (performance.now() - began) / 1000);
      if (facts) events.shaped?.(facts);
      return outcome;
    },
    {
      connection: client,
      name: `${hostname()}-${process.pid}`,
      // A thread whose line is done must not wait for Redis to get the next one.
      concurrency: 2 * workers,
      lockDuration: takeoverMs,
      stalledInterval: takeoverMs / 2,
      // A line whose process ends is given to others three times: machines may be taken away at any time.
      maxStalledCount: 3,
    },
  );
  queue.on('error', onError);
  worker.on('error', onError);
  worker.on('stalled', () => events.takenOver?.());
  let closing = false;
  return {
    queue: name,
    isReady: () => !closing && client.status === 'ready' && threads.isAlive(),
    async queueMetrics() {
      if (client.status !== 'ready') throw new Error('Redis is away');
      return queue.exportPrometheusMetrics();
    },
    async close() {
      closing = true;
      await worker.close();
      await threads.close();
      await queue.close();
      connection.close();
    },
  };
}
