/** Continues threads whose reviews have an answer. Each thread has one worker at a time. */
import { Command } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';
import { rethrowControlFlow } from '../../../src/internal.js';
import { isDue, latestOf, type PendingReview, pendingReviews, wasAnswered } from './pending.js';
import {
  allGiven,
  allReviews,
  givenOf,
  ifHolder,
  isHeld,
  type QueueSettings,
  type ReviewState,
  reviewOf,
  type SharedGiven,
  type SharedReview,
  unfinishedOf,
  workerOf,
} from './queue-state.js';
import { unindexReview } from './review-index.js';
import type { Shared } from './shared-value.js';
import type { ResumableGraph, Resumed, ResumeOptions } from './types.js';

type Invoke = (input: Command | null) => Promise<unknown>;

interface Recorded {
  shared: SharedReview;
  value: ReviewState | undefined;
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
  for (const { threadId, recorded, hasRun } of await threadsToContinue(settings, only)) {
    if (done.resumed.length >= limit) break;
    signal?.throwIfAborted();
    if (!hasRun && !recorded.some(isAnswered)) {
      await stillAsked(threadId, recorded, settings);
      continue;
    }
    await aloneWith(threadId, settings, async (lost) => {
      const stop = signal === undefined ? lost : AbortSignal.any([signal, lost]);
      const configurable = { ...config?.configurable, thread_id: threadId };
      const invoke: Invoke = (input) =>
        graph.invoke(input as never, { ...config, configurable, durability: 'sync', signal: stop } as never);
      const answered = (await stillAsked(threadId, recorded, settings)).filter(isAnswered);
      const given = givenOf(settings, threadId);
      const unfinished = await unfinishedOf(threadId, await given.read(), settings);
      const ids = [...unfinished, ...answered.map(({ review }) => review)].map(({ id }) => id);
      const reviews = [...new Set(ids)];
      if (reviews.length > 0) {
        try {
          if (answered.length > 0) await record(given, answered, settings);
          done.resumed.push({ threadId, reviews, output: await give(threadId, answered, invoke, settings) });
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
  invoke: Invoke,
  settings: QueueSettings,
): Promise<unknown> {
  const ids = answered.map(({ review }) => review.id);
  const before = await latestOf(settings.checkpointer, threadId);
  let left = answered;
  let output: unknown;
  // If a run failed after the node read the answer, LangGraph has kept the answer. The same answer, given again, would
  // become the answer to the next question of that node.
  if (left.length === 0 || wasAnswered(before, ids)) {
    output = await invoke(null);
    left = await stillAsked(threadId, left, settings);
  }
  if (left.length > 0) {
    const resume = Object.fromEntries(left.map(({ review, value }) => [review.id, value?.answer]));
    output = await invoke(new Command({ resume }));
    left = await stillAsked(threadId, left, settings);
  }
  const after = await latestOf(settings.checkpointer, threadId);
  const isStuck = after?.checkpoint.id === before?.checkpoint.id && isDue(after);
  if (left.length === 0 && !isStuck) return output;
  throw new ContextShapingError('invalid-input', {
    field: 'graph',
    value: threadId,
    is: `returned, but its thread ${left.length > 0 ? 'still waits for the same answer' : 'did not move on'}`,
    remedy: 'Give the graph that asked for the review, compiled with the checkpointer of this queue.',
  });
}

/** Runs before the thread continues. If the run stops halfway, the record shows that it has to be continued. */
async function record(
  shared: SharedGiven,
  answered: Answered[],
  { checkpointer }: QueueSettings,
): Promise<void> {
  const checkpoint = (await latestOf(checkpointer, shared.about.threadId))?.checkpoint.id ?? '';
  await shared.open();
  await shared.change((last) => {
    // After a failure before the answer was read, the entry exists.
    const known = last?.given ?? [];
    const more = answered.filter(({ review }) => known.every(({ asking }) => asking !== review.asking));
    if (more.length === 0) return undefined;
    const added = more.map(({ review, value }) => {
      const { by, answeredAt = 0 } = value as ReviewState;
      return { ...review, by, answeredAt, checkpoint };
    });
    return { given: [...known, ...added] };
  });
}

/** The reviews that the thread still waits for. The states of the others are removed. */
async function stillAsked<T extends Recorded>(
  threadId: string,
  recorded: readonly T[],
  settings: QueueSettings,
): Promise<(T & Answered)[]> {
  const pending = pendingReviews(await latestOf(settings.checkpointer, threadId));
  const asked: (T & Answered)[] = [];
  for (const each of recorded) {
    const review = pending.find(({ asking }) => asking === each.shared.about.asking);
    if (review === undefined) await each.shared.remove();
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

const isAnswered = ({ value }: Recorded): boolean => value?.answer !== undefined;

interface ToContinue {
  threadId: string;
  recorded: Recorded[];
  /** Whether a worker began to continue the thread, and did not finish. */
  hasRun: boolean;
  since: number;
}

/** Answered reviews, and reviews without a holder that may be left over; by thread, earliest answer first. */
async function threadsToContinue(settings: QueueSettings, only: string | undefined): Promise<ToContinue[]> {
  const threads = new Map<string, ToContinue>();
  const add = (threadId: string, answeredAt: readonly (number | undefined)[]) => {
    const { recorded = [], hasRun = false, since = Number.POSITIVE_INFINITY } = threads.get(threadId) ?? {};
    const times = answeredAt.filter((each) => each !== undefined);
    const thread = { threadId, recorded, hasRun, since: Math.min(since, ...times) };
    threads.set(threadId, thread);
    return thread;
  };
  // Finding left-over reviews of one thread would need reading all others.
  const asked = async (threadId: string) => pendingReviews(await latestOf(settings.checkpointer, threadId));
  const reviews =
    only === undefined
      ? allReviews(settings)
      : recordedIn((await asked(only)).map((each) => reviewOf(settings, each)));
  for await (const each of reviews) {
    if (isHeld(each.value, settings.now())) continue;
    add(each.shared.about.threadId, [each.value?.answeredAt]).recorded.push(each);
  }
  const runs = only === undefined ? allGiven(settings) : recordedIn([givenOf(settings, only)]);
  for await (const { shared, value } of runs) {
    add(shared.about.threadId, value?.given.map(({ answeredAt }) => answeredAt) ?? []).hasRun = true;
  }
  return [...threads.values()].sort((a, b) =>
    a.since === b.since ? (a.threadId < b.threadId ? -1 : 1) : a.since - b.since,
  );
}

async function* recordedIn<About, Value extends object>(all: readonly Shared<About, Value>[]) {
  for (const shared of all) {
    const value = await shared.read();
    if (value !== undefined) yield { shared, value };
  }
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
  const { leaseMs, now } = settings;
  const shared = workerOf(settings, threadId);
  const token = crypto.randomUUID();
  const lease = () => ({ token, until: now() + leaseMs });
  await shared.open();
  const taken = await shared.change((other) => (isHeld(other, now()) ? undefined : lease()));
  if (taken.is !== 'made') return;
  const lost = new AbortController();
  const renew = async () => {
    const { is } = await shared.change(ifHolder(token, lease));
    if (is !== 'made') lost.abort(new Error('Another worker has taken the thread.'));
  };
  let renewing = Promise.resolve();
  const heartbeat = setInterval(() => {
    // If a renewal fails, the lease is not lost yet: the next one may succeed.
    renewing = renew().catch(() => {});
  }, leaseMs / 3);
  try {
    await work(lost.signal);
  } finally {
    clearInterval(heartbeat);
    await renewing;
    const last = await shared.read();
    if (last?.token === token && isHeld(last, now())) await shared.remove();
  }
}
