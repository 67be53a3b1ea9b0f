/** The side of a worker: takes lines from a queue and shapes them in threads. */
import { availableParallelism, hostname } from 'node:os';
import { Queue, Worker } from 'bullmq';
import { parseOptions } from 'context-shaping/internal';
import * as z from 'zod';
import type { Facts } from '../../workers/jobs.js';
import { startThreads } from '../../workers/threads.js';
import { shapeLine } from '../threads-executor.js';
import type { Outcome } from '../types.js';
import { checkAddress, connectQueue } from './connection.js';
import {
  decodeBytes,
  type QueuedLine,
  type QueuedOutcome,
  type QueueOptions,
  queueOf,
  queueShape,
} from './jobs.js';

/** Work that has begun is finished. */
const never = new AbortController().signal;

const schema = z.strictObject({
  ...queueShape,
  workers: z
    .int()
    .min(1)
    .max(1024)
    .default(() => availableParallelism()),
  setup: z.string().min(1).optional(),
  embedder: z.string().min(1).optional(),
  takeover: z.number().min(1).max(3600).default(10),
});

export interface QueueWorkerOptions extends QueueOptions {
  /** Number of threads; each shapes one line at a time. Default one per core. */
  workers?: number | undefined;
  /** Module whose default export is a setup, or a function that returns one. Every thread loads it. */
  setup?: string | undefined;
  /** Folder of a static embedding model. */
  embedder?: string | undefined;
  /** Seconds without a sign of life after which others may take the lines of this worker, 1 to 3600. Default 10. */
  takeover?: number | undefined;
}

/** Events of a worker. Each is optional. */
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
  /** Rejects when the threads cannot shape any more, and never resolves. Other workers should get the lines then. */
  readonly broken: Promise<never>;
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
  checkAddress(given.queue);
  const { queueName, workers, setup, embedder, takeover, ...redis } = parseOptions(schema, given);
  const threads = await startThreads(workers, { setup, embedder, maxChunks: Number.MAX_SAFE_INTEGER }, () =>
    events.died?.(),
  );
  const connection = await connectQueue(redis.queue, redis.password, tell).catch(async (error) => {
    await threads.close();
    throw error;
  });
  const { client, onError } = connection;
  const name = queueOf(queueName);
  const queue = new Queue(name, { connection: client, skipMetasUpdate: true });
  let fail: (error: unknown) => void = () => {};
  const broken = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  broken.catch(() => {});
  const shape = ({ bytes, settings }: QueuedLine) =>
    shapeLine(threads, decodeBytes(bytes), settings, never).catch((error) => {
      fail(error);
      throw error;
    });
  const worker = new Worker<QueuedLine, QueuedOutcome>(
    name,
    async ({ data }) => {
      const began = performance.now();
      const { outcome, facts } = await shape(data);
      events.line?.(outcome.is, (performance.now() - began) / 1000);
      if (facts) events.shaped?.(facts);
      return toQueue(outcome);
    },
    {
      connection: client,
      name: `${hostname()}-${process.pid}`,
      // With more, a line that only waits for a thread would count as under way in a process that ends.
      concurrency: workers,
      lockDuration: 1000 * takeover,
      stalledInterval: 500 * takeover,
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
    broken,
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

function toQueue(outcome: Outcome): QueuedOutcome {
  if (outcome.is === 'rejected') return outcome;
  const { json } = outcome;
  return { is: 'shaped', json: typeof json === 'string' ? json : Buffer.from(json).toString('utf8') };
}
