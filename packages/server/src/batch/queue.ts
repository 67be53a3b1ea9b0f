/** Batches over BullMQ: the command adds lines to a queue, and workers on any number of machines shape them. */
import { randomUUID } from 'node:crypto';
import { type Job, type JobsOptions, Queue, QueueEvents, Worker } from 'bullmq';
import { orAborted } from 'context-shaping/internal';
import { invalidOption, LIBRARY, messageOf, serviceError, within } from 'context-shaping/kit';
import { Redis } from 'ioredis';
import { WINDOW } from './in-order.js';
import { type LineSettings, type LineThreads, shapeLine, startLineThreads } from './threads-executor.js';
import type { Executor, Outcome } from './types.js';

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

/** How to reach the queue. */
interface QueueOptions {
  /** `redis://HOST` or `rediss://HOST`, which uses TLS. */
  queue: string;
  password?: string | undefined;
  queueName?: string | undefined;
  /** Gets sentences for the user. */
  tell: (sentence: string) => void;
}

/** Another release may shape differently, so its workers have another queue, and never see these lines. */
const queueOf = ({ queueName = 'context-shaping' }: QueueOptions): string =>
  `${queueName}-${LIBRARY.version}`;

/** Milliseconds after which a line without news is looked up: events can be lost, and so can the memory of Redis. */
const LOOK = 5000;
/** Longest wait for the last commands, in milliseconds. */
const GOODBYE = 5000;
/** Milliseconds without an answer after which a connection counts as lost. BullMQ lets Redis wait 10 seconds at most. */
const SILENCE = 30_000;

/**
 * Connects at once, or fails. Later losses are waited for: commands stay in memory until Redis is back.
 *
 * @throws ContextShapingError `invalid-options`, without the address, which may have a password; `service` if Redis
 *   cannot be reached now.
 */
async function connect({
  queue,
  password,
  tell,
}: QueueOptions): Promise<{ client: Redis; onError: (error: unknown) => void }> {
  const { protocol, host } = URL.canParse(queue) ? new URL(queue) : {};
  if ((protocol !== 'redis:' && protocol !== 'rediss:') || !host) {
    const remedy = 'Write redis://HOST:PORT, or rediss://HOST:PORT with TLS.';
    throw invalidOption('queue', '…', 'is not an address of Redis', remedy);
  }
  const client = new Redis(queue, {
    ...(password === undefined ? {} : { password }),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE,
  });
  let last: unknown;
  client.on('error', (error) => {
    last = error;
  });
  await client.connect().catch((error) => {
    client.disconnect();
    const is = `cannot be reached: ${messageOf(last ?? error)}`;
    const remedy = 'Check the address and the password, and that Redis is running.';
    throw serviceError('queue', '…', is, remedy, error);
  });
  const name = `${protocol}//${host}`;
  client.once('close', function lost() {
    // A connection that this program closed is at its end.
    if (client.status !== 'end') tell(`${name} cannot be reached. Waiting for it.`);
    client.once('ready', () => {
      tell(`${name} is back.`);
      client.once('close', lost);
    });
  });
  // Errors of a lost connection are left out: the loss is one sentence.
  const onError = (error: unknown) => {
    if (client.status === 'ready') tell(`The queue reports: ${messageOf(error)}`);
  };
  return { client, onError };
}

/**
 * Hands lines to the workers of a queue. `run` waits for as long as there is no worker or no Redis.
 *
 * @throws ContextShapingError `invalid-options`; `service` if Redis cannot be reached.
 */
export async function queueExecutor(options: QueueOptions, settings: LineSettings): Promise<Executor> {
  const { client, onError } = await connect(options);
  const name = queueOf(options);
  const queue = new Queue<QueuedLine, QueuedOutcome>(name, {
    connection: client,
    defaultJobOptions: JOB,
    // Each line has about five events, and one of them has its outcome.
    streams: { events: { maxLen: 5 * WINDOW.lines } },
  });
  const events = new QueueEvents(name, { connection: client });
  // Each line that waits has a listener.
  queue.on('error', onError).setMaxListeners(0);
  events.on('error', onError).setMaxListeners(0);
  if ((await queue.getWorkersCount()) === 0) {
    options.tell(
      `No worker is connected to the queue ${name}. Start one with context-shaping-server worker --queue.`,
    );
  }
  return {
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
      client.disconnect();
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
      if (state !== 'failed') continue;
      const detail = `No worker could shape the line: ${(error as Error).message.replace(/\.?$/, '.')}`;
      return { is: 'rejected', problem: { detail } };
    }
  }
}

/**
 * Takes lines from a queue until the signal aborts; then finishes those that have begun. While Redis is away it waits.
 *
 * @throws ContextShapingError `invalid-options`, also for a setup that cannot be loaded; `service` if Redis cannot be
 *   reached at the start; an error that prevents the threads from shaping: other workers should get the lines then.
 */
export async function workOnQueue(options: QueueOptions & LineThreads, signal: AbortSignal): Promise<void> {
  const { client, onError } = await connect(options);
  const threads = await orAborted(startLineThreads(options), signal).catch((error) => {
    client.disconnect();
    throw error;
  });
  const name = queueOf(options);
  // Work that has begun is finished.
  const never = new AbortController().signal;
  let worker: Worker<QueuedLine, QueuedOutcome> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const shape = async ({ data: { bytes, settings } }: Job<QueuedLine>): Promise<QueuedOutcome> => {
        try {
          const outcome = await shapeLine(threads, Buffer.from(bytes, 'latin1'), settings, never);
          if (outcome.is === 'rejected') return outcome;
          return { is: 'shaped', json: Buffer.from(outcome.json).toString() };
        } catch (error) {
          reject(error);
          throw error;
        }
      };
      worker = new Worker(name, shape, {
        connection: client,
        // With more, a line that only waits for a thread would count as under way in a process that ends.
        concurrency: threads.count,
        // Others take the lines of a process that gave no sign of life for so many milliseconds, or up to half as long again.
        lockDuration: 10_000,
        stalledInterval: 5000,
        // A line whose process ends is given to others three times: machines may be taken away at any time.
        maxStalledCount: 3,
      });
      worker.on('error', onError);
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
      options.tell(`Waiting for lines of the queue ${name}. Press Ctrl-C to stop.`);
    });
  } finally {
    await worker?.close();
    await threads.close();
    client.disconnect();
  }
}
