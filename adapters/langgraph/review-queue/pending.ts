/** Open reviews, read from the checkpoints of the waiting threads. */

import { type BaseCheckpointSaver, type CheckpointTuple, INTERRUPT } from '@langchain/langgraph';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { REVIEW_KIND, type ReviewRequest } from '../../crag/index.js';

export interface PendingReview {
  /** The id of the interrupt. */
  id: string;
  threadId: string;
  since: string;
  request: ReviewRequest;
  /** Names this request. A node that asks again has the same `id`, and another `asking`. */
  asking: string;
}

/** The channels that a running task writes. A write to any other channel means that the task has ended. */
const UNFINISHED = new Set([INTERRUPT, '__resume__', '__error__', '__error_source_node__', '__scheduled__']);
/** The channel of the tasks that `Send` starts. */
const TASKS = '__pregel_tasks';
const PAGE = 1000;

/** Interrupts of other kinds are ignored. */
export function pendingReviews(tuple: CheckpointTuple | undefined): PendingReview[] {
  const writes = tuple?.pendingWrites ?? [];
  const finished = new Set(writes.filter(([, channel]) => !UNFINISHED.has(channel)).map(([task]) => task));
  return writes.flatMap(([task, channel, written]) => {
    // A task that ended beside a waiting task may have left its interrupt.
    if (channel !== INTERRUPT || finished.has(task)) return [];
    // One interrupt; since LangGraph 1.5 an array of interrupts.
    return [written].flat().flatMap((interrupt: unknown) => {
      const { id, value } = (interrupt ?? {}) as { id?: unknown; value?: unknown };
      if (typeof id !== 'string' || !isRequest(value)) return [];
      const digest = bytesToHex(sha256(utf8ToBytes(JSON.stringify(value)))).slice(0, 16);
      return [
        {
          id,
          threadId: String(tuple?.config.configurable?.thread_id),
          since: tuple?.checkpoint.ts ?? '',
          request: inThisForm(value),
          asking: `${id}.${digest}`,
        },
      ];
    });
  });
}

/** Did an earlier, unfinished run already take an answer to the interrupt? */
export const wasAnswered = (tuple: CheckpointTuple | undefined, ids: readonly string[]): boolean =>
  (tuple?.pendingWrites ?? []).some(([task, channel]) => channel === '__resume__' && ids.includes(task));

/**
 * Does a node still have to run without a person's answer? Only a `StateGraph` shows it: the write that starts a node
 * stays until the node has run.
 */
export function isDue(tuple: CheckpointTuple | undefined): boolean {
  const { checkpoint, pendingWrites = [] } = tuple ?? {};
  if (pendingWrites.some(([, channel]) => channel === INTERRUPT)) return false;
  return Object.entries(checkpoint?.channel_values ?? {}).some(
    ([name, value]) => name.startsWith('branch:to:') || (name === TASKS && (value as unknown[]).length > 0),
  );
}

export const latestOf = (
  checkpointer: BaseCheckpointSaver,
  threadId: string,
): Promise<CheckpointTuple | undefined> =>
  checkpointer.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: '' } });

/** The latest checkpoint of each thread, newest first. Reads every checkpoint of the database, a page at a time. */
export async function* latestOfAll(checkpointer: BaseCheckpointSaver): AsyncGenerator<CheckpointTuple> {
  // A checkpointer in memory needs no pages, and lists its checkpoints thread by thread.
  const options = 'storage' in checkpointer ? {} : { limit: PAGE };
  const seen = new Set<unknown>();
  for (let before: CheckpointTuple['config'] | undefined; ; ) {
    let read = 0;
    const page = before === undefined ? options : { ...options, before };
    for await (const tuple of checkpointer.list({ configurable: { checkpoint_ns: '' } }, page)) {
      read++;
      before = tuple.config;
      const threadId: unknown = tuple.config.configurable?.thread_id;
      if (seen.has(threadId)) continue;
      seen.add(threadId);
      yield tuple;
    }
    if (options.limit === undefined || read < options.limit) return;
  }
}

const isFirst = (version: unknown) => version === 1;

/** Requests of version 1, which an earlier release saved, have conflicts of another form. */
const inThisForm = (request: ReviewRequest): ReviewRequest =>
  isFirst(request.version) ? { ...request, conflicts: [] } : request;

function isRequest(value: unknown): value is ReviewRequest {
  const { kind, version, query, chunks, evicted } = (value ?? {}) as Partial<ReviewRequest>;
  const isOurs = kind === REVIEW_KIND && (version === 2 || isFirst(version)) && typeof query === 'string';
  return isOurs && Array.isArray(chunks) && Array.isArray(evicted);
}
