import { parseOptions } from '../../../src/internal.js';
import { parseReviewAnswer } from '../../crag/index.js';
import { isHeld, type LeaseEntry, release, renew, take } from './lease.js';
import {
  answerSchema,
  claimSchema,
  listSchema,
  optionsSchema,
  renewSchema,
  resumeSchema,
} from './options.js';
import { latestOf, latestOfAll, type PendingReview, pendingReviews } from './pending.js';
import { type Given, givenLogs, type QueueSettings, reviewLog } from './queue-logs.js';
import { askedAnew, noReference, notAsked, overtaken, refused } from './refusals.js';
import { resumeAnswered } from './resume.js';
import { indexedThreads, unindexReview } from './review-index.js';
import type { Claim, Review, ReviewQueue, ReviewQueueOptions, ReviewReference } from './types.js';
import { unfinishedIn, unfinishedOf } from './unfinished.js';

/** The name of a person who answers without a name. */
const NOBODY = 'anonymous';

/**
 * Lists, claims and answers the reviews that graphs wait for, from any process with the graphs' checkpointer.
 *
 * A review inside a subgraph is listed under the thread of the parent. LangGraph shows several interrupts of one
 * subgraph one at a time.
 *
 * @throws ContextShapingError `invalid-options`. The methods throw `invalid-input`, and `service` if the checkpointer
 *   does not keep the first of two writes.
 */
