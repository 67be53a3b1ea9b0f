/** Continues threads whose reviews are answered, one worker at a time for each. */
import { Command, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { ContextShapingError, rethrowControlFlow } from '../../../src/index.js';
import { isHeld, isLast, type LeaseEntry, type LeaseLog, renew, take } from './lease.js';
import { latestOf, pendingReviews, wasAnswered } from './pending.js';
import { unindexReview } from './review-index.js';
import { type Asked, reviewLog, reviewLogs, type Services, threadLog } from './services.js';

/** What is used of a compiled graph. Types of its input (a command, or null) and config are others for every graph. */
export interface ResumableGraph {
  invoke(input: never, config: never): Promise<unknown>;
}

export interface ResumeOptions {
  /** Goes to the graph with every thread: its context, say. */
  config?: LangGraphRunnableConfig | undefined;
  signal?: AbortSignal | undefined;
  /** The most threads to continue; those that fail do not count, or a few would hold up all others. Default: all. */
  limit?: number | undefined;
  /** Only this thread. */
  threadId?: string | undefined;
}

export interface Resumption {
  threadId: string;
  /** Ids of the reviews whose answers it was continued with. */
  reviews: string[];
}

export interface Resumed {
  /** `output`: what the graph returned, with `__interrupt__` where it asks again. */
  resumed: (Resumption & { output: unknown })[];
  /** Their answers stay recorded, and are given again the next time. */
  failed: (Resumption & { error: unknown })[];
}

type Run = (input: Command | null) => Promise<unknown>;

interface Recorded {
  log: LeaseLog<Asked>;
  entries: LeaseEntry[];
}

export async function resumeAnswered(
  graph: ResumableGraph,
  { config, signal, limit = Number.POSITIVE_INFINITY, threadId: only }: ResumeOptions,
  services: Services,
): Promise<Resumed> {
  const done: Resumed = { resumed: [], failed: [] };
  for (const [threadId, recorded] of await recordedByThread(services, only)) {
    if (done.resumed.length >= limit) break;
    signal?.throwIfAborted();
    if (!recorded.some(isAnswered)) {
      await stillAsked(threadId, recorded, services);
      continue;
    }
    await aloneWith(threadId, services, async (lost) => {
      const stop = signal === undefined ? lost : AbortSignal.any([signal, lost]);
      const configurable = { ...config?.configurable, thread_id: threadId };
      const run: Run = (input) =>
        graph.invoke(input as never, { ...config, configurable, durability: 'sync', signal: stop } as never);
      const answered = (await stillAsked(threadId, recorded, services)).filter(isAnswered);
      if (answered.length === 0) return;
      const reviews = answered.map(({ log }) => log.about.id);
      try {
        done.resumed.push({ threadId, reviews, output: await give(threadId, answered, run, services) });
      } catch (error) {
        rethrowControlFlow(error, signal);
        done.failed.push({ threadId, reviews, error });
      }
      await tidy(threadId, services);
    });
  }
  return done;
}

async function give(threadId: string, answered: Recorded[], run: Run, services: Services): Promise<unknown> {
  const ids = answered.map(({ log }) => log.about.id);
  let left = answered;
  let output: unknown;
  // Where a run failed after the answer was read, LangGraph has kept it, and would take the same one, given again,
  // for the answer to the next question of that node.
  if (wasAnswered(await latestOf(services.checkpointer, threadId), ids)) {
    output = await run(null);
    left = await stillAsked(threadId, left, services);
  }
  if (left.length > 0) {
    const resume = Object.fromEntries(left.map(({ log, entries }) => [log.about.id, entries.at(-1)?.answer]));
    output = await run(new Command({ resume }));
    left = await stillAsked(threadId, left, services);
  }
  if (left.length > 0) throw notTaken(threadId);
  return output;
}

/** Which of them the thread still waits for. Of the others nothing is left to be known. */
async function stillAsked(threadId: string, recorded: Recorded[], services: Services): Promise<Recorded[]> {
  const pending = pendingReviews(await latestOf(services.checkpointer, threadId));
  const askings = new Set(pending.map(({ asking }) => asking));
  for (const { log } of recorded) if (!askings.has(log.about.asking)) await log.remove();
  return recorded.filter(({ log }) => askings.has(log.about.asking));
}

/** Only of a thread that nobody else continues: a node that is about to ask has entered it already. */
async function tidy(threadId: string, { checkpointer, store }: Services): Promise<void> {
  if (store === undefined || pendingReviews(await latestOf(checkpointer, threadId)).length > 0) return;
  // An entry that stays there leads nowhere, and goes after a day.
  await unindexReview(store, threadId).catch(() => {});
}

const isAnswered = ({ entries }: Recorded): boolean => entries.at(-1)?.answer !== undefined;

/** What is answered, and what nobody holds and may have been left behind; by thread, first answers first. */
async function recordedByThread(
  services: Services,
  only: string | undefined,
): Promise<(readonly [string, Recorded[]])[]> {
  const threads = new Map<string, Recorded[]>();
  for await (const recorded of only === undefined ? reviewLogs(services) : logsOf(only, services)) {
    if (isHeld(recorded.entries.at(-1), services.now())) continue;
    const { threadId } = recorded.log.about;
    threads.set(threadId, [...(threads.get(threadId) ?? []), recorded]);
  }
  const since = (recorded: Recorded[]) =>
    Math.min(...recorded.filter(isAnswered).map(({ entries }) => entries.at(-1)?.at ?? 0));
  return [...threads].sort(([a, first], [b, second]) => {
    const [one, other] = [since(first), since(second)];
    return one === other ? (a < b ? -1 : 1) : one - other;
  });
}

/** Of what a thread waits for; all others would have to be read to find what was left behind. */
async function* logsOf(threadId: string, services: Services): AsyncGenerator<Recorded> {
  for (const pending of pendingReviews(await latestOf(services.checkpointer, threadId))) {
    const log = reviewLog(services, pending);
    const entries = await log.read();
    if (entries !== undefined) yield { log, entries };
  }
}

/**
 * Does the work if no other worker has the thread, and keeps it while the work lasts.
 *
 * @param work its signal is aborted should the lease be lost, as it may be by a process that stood still.
 */
async function aloneWith(
  threadId: string,
  services: Services,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const log = threadLog(services, threadId);
  const holder = { by: 'worker', token: crypto.randomUUID(), leaseMs: services.leaseMs };
  await log.open();
  if ((await take(log, holder, services.now)).is !== 'held') return;
  const lost = new AbortController();
  let renewing: Promise<void> = Promise.resolve();
  const heartbeat = setInterval(() => {
    renewing = renew(log, holder, services.now).then(
      (lease) => {
        if (lease === undefined) lost.abort(new Error('Another worker has taken the thread.'));
      },
      // The lease is not lost yet: the next beat may get through.
      () => {},
    );
  }, services.leaseMs / 3);
  try {
    await work(lost.signal);
  } finally {
    clearInterval(heartbeat);
    await renewing;
    const entries = await log.read();
    if (isLast(entries, holder.token) && isHeld(entries?.at(-1), services.now())) await log.remove();
  }
}

function notTaken(threadId: string): ContextShapingError {
  return new ContextShapingError('invalid-input', {
    field: 'graph',
    value: threadId,
    is: 'returned, and its thread still waits for the same answer',
    remedy: 'Give the graph that asked, compiled with the checkpointer of this queue.',
  });
}
