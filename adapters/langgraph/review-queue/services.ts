/** What the parts of a queue share. */
import type { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph';
import type { LeaseEntry, LeaseLog } from './lease.js';
import { openLog, openLogs } from './log.js';
import type { PendingReview } from './pending.js';

export interface Services {
  checkpointer: BaseCheckpointSaver;
  store?: BaseStore | undefined;
  leaseMs: number;
  now: () => number;
}

/** Which asking a log is of. */
export type Asked = Pick<PendingReview, 'id' | 'threadId' | 'asking'>;

export interface Continued {
  threadId: string;
}

const REVIEW = 'context-shaping.review';
const RESUME = 'context-shaping.resume';

/** Of who claims and who answers a review. */
export const reviewLog = ({ checkpointer }: Services, { id, threadId, asking }: Asked): LeaseLog<Asked> =>
  openLog(checkpointer, REVIEW, asking, { id, threadId, asking });

export const reviewLogs = ({ checkpointer }: Services) => openLogs<Asked, LeaseEntry>(checkpointer, REVIEW);

/** Of who continues a thread, and with which answers. It is there until the run has come to its end. */
export const threadLog = ({ checkpointer }: Services, threadId: string): LeaseLog<Continued> =>
  openLog(checkpointer, RESUME, threadId, { threadId });

export const threadLogs = ({ checkpointer }: Services) =>
  openLogs<Continued, LeaseEntry>(checkpointer, RESUME);
