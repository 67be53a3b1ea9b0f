/** The state of a queue in the checkpointer: holders of reviews, given answers, and the answers that a run continues with. */
import type { BaseCheckpointSaver, BaseStore, CheckpointTuple } from '@langchain/langgraph';
import type { ReviewAnswer } from '../../crag/index.js';
import { latestOf, type PendingReview, pendingReviews } from './pending.js';
import { type Shared, sharedValue, sharedValues } from './shared-value.js';

export interface QueueSettings {
  checkpointer: BaseCheckpointSaver;
  store?: BaseStore | undefined;
  leaseMs: number;
  now: () => number;
}

/** The right to do something for a limited time. */
export interface Lease {
  /** Identifies the holder; empty if the lease was released. */
  token: string;
  /** Milliseconds since 1970, by the clock of the writer. */
  until: number;
  /** No lease can follow an answer. */
  answer?: ReviewAnswer;
}

/** The last claim of a review, and the answer. */
export interface ReviewState extends Lease {
  by: string;
  /** When it was answered, in milliseconds since 1970. */
  answeredAt?: number;
}

/** A review whose thread a run continues with the answer. */
export interface Given extends PendingReview {
  by: string;
  answeredAt: number;
  /** The checkpoint of the thread when it got the answer. */
  checkpoint: string;
}

/** Names the request that a state is about. */
export type Asked = Pick<PendingReview, 'id' | 'threadId' | 'asking'>;
export type SharedReview = Shared<Asked, ReviewState>;
export type SharedGiven = Shared<{ threadId: string }, { given: Given[] }>;

const REVIEW = 'context-shaping.review';
const RESUME = 'context-shaping.resume';
const GIVEN = 'context-shaping.continued';

export const reviewOf = ({ checkpointer }: QueueSettings, { id, threadId, asking }: Asked): SharedReview =>
  sharedValue(checkpointer, REVIEW, asking, { id, threadId, asking });

export const allReviews = ({ checkpointer }: QueueSettings) =>
  sharedValues<Asked, ReviewState>(checkpointer, REVIEW);

/** The lease of the worker that continues a thread. */
export const workerOf = ({ checkpointer }: QueueSettings, threadId: string): Shared<unknown, Lease> =>
  sharedValue(checkpointer, RESUME, threadId, { threadId });

/** The answers that a thread continues with. They exist until the run ends. */
export const givenOf = ({ checkpointer }: QueueSettings, threadId: string): SharedGiven =>
  sharedValue(checkpointer, GIVEN, threadId, { threadId });

export const allGiven = ({ checkpointer }: QueueSettings) =>
  sharedValues<{ threadId: string }, { given: Given[] }>(checkpointer, GIVEN);

export const isHeld = (lease: Lease | undefined, now: number): boolean =>
  lease !== undefined && lease.answer === undefined && lease.until > now;

/** A change of the state, for its holder alone. */
export const ifHolder =
  (token: string, change: () => Partial<ReviewState>) =>
  <T extends Lease>(state: T | undefined): T | undefined =>
    state?.token === token && state.answer === undefined ? { ...state, ...change() } : undefined;

/** The answers that the thread took and no longer waits for, while its run has not ended. */
export async function unfinishedOf(
  threadId: string,
  { given }: { given: readonly Given[] } = { given: [] },
  { checkpointer }: QueueSettings,
): Promise<Given[]> {
  const latest = given.length > 0 ? await latestOf(checkpointer, threadId) : undefined;
  if (latest === undefined) return [];
  const begun = await lastBegun(latest, threadId, checkpointer);
  const asked = new Set(pendingReviews(latest).map(({ id }) => id));
  return given.filter(({ id, checkpoint }) => !asked.has(id) && checkpoint >= begun);
}

/** The first checkpoint of the last run. With a later input, the application gave up the earlier run. */
async function lastBegun(
  { metadata, checkpoint }: CheckpointTuple,
  threadId: string,
  checkpointer: BaseCheckpointSaver,
): Promise<string> {
  if (metadata?.source === 'input') return checkpoint.id;
  const ofThread = { configurable: { thread_id: threadId, checkpoint_ns: '' } };
  const inputs = checkpointer.list(ofThread, { filter: { source: 'input' }, limit: 1 });
  for await (const { metadata, checkpoint } of inputs) if (metadata?.source === 'input') return checkpoint.id;
  return '';
}
