/** What the parts of a queue share. */
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

/** Which asking a log is of. */
export type Asked = Pick<PendingReview, 'id' | 'threadId' | 'asking'>;

/** A review whose thread is being continued with its answer. */
export interface Given extends PendingReview {
  by: string;
  /** When it was answered, in milliseconds since 1970. */
  answeredAt: number;
  /** Of the thread, when it was given the answer. */
  checkpoint: string;
}

export type GivenLog = Log<{ threadId: string }, Given>;

const REVIEW = 'context-shaping.review';
const RESUME = 'context-shaping.resume';
const GIVEN = 'context-shaping.given';

/** Of who claims and who answers a review. */
export const reviewLog = (
  { checkpointer }: QueueSettings,
  { id, threadId, asking }: Asked,
): LeaseLog<Asked> => openLog(checkpointer, REVIEW, asking, { id, threadId, asking });

export const reviewLogs = ({ checkpointer }: QueueSettings) =>
  openLogs<Asked, LeaseEntry>(checkpointer, REVIEW);

/** Of who continues a thread. */
export const threadLog = ({ checkpointer }: QueueSettings, threadId: string): LeaseLog<unknown> =>
  openLog(checkpointer, RESUME, threadId, { threadId });

/** Of what a thread is continued with. It is there until the run has come to its end. */
export const givenLog = ({ checkpointer }: QueueSettings, threadId: string): GivenLog =>
  openLog(checkpointer, GIVEN, threadId, { threadId });

export const givenLogs = ({ checkpointer }: QueueSettings) =>
  openLogs<{ threadId: string }, Given>(checkpointer, GIVEN);
