/** The side of the command: hands lines to a queue and waits for their outcomes. */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Queue, QueueEvents } from 'bullmq';
import { parseOptions, within } from 'context-shaping/internal';
import * as z from 'zod';
import type { LineSettings } from '../threads-executor.js';
import type { BatchLine, Executor, Outcome } from '../types.js';
import { checkAddress, connectQueue } from './connection.js';
import {
  encodeBytes,
  JOB_OPTIONS,
  type QueuedLine,
  type QueuedOutcome,
  type QueueOptions,
  queueOf,
  queueShape,
} from './jobs.js';

const schema = z.strictObject({
  ...queueShape,
  batch: z.string().regex(/^[\w.-]{1,100}$/),
  settings: z.custom<LineSettings>(),
  queueWindow: z.int().min(1).max(100_000).default(1000),
});

export interface QueueExecutorOptions extends QueueOptions {
  /** Names the lines of this batch in Redis. A run that goes on with the batch gives the same name. */
  batch: string;
  /** The same for all lines. */
  settings: LineSettings;
  /** Maximum lines in Redis that have no outcome yet. Default 1000. */
  queueWindow?: number | undefined;
}

/** How often lines without news are looked up, in milliseconds: events can be lost, and so can Redis its memory. */
const LOOK = 5000;

/** Longest wait for the last commands, in milliseconds. */
const GOODBYE = 5000;

interface Pending {
  line: BatchLine;
  /** When it was added or looked up. */
  at: number;
  settle(outcome: Outcome): void;
}

/**
 * Hands lines to the workers of a queue. `run` waits for as long as there is no worker or no Redis.
 *
 * @param tell gets sentences for the user: no worker is connected, Redis is away.
 * @throws ContextShapingError `invalid-options`; `service` if Redis cannot be reached.
 */
export async function queueExecutor(
  given: QueueExecutorOptions,
  tell: (sentence: string) => void,
): Promise<Executor> {
  checkAddress(given.queue);
  const { queueName, batch, settings, queueWindow: window, ...redis } = parseOptions(schema, given);
  const { client, onError, close } = await connectQueue(redis.queue, redis.password, tell);
  const name = queueOf(queueName);
  const queue = new Queue<QueuedLine, QueuedOutcome>(name, {
    connection: client,
    defaultJobOptions: JOB_OPTIONS,
    // Each line has about five events, and one of them has its outcome.
    streams: { events: { maxLen: 5 * window } },
  });
  queue.on('error', onError);
  // Without an id the first events are lost: reading begins later than this call returns.
  const [newest] = await client.xrevrange(queue.keys.events as string, '+', '-', 'COUNT', 1);
  const events = new QueueEvents(name, { connection: client, lastEventId: newest?.[0] ?? '0' });
  events.on('error', onError);

  const pending = new Map<string, Pending>();
  /** Ids in Redis by their lines. */
  const finished = new Map<number, string>();
  const removals = new Set<Promise<unknown>>();
  /** Whether an outcome came since the last look; whether the user knows that no worker is there. */
  let isMoving = true;
  let isAlone = false;

  // A result of an earlier run counts only for the same bytes and settings.
  const seal = JSON.stringify(settings);
  const idOf = ({ line, bytes }: BatchLine) =>
    `${batch}-${line}-${createHash('sha256').update(seal).update(bytes).digest('hex').slice(0, 16)}`;
  const settle = (id: string, outcome: Outcome) => {
    isMoving = true;
    pending.get(id)?.settle(outcome);
  };
  const add = async (id: string, { line }: Pending) => {
    await queue.add('line', { bytes: encodeBytes(line.bytes), settings }, { jobId: id });
  };
  const lookUp = async (id: string, entry: Pending) => {
    entry.at = performance.now();
    const state = await queue.getJobState(id);
    if (state === 'completed' || state === 'failed') {
      const job = await queue.getJob(id);
      if (state === 'completed' && job?.returnvalue) settle(id, job.returnvalue);
      if (state === 'failed' && job) settle(id, failed(job.failedReason));
    } else if (state === 'unknown' && pending.has(id)) {
      // Redis lost the line: it was full, or restarted without its memory.
      await queue.remove(id);
      await add(id, entry);
    }
  };

  // The type of an event says that a value is a string; it is what the worker returned.
  events.on('completed', ({ jobId, returnvalue }) => settle(jobId, returnvalue as unknown as QueuedOutcome));
  events.on('failed', ({ jobId, failedReason }) => settle(jobId, failed(failedReason)));
  // An earlier run of the batch added the line, and it may be finished.
  events.on('duplicated', ({ jobId }) => {
    const entry = pending.get(jobId);
    if (entry) lookUp(jobId, entry).catch(onError);
  });
  events.on('stalled', ({ jobId }) => {
    const entry = pending.get(jobId);
    if (entry) tell(`Line ${entry.line.line} goes to another worker, because its worker ended.`);
  });

  const checkWorkers = async () => {
    const wasMoving = isMoving;
    isMoving = false;
    if (wasMoving) isAlone = false;
    if (wasMoving || isAlone || pending.size === 0 || (await queue.getWorkersCount()) > 0) return;
    isAlone = true;
    tell(
      `No worker is connected to the queue ${name}. Start one with context-shaping-server worker --queue.`,
    );
  };
  const timer = setInterval(() => {
    if (client.status !== 'ready') return;
    const before = performance.now() - LOOK;
    for (const [id, entry] of pending) if (entry.at < before) lookUp(id, entry).catch(onError);
    checkWorkers().catch(onError);
  }, LOOK);

  const endQueue = async () => {
    await Promise.all(removals);
    // No text stays in Redis after a batch. Another command that misses an event of its own looks it up.
    if (pending.size === 0 && finished.size === 0) await queue.trimEvents(0);
    await Promise.all([events.close(), queue.close()]);
  };

  return {
    concurrency: window,
    run: (line, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const id = idOf(line);
        const end = () => {
          pending.delete(id);
          signal.removeEventListener('abort', leave);
        };
        const leave = () => {
          end();
          reject(signal.reason);
        };
        // A listener for each line.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', leave);
        const entry: Pending = {
          line,
          at: performance.now(),
          settle(outcome) {
            end();
            finished.set(line.line, id);
            resolve(outcome);
          },
        };
        pending.set(id, entry);
        add(id, entry).catch(onError);
      }),
    settled(line) {
      for (const [done, id] of finished) {
        if (done > line) continue;
        finished.delete(done);
        const removal = queue
          .remove(id)
          .catch(onError)
          .finally(() => removals.delete(removal));
        removals.add(removal);
      }
    },
    async close() {
      clearInterval(timer);
      // Redis may be away for good. BullMQ removes the rest after a day.
      await within(GOODBYE, undefined, () => endQueue().catch(onError)).catch(() => {});
      close();
    },
  };
}

const failed = (reason: string): Outcome => ({
  is: 'rejected',
  problem: { detail: `No worker could shape the line: ${reason.replace(/\.?$/, '.')}` },
});