export function createReviewQueue(options: ReviewQueueOptions): ReviewQueue {
  const settings: QueueSettings = parseOptions(optionsSchema, options);
  const { checkpointer, store, now } = settings;

  const openIn = async (threadId: string): Promise<(PendingReview | Given)[]> => [
    ...pendingReviews(await latestOf(checkpointer, threadId)),
    ...(await unfinishedIn(threadId, settings)),
  ];

  /** Reviews without an answer, and reviews whose answer a run continues with. */
  async function* openReviews(threadId?: string): AsyncGenerator<PendingReview | Given> {
    if (threadId !== undefined) yield* await openIn(threadId);
    else if (store === undefined) {
      for await (const tuple of latestOfAll(checkpointer)) yield* pendingReviews(tuple);
      for await (const { log, entries } of givenLogs(settings)) {
        yield* await unfinishedOf(log.about.threadId, entries, settings);
      }
    } else {
      for (const thread of await indexedThreads(store, now())) {
        const open = await openIn(thread.threadId);
        if (open.length === 0 && thread.stale) await unindexReview(store, thread.threadId);
        yield* open;
      }
    }
  }

  async function find(reference: ReviewReference): Promise<PendingReview | Given | undefined> {
    const id = idOf(reference);
    const threadId = typeof reference === 'string' ? undefined : reference.threadId;
    for await (const review of openReviews(threadId)) if (review.id === id) return review;
    return undefined;
  }

  async function isStillAsked({ threadId, asking }: Pick<PendingReview, 'threadId' | 'asking'>) {
    const pending = pendingReviews(await latestOf(checkpointer, threadId));
    return pending.some((each) => each.asking === asking);
  }

  async function withState(open: PendingReview | Given): Promise<Review> {
    const { id, threadId, since, request } = open;
    const review = { id, threadId, since, request };
    if (isGiven(open)) return { ...review, answered: true, unfinished: true };
    const last = (await reviewLog(settings, open).read())?.at(-1);
    const claim = isHeld(last, now())
      ? { by: last.by, until: new Date(last.until).toISOString() }
      : undefined;
    return { ...review, ...(claim && { claim }), answered: last?.answer !== undefined };
  }

  return {
    async list(options = {}) {
      const { limit, threadId } = parseOptions(listSchema, options);
      const all: (PendingReview | Given)[] = [];
      for await (const review of openReviews(threadId)) all.push(review);
      return Promise.all(all.sort(byAge).slice(0, limit).map(withState));
    },

    async get(reference) {
      const found = await find(reference);
      return found && withState(found);
    },

    async claim(reference, options) {
      const { by, leaseMs = settings.leaseMs } = parseOptions(claimSchema, options);
      const review = await find(reference);
      if (review === undefined || isGiven(review)) return undefined;
      const log = reviewLog(settings, review);
      await log.open();
      const taken = await take(log, { by, token: crypto.randomUUID(), leaseMs }, now);
      if (taken.is !== 'held') return undefined;
      if (await isStillAsked(review)) return claimOf(review, taken.lease);
      // The thread continued between the look-up and the claim, and the record of the review was deleted.
      await log.remove();
      return undefined;
    },

    async renew(claim, options = {}) {
      const { leaseMs = settings.leaseMs } = parseOptions(renewSchema, options);
      const { by, token } = checked(claim);
      const lease = await renew(reviewLog(settings, claim), { by, token, leaseMs }, now);
      return lease && claimOf(claim, lease);
    },

    async release(claim) {
      const { by, token } = checked(claim);
      return release(reviewLog(settings, claim), { by, token }, now);
    },

    async answer(reference, value, options = {}) {
      const { by: given } = parseOptions(answerSchema, options);
      const review = await find(reference);
      const claim = typeof reference === 'object' && 'token' in reference ? checked(reference) : undefined;
      if (review === undefined) throw notAsked(idOf(reference));
      if (isGiven(review)) throw refused(review.id, { by: review.by, answered: true });
      if (claim !== undefined && claim.asking !== review.asking) throw askedAnew(claim.id);
      const answer = parseReviewAnswer(value, review.request);
      const name = given ?? (claim === undefined ? answer.by : undefined);
      const by = name ?? claim?.by;
      const log = reviewLog(settings, review);
      await log.open();
      // The answering person holds the review meanwhile. If the entry is gone when it is read again, the thread has
      // continued with this answer, because no other person could give one.
      const token = claim?.token ?? crypto.randomUUID();
      const holder = { by: by ?? NOBODY, token, leaseMs: settings.leaseMs, sameName: name !== undefined };
      const taken = await take(log, holder, now);
      if (taken.is === 'taken') throw refused(review.id, taken);
      if (taken.is === 'gone' || !(await isStillAsked(review))) {
        await log.remove();
        throw notAsked(idOf(reference));
      }
      const entry = {
        ...taken.lease,
        key: crypto.randomUUID(),
        at: now(),
        answer: by === undefined ? answer : { ...answer, by },
      };
      const after = await log.append(taken.entries, entry);
      const recorded = after === undefined ? now() < entry.until : after[taken.entries]?.key === entry.key;
      if (!recorded) throw overtaken(review.id);
      return entry.answer;
    },

    async resume(graph, options = {}) {
      return resumeAnswered(graph, parseOptions(resumeSchema, options), settings);
    },
  };
}

function idOf(reference: ReviewReference): string {
  const id: unknown = typeof reference === 'string' ? reference : (reference as Review | null)?.id;
  if (typeof id !== 'string') throw noReference(reference);
  return id;
}

function checked(claim: Claim): Claim {
  const { id, threadId, asking, by, token } = (claim ?? {}) as Partial<Claim>;
  if ([id, threadId, asking, by, token].some((each) => typeof each !== 'string')) throw noReference(claim);
  return claim;
}

const claimOf = (
  { id, threadId, asking }: Pick<PendingReview, 'id' | 'threadId' | 'asking'>,
  { by, token, until }: LeaseEntry,
): Claim => ({ id, threadId, asking, by, until: new Date(until).toISOString(), token });

const isGiven = (review: PendingReview | Given): review is Given => 'answeredAt' in review;

function byAge(a: PendingReview, b: PendingReview): number {
  const [one, other] = [a, b].map(({ since, threadId, id }) => [since, threadId, id].join('\n'));
  return one === other ? 0 : (one as string) < (other as string) ? -1 : 1;
}
