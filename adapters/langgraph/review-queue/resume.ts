/** Continues threads whose reviews have an answer. Each thread has one worker at a time. */
import { Command, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';
import { rethrowControlFlow } from '../../../src/internal.js';
import { isHeld, isLast, type LeaseEntry, type LeaseLog, renew, take } from './lease.js';
import { isDue, latestOf, type PendingReview, pendingReviews, wasAnswered } from './pending.js';
import {
  type Asked,
  type Given,
  type GivenLog,
  givenLog,
  givenLogs,
  type QueueSettings,
  reviewLog,
  reviewLogs,
  threadLog,
} from './queue-logs.js';
import { unindexReview } from './review-index.js';
import { unfinishedOf } from './unfinished.js';

/** The used part of a compiled graph. The types of its input (a command, or null) and config differ between graphs. */
export interface ResumableGraph {
  invoke(input: never, config: never): Promise<unknown>;
}

export interface ResumeOptions {
  /** The config of every call of the graph, for instance its context. */
  config?: LangGraphRunnableConfig | undefined;
  signal?: AbortSignal | undefined;
  /** The most threads to continue. Failed threads do not count, since a few could block all others. Default: all. */
  limit?: number | undefined;
  /** Only this thread. */
  threadId?: string | undefined;
}

export interface Resumption {
  threadId: string;
  /** Ids of the reviews whose answers the thread got. */
  reviews: string[];
}

export interface Resumed {
  /** `output` is the result of the graph, with `__interrupt__` if it asks again. */
  resumed: (Resumption & { output: unknown })[];
  /** The next `resume` continues them again, with their answers unless the thread has saved these. */
  failed: (Resumption & { error: unknown })[];
}

type Run = (input: Command | null) => Promise<unknown>;

interface Recorded {
  log: LeaseLog<Asked>;
  entries: LeaseEntry[];
}

interface Answered extends Recorded {
  review: PendingReview;
}

export async function resumeAnswered(
  graph: ResumableGraph,
  { config, signal, limit = Number.POSITIVE_INFINITY, threadId: only }: ResumeOptions,
  settings: QueueSettings,
): Promise<Resumed> {
  const done: Resumed = { resumed: [], failed: [] };
  for (const { threadId, recorded, isContinued } of await threadsToContinue(settings, only)) {
    if (done.resumed.length >= limit) break;
    signal?.throwIfAborted();
    if (!isContinued && !recorded.some(isAnswered)) {
      await stillAsked(threadId, recorded, settings);
      continue;
    }
    await aloneWith(threadId, settings, async (lost) => {
      const stop = signal === undefined ? lost : AbortSignal.any([signal, lost]);
      const configurable = { ...config?.configurable, thread_id: threadId };
      const run: Run = (input) =>
        graph.invoke(input as never, { ...config, configurable, durability: 'sync', signal: stop } as never);
      const answered = (await stillAsked(threadId, recorded, settings)).filter(isAnswered);
      const given = givenLog(settings, threadId);
      const unfinished = await unfinishedOf(threadId, (await given.read()) ?? [], settings);
      const ids = [...unfinished, ...answered.map(({ review }) => review)].map(({ id }) => id);
      const reviews = [...new Set(ids)];
      if (reviews.length > 0) {
        try {
          if (answered.length > 0) await record(given, answered, settings);
          done.resumed.push({ threadId, reviews, output: await give(threadId, answered, run, settings) });
        } catch (error) {
          rethrowControlFlow(error, signal);
          done.failed.push({ threadId, reviews, error });
          return;
        }
      }
      await given.remove();
      await tidy(threadId, settings);
    });
  }
  return done;
}

async function give(
  threadId: string,
  answered: Answered[],
  run: Run,
  settings: QueueSettings,
): Promise<unknown> {
  const ids = answered.map(({ review }) => review.id);
  const before = await latestOf(settings.checkpointer, threadId);
  let left = answered;
  let output: unknown;
  // If a run failed after the node read the answer, LangGraph has kept the answer. The same answer, given again, would
  // become the answer to the next question of that node.
  if (left.length === 0 || wasAnswered(before, ids)) {
    output = await run(null);
    left = await stillAsked(threadId, left, settings);
  }
  if (left.length > 0) {
    const resume = Object.fromEntries(left.map(({ review, entries }) => [review.id, entries.at(-1)?.answer]));
    output = await run(new Command({ resume }));
    left = await stillAsked(threadId, left, settings);
  }
  if (left.length > 0) throw notTaken(threadId, 'still waits for the same answer');
  const after = await latestOf(settings.checkpointer, threadId);
  if (after?.checkpoint.id === before?.checkpoint.id && isDue(after)) {
    throw notTaken(threadId, 'did not move on');
  }
  return output;
}

/** Runs before the thread continues. If the run stops halfway, the record shows that it has to be continued. */
async function record(log: GivenLog, answered: Answered[], settings: QueueSettings): Promise<void> {
  const checkpoint = (await latestOf(settings.checkpointer, log.about.threadId))?.checkpoint.id ?? '';
  let there: Given[] | undefined = await log.open();
  for (const { review, entries } of answered) {
    const { by, at } = entries.at(-1) as LeaseEntry;
    // After a failure before the answer was read, the entry exists. Another worker may also have written at this place.
    while (there?.every(({ asking }) => asking !== review.asking)) {
      there = await log.append(there.length, { ...review, by, answeredAt: at, checkpoint });
    }
  }
}

/** The reviews that the thread still waits for. The logs of the others are removed. */
async function stillAsked<T extends Recorded>(
  threadId: string,
  recorded: readonly T[],
  settings: QueueSettings,
): Promise<(T & Answered)[]> {
  const pending = pendingReviews(await latestOf(settings.checkpointer, threadId));
  const asked: (T & Answered)[] = [];
  for (const each of recorded) {
    const review = pending.find(({ asking }) => asking === each.log.about.asking);
    if (review === undefined) await each.log.remove();
    else asked.push({ ...each, review });
  }
  return asked;
}

/** Only for a thread that no other worker continues: a node that is about to ask has written its entry already. */
async function tidy(threadId: string, { checkpointer, store }: QueueSettings): Promise<void> {
  if (store === undefined || pendingReviews(await latestOf(checkpointer, threadId)).length > 0) return;
  // A remaining entry does no harm, and is removed after a day.
  await unindexReview(store, threadId).catch(() => {});
}

const isAnswered = ({ entries }: Recorded): boolean => entries.at(-1)?.answer !== undefined;

interface ToContinue {
  threadId: string;
  recorded: Recorded[];
  /** Whether a worker began to continue the thread, and did not finish. */
  isContinued: boolean;
}

/** Answered reviews, and reviews without a holder that may be left over; by thread, earliest answer first. */
async function threadsToContinue(settings: QueueSettings, only: string | undefined): Promise<ToContinue[]> {
  const threads = new Map<string, ToContinue & { since: number }>();
  const threadOf = (threadId: string) => {
    const thread = threads.get(threadId) ?? {
      threadId,
      recorded: [],
      isContinued: false,
      since: Number.POSITIVE_INFINITY,
    };
    threads.set(threadId, thread);
    return thread;
  };
  for await (const recorded of only === undefined ? reviewLogs(settings) : logsOf(only, settings)) {
    if (isHeld(recorded.entries.at(-1), settings.now())) continue;
    const thread = threadOf(recorded.log.about.threadId);
    thread.recorded.push(recorded);
    if (isAnswered(recorded)) thread.since = Math.min(thread.since, recorded.entries.at(-1)?.at ?? 0);
  }
  for await (const { log, entries } of only === undefined
    ? givenLogs(settings)
    : givenLogOf(only, settings)) {
    const thread = threadOf(log.about.threadId);
    thread.isContinued = true;
    thread.since = Math.min(thread.since, ...entries.map(({ answeredAt }) => answeredAt));
  }
  return [...threads.values()].sort((a, b) =>
    a.since === b.since ? (a.threadId < b.threadId ? -1 : 1) : a.since - b.since,
  );
}

/** The logs of the reviews that a thread waits for. Finding left-over logs would need reading all others. */
async function* logsOf(threadId: string, settings: QueueSettings): AsyncGenerator<Recorded> {
  for (const pending of pendingReviews(await latestOf(settings.checkpointer, threadId))) {
    const log = reviewLog(settings, pending);
    const entries = await log.read();
    if (entries !== undefined) yield { log, entries };
  }
}

async function* givenLogOf(threadId: string, settings: QueueSettings) {
  const log = givenLog(settings, threadId);
  const entries = await log.read();
  if (entries !== undefined) yield { log, entries };
}

/**
 * Does the work if no other worker has the thread, and keeps the lease during the work.
 *
 * @param work its signal is aborted if the lease is lost, for instance because the process was suspended.
 */
async function aloneWith(
  threadId: string,
  settings: QueueSettings,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const log = threadLog(settings, threadId);
  const holder = { by: 'worker', token: crypto.randomUUID(), leaseMs: settings.leaseMs };
  await log.open();
  if ((await take(log, holder, settings.now)).is !== 'held') return;
  const lost = new AbortController();
  let renewing: Promise<void> = Promise.resolve();
  const heartbeat = setInterval(() => {
    renewing = renew(log, holder, settings.now).then(
      (lease) => {
        if (lease === undefined) lost.abort(new Error('Another worker has taken the thread.'));
      },
      // The lease is not lost yet: the next renewal may succeed.
      () => {},
    );
  }, settings.leaseMs / 3);
  try {
    await work(lost.signal);
  } finally {
    clearInterval(heartbeat);
    await renewing;
    const entries = await log.read();
    if (isLast(entries, holder.token) && isHeld(entries?.at(-1), settings.now())) await log.remove();
  }
}

function notTaken(threadId: string, how: string): ContextShapingError {
  return new ContextShapingError('invalid-input', {
    field: 'graph',
    value: threadId,
    is: `returned, but its thread ${how}`,
    remedy: 'Give the graph that asked for the review, compiled with the checkpointer of this queue.',
  });
}
