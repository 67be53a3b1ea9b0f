/** Batches over BullMQ: the command adds lines to a queue, and workers on any number of machines shape them. */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Job, type JobsOptions, Queue, QueueEvents, Worker } from 'bullmq';
import { orAborted } from 'context-shaping/internal';
import { LIBRARY, parseOptions, within } from 'context-shaping/kit';
import * as z from 'zod';
import { startThreads } from '../../workers/threads.js';
import { type LineSettings, shapeLine } from '../threads-executor.js';
import type { Executor, Outcome } from '../types.js';
import { connectRedis } from './connection.js';

/** A line in Redis: its bytes, each as one character, because a line need not be UTF-8. */
interface QueuedLine {
  bytes: string;
  settings: LineSettings;
}

/** An outcome in Redis: its JSON is a string. */
type QueuedOutcome = Extract<Outcome, { is: 'rejected' }> | { is: 'shaped'; json: string };

/** In seconds. The command removes each line that has its outcome. A command that never comes back leaves some. */
const KEPT = 24 * 60 * 60;

const JOB: JobsOptions = {
  // A wrong line is an outcome. Only what prevents any outcome is tried again, such as a Redis that is full.
  attempts: 4,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: { age: KEPT },
  removeOnFail: { age: KEPT },
};

const shared = {
  /** `redis://HOST` or `rediss://HOST`, which uses TLS. */
  queue: z.string(),
  password: z.string().min(1).optional(),
  queueName: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must have 1 to 100 letters, digits, and . _ -')
    .default('context-shaping'),
};
const executorSchema = z.strictObject(shared);
const workerSchema = z.strictObject({
  ...shared,
  workers: z
    .int()
    .min(1)
    .max(1024)
    .default(() => availableParallelism()),
  setup: z.string().min(1).optional(),
  embedder: z.string().min(1).optional(),
});

/** Another release may shape differently, so its workers have another queue, and never see these lines. */
const queueOf = (name: string): string => `${name}-${LIBRARY.version}`;

/** Milliseconds after which a line without news is looked up: events can be lost, and so can the memory of Redis. */
const LOOK = 5000;

/** Most lines in the queue without a result. */
const WINDOW = 1000;

/** Longest wait for the last commands, in milliseconds. */
const GOODBYE = 5000;

/**
 * Hands lines to the workers of a queue. `run` waits for as long as there is no worker or no Redis.
 *
 * @param tell gets sentences for the user.
 * @throws ContextShapingError `invalid-options`; `service` if Redis cannot be reached.
 */
export async function queueExecutor(
  given: z.input<typeof executorSchema>,
  settings: LineSettings,
  tell: (sentence: string) => void,
): Promise<Executor> {
  const { queueName, ...redis } = parseOptions(executorSchema, given);
  const { client, onError, close } = await connectRedis(redis.queue, redis.password, tell);
  const name = queueOf(queueName);
  const queue = new Queue<QueuedLine, QueuedOutcome>(name, {
    connection: client,
    defaultJobOptions: JOB,
    // Each line has about five events, and one of them has its outcome.
    streams: { events: { maxLen: 5 * WINDOW } },
  });
  const events = new QueueEvents(name, { connection: client });
  queue.on('error', onError);
  events.on('error', onError);
  // Each line that waits has a listener.
  for (const each of [queue, events]) each.setMaxListeners(0);
  if ((await queue.getWorkersCount()) === 0) {
    tell(
      `No worker is connected to the queue ${name}. Start one with context-shaping-server worker --queue.`,
    );
  }
  return {
    concurrency: WINDOW,
    async run({ bytes }, signal) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      for (;;) {
        // The numbers of BullMQ begin anew if Redis loses its memory.
        const adding = queue.add('line', { bytes: text, settings }, { jobId: randomUUID() });
        const job = await orAborted(adding, signal);
        const outcome = await orAborted(outcomeOf(job, events, signal), signal);
        if (outcome === undefined) continue;
        await orAborted(job.remove().catch(onError), signal);
        return outcome;
      }
    },
    async close() {
      // Redis may be away for good. No text stays in it after a batch; another command that misses an event looks it up.
      const end = async () => {
        await queue.trimEvents(0);
        await Promise.all([events.close(), queue.close()]);
      };
      await within(GOODBYE, undefined, end).catch(() => {});
      close();
    },
  };
}

/** Undefined if Redis lost the line: it was full, or restarted without its memory. */
async function outcomeOf(
  job: Job<QueuedLine, QueuedOutcome>,
  events: QueueEvents,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  for (;;) {
    try {
      return await job.waitUntilFinished(events, LOOK);
    } catch (error) {
      signal.throwIfAborted();
      const state = await job.getState();
      if (state === 'unknown') return undefined;
      if (state === 'failed') {
        const detail = `No worker could shape the line: ${(error as Error).message.replace(/\.?$/, '.')}`;
        return { is: 'rejected', problem: { detail } };
      }
    }
  }
}

export interface QueueWorker {
  /** Name of the queue in Redis. */
  readonly queue: string;
  /** Rejects when the threads cannot shape any more, and never resolves. Other workers should get the lines then. */
  readonly broken: Promise<never>;
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
  given: z.input<typeof workerSchema>,
  tell: (sentence: string) => void,
): Promise<QueueWorker> {
  const { queueName, workers, setup, embedder, ...redis } = parseOptions(workerSchema, given);
  const { client, onError, close } = await connectRedis(redis.queue, redis.password, tell);
  const limits = { setup, embedder, maxChunks: Number.MAX_SAFE_INTEGER };
  const threads = await startThreads(workers, limits, () => {}).catch((error) => {
    close();
    throw error;
  });
  const name = queueOf(queueName);
  let fail: (error: unknown) => void = () => {};
  const broken = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  broken.catch(() => {});
  // Work that has begun is finished.
  const never = new AbortController().signal;
  const worker = new Worker<QueuedLine, QueuedOutcome>(
    name,
    async ({ data: { bytes, settings } }) => {
      try {
        const outcome = await shapeLine(threads, Buffer.from(bytes, 'latin1'), settings, never);
        if (outcome.is === 'rejected') return outcome;
        return { is: 'shaped', json: Buffer.from(outcome.json).toString() };
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    {
      connection: client,
      // With more, a line that only waits for a thread would count as under way in a process that ends.
      concurrency: workers,
      // Others take the lines of a process that gave no sign of life for so many milliseconds, or up to half as long again.
      lockDuration: 10_000,
      stalledInterval: 5000,
      // A line whose process ends is given to others three times: machines may be taken away at any time.
      maxStalledCount: 3,
    },
  );
  worker.on('error', onError);
  return {
    queue: name,
    broken,
    async close() {
      await worker.close();
      await threads.close();
      close();
    },
  };
}
