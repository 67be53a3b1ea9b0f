import type { BaseCheckpointSaver, BaseStore, LangGraphRunnableConfig } from '@langchain/langgraph';
import * as z from 'zod';
import { ContextShapingError } from '../../../src/index.js';
import { hasMethods, parseOptions } from '../../../src/internal.js';
import { parseReviewAnswer } from '../../crag/index.js';
import { latestOf, latestOfAll, type PendingReview, pendingReviews } from './pending.js';
import {
  type Asked,
  allGiven,
  type Given,
  givenOf,
  ifHolder,
  isHeld,
  type QueueSettings,
  type ReviewState,
  reviewOf,
  type SharedReview,
  unfinishedOf,
} from './queue-state.js';
import { resumeAnswered } from './resume.js';
import { indexedThreads, unindexReview } from './review-index.js';
import type { Claim, Review, ReviewQueue, ReviewQueueOptions, ReviewReference } from './types.js';

const positive = z.int().min(1);
const leaseMs = positive.max(2 ** 31 - 1);
const by = z.string().min(1);
const listed = { limit: positive.optional(), threadId: z.string().optional() };
const SCHEMAS = {
  queue: z.strictObject({
    checkpointer: z.custom<BaseCheckpointSaver>(
      (value) => hasMethods(value, 'putWrites'),
      'must be a checkpointer',
    ),
    store: z
      .custom<BaseStore>((value) => hasMethods(value, 'search'), 'must be a store of LangGraph')
      .optional(),
    leaseMs: leaseMs.default(300_000),
    now: z
      .custom<() => number>((value) => typeof value === 'function', 'must be a function')
      .default(() => Date.now),
  }),
  list: z.strictObject(listed),
  claim: z.strictObject({ by, leaseMs: leaseMs.optional() }),
  renew: z.strictObject({ leaseMs: leaseMs.optional() }),
  answer: z.strictObject({ by: by.optional() }),
  resume: z.strictObject({
    ...listed,
    config: z.custom<LangGraphRunnableConfig>((value) => typeof value === 'object').optional(),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  }),
};

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
  const settings: QueueSettings = parseOptions(SCHEMAS.queue, options);
  const { checkpointer, store, now } = settings;

  /** Reviews without an answer, and reviews whose answer a run continues with. */
  async function* openReviews(threadId?: string): AsyncGenerator<PendingReview | Given> {
    if (threadId !== undefined) {
      yield* pendingReviews(await latestOf(checkpointer, threadId));
      yield* await unfinishedOf(threadId, await givenOf(settings, threadId).read(), settings);
    } else if (store === undefined) {
      for await (const tuple of latestOfAll(checkpointer)) yield* pendingReviews(tuple);
      for await (const { shared, value } of allGiven(settings)) {
        yield* await unfinishedOf(shared.about.threadId, value, settings);
      }
    } else {
      for (const thread of await indexedThreads(store, now())) {
        let isEmpty = true;
        for await (const review of openReviews(thread.threadId)) {
          isEmpty = false;
          yield review;
        }
        if (isEmpty && thread.stale) await unindexReview(store, thread.threadId);
      }
    }
  }

  async function find(reference: ReviewReference): Promise<PendingReview | Given | undefined> {
    const id = idOf(reference);
    const threadId = typeof reference === 'string' ? undefined : reference.threadId;
    for await (const review of openReviews(threadId)) if (review.id === id) return review;
    return undefined;
  }

  async function isStillAsked({ threadId, asking }: Asked): Promise<boolean> {
    const pending = pendingReviews(await latestOf(checkpointer, threadId));
    return pending.some((each) => each.asking === asking);
  }

  async function withState(open: PendingReview | Given): Promise<Review> {
    const { id, threadId, since, request } = open;
    const review = { id, threadId, since, request };
    if (isGiven(open)) return { ...review, answered: true, unfinished: true };
    const state = await reviewOf(settings, open).read();
    const { by, until = 0 } = (isHeld(state, now()) && state) || {};
    const claim = by === undefined ? undefined : { by, until: new Date(until).toISOString() };
    return { ...review, ...(claim && { claim }), answered: state?.answer !== undefined };
  }

  /** Claims the review, or extends the holder’s own claim. */
  const take = (shared: SharedReview, lease: Omit<ReviewState, 'until'>, leaseMs: number, sameName = false) =>
    shared.change((state) => {
      const isOwn = state?.token === lease.token || (sameName && state?.by === lease.by);
      if (state?.answer !== undefined || (isHeld(state, now()) && !isOwn)) return undefined;
      return { ...lease, until: now() + leaseMs };
    });

  return {
    async list(options = {}) {
      const { limit, threadId } = parseOptions(SCHEMAS.list, options);
      const all: (PendingReview | Given)[] = [];
      for await (const review of openReviews(threadId)) all.push(review);
      return Promise.all(all.sort(byAge).slice(0, limit).map(withState));
    },

    async get(reference) {
      const found = await find(reference);
      return found && withState(found);
    },

    async claim(reference, options) {
      const { by, leaseMs = settings.leaseMs } = parseOptions(SCHEMAS.claim, options);
      const review = await find(reference);
      if (review === undefined || isGiven(review)) return undefined;
      const shared = reviewOf(settings, review);
      await shared.open();
      const taken = await take(shared, { by, token: crypto.randomUUID() }, leaseMs);
      if (taken.is !== 'made') return undefined;
      if (await isStillAsked(review)) return claimOf(review, taken.value);
      // The thread continued between the look-up and the claim, and the record of the review was deleted.
      await shared.remove();
      return undefined;
    },

    async renew(claim, options = {}) {
      const { leaseMs = settings.leaseMs } = parseOptions(SCHEMAS.renew, options);
      const { token } = checked(claim);
      const until = () => ({ until: now() + leaseMs });
      const renewed = await reviewOf(settings, claim).change(ifHolder(token, until));
      return renewed.is === 'made' ? claimOf(claim, renewed.value) : undefined;
    },

    async release(claim) {
      const { token } = checked(claim);
      const released = () => ({ token: '', until: now() });
      return (await reviewOf(settings, claim).change(ifHolder(token, released))).is === 'made';
    },

    async answer(reference, value, options = {}) {
      const { by: given } = parseOptions(SCHEMAS.answer, options);
      const review = await find(reference);
      const claim = typeof reference === 'object' && 'token' in reference ? checked(reference) : undefined;
      if (review === undefined) throw notAsked(idOf(reference));
      if (isGiven(review)) throw answeredBy(review.id, review.by);
      if (claim !== undefined && claim.asking !== review.asking) {
        const remedy = 'Claim it again, and answer the new request.';
        throw refusal(claim.id, 'was asked again, about another context', remedy);
      }
      const parsed = parseReviewAnswer(value, review.request);
      const name = given ?? (claim === undefined ? parsed.by : undefined);
      const by = name ?? claim?.by;
      const answer = by === undefined ? parsed : { ...parsed, by };
      const shared = reviewOf(settings, review);
      await shared.open();
      // The answering person holds the review meanwhile. If the answer is gone when it is read again, the thread has
      // continued with it, because no other person could give one.
      const lease = { by: by ?? NOBODY, token: claim?.token ?? crypto.randomUUID() };
      const taken = await take(shared, lease, settings.leaseMs, name !== undefined);
      if (taken.is === 'refused') throw heldBy(review.id, taken.value);
      if (taken.is !== 'made' || !(await isStillAsked(review))) {
        await shared.remove();
        throw notAsked(review.id);
      }
      const written = await shared.change(ifHolder(lease.token, () => ({ answer, answeredAt: now() })));
      if (written.is === 'made' || (written.is === 'removed' && now() < taken.value.until)) return answer;
      if (written.is === 'gone') throw notAsked(review.id);
      throw refusal(review.id, 'was claimed by another person after the claim had expired', LIST);
    },

    async resume(graph, options = {}) {
      return resumeAnswered(graph, parseOptions(SCHEMAS.resume, options), settings);
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

const claimOf = ({ id, threadId, asking }: Asked, { by, token, until }: ReviewState): Claim => ({
  ...{ id, threadId, asking, by, token },
  until: new Date(until).toISOString(),
});

const isGiven = (review: PendingReview | Given): review is Given => 'answeredAt' in review;

function byAge(a: PendingReview, b: PendingReview): number {
  const [one, other] = [a, b].map(({ since, threadId, id }) => [since, threadId, id].join('\n'));
  return one === other ? 0 : (one as string) < (other as string) ? -1 : 1;
}

const LIST = 'List the reviews again.';

const refusal = (id: unknown, is: string, remedy: string) =>
  new ContextShapingError('invalid-input', { field: 'review', value: id, is, remedy });

const notAsked = (id: string) => refusal(id, 'is not open: no thread waits for it', LIST);

const answeredBy = (id: string, by: string | undefined) =>
  refusal(id, `has an answer already, by ${by}`, LIST);

const heldBy = (id: string, state: ReviewState | undefined) =>
  state?.answer === undefined
    ? refusal(id, `is claimed by ${state?.by}`, 'Wait until the claim is released or expires.')
    : answeredBy(id, state.by);

const noReference = (given: unknown) =>
  refusal(
    given,
    'must be a review, the id of a review, or a claim',
    '`claim()` may have returned undefined: then there is no claim to renew, release or answer.',
  );
