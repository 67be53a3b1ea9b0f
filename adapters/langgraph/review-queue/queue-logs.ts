/** The settings of a queue, and the logs that it keeps in the checkpointer. */
import type { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph';
import type { LeaseEntry, LeaseLog } from './lease.js';
import { type Log, openLog, openLogs } from './log.js';
import type { PendingReview } from './pending.js';

export interface QueueSettings {
  checkpointer: BaseCheckpointSaver;
  store?: BaseStore | undefined;
  leaseMs: number;
  now: () => number;
}

/** Names the request that a log is about. */
export type Asked = Pick<PendingReview, 'id' | 'threadId' | 'asking'>;

/** A review whose thread a run continues with the answer. */
export interface Given extends PendingReview {
  by: string;
  /** When it was answered, in milliseconds since 1970. */
  answeredAt: number;
  /** The checkpoint of the thread when it got the answer. */
  checkpoint: string;
}

export type GivenLog = Log<{ threadId: string }, Given>;

const REVIEW = 'context-shaping.review';
const RESUME = 'context-shaping.resume';
const GIVEN = 'context-shaping.given';

/** The claims and the answer of a review. */
export const reviewLog = (
  { checkpointer }: QueueSettings,
  { id, threadId, asking }: Asked,
): LeaseLog<Asked> => openLog(checkpointer, REVIEW, asking, { id, threadId, asking });

export const reviewLogs = ({ checkpointer }: QueueSettings) =>
  openLogs<Asked, LeaseEntry>(checkpointer, REVIEW);

/** The leases of the workers that continue a thread. */
export const threadLog = ({ checkpointer }: QueueSettings, threadId: string): LeaseLog<unknown> =>
  openLog(checkpointer, RESUME, threadId, { threadId });

/** The answers that a thread continues with. The log exists until the run ends. */
export const givenLog = ({ checkpointer }: QueueSettings, threadId: string): GivenLog =>
  openLog(checkpointer, GIVEN, threadId, { threadId });

export const givenLogs = ({ checkpointer }: QueueSettings) =>
  openLogs<{ threadId: string }, Given>(checkpointer, GIVEN);
