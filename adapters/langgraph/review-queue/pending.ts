/** Reviews that are waited for, in the checkpoints of the threads that wait. */

import { type BaseCheckpointSaver, type CheckpointTuple, INTERRUPT } from '@langchain/langgraph';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { REVIEW_KIND, type ReviewRequest } from '../../crag/index.js';

export interface PendingReview {
  /** Of the interrupt. */
  id: string;
  threadId: string;
  since: string;
  request: ReviewRequest;
  /** Names this asking: a node that asks again does so with the same id. */
  asking: string;
}

/** Writes of a task that has not come to its end; any other means that it has. */
const UNFINISHED = new Set([INTERRUPT, '__resume__', '__error__', '__error_source_node__', '__scheduled__']);
/** The channel of what `Send` starts. */
const TASKS = '__pregel_tasks';
const PAGE = 1000;

/** Interrupts of other kinds are none of ours. */
export function pendingReviews(tuple: CheckpointTuple | undefined): PendingReview[] {
  const writes = tuple?.pendingWrites ?? [];
  const finished = new Set(writes.filter(([, channel]) => !UNFINISHED.has(channel)).map(([task]) => task));
  return writes.flatMap(([task, channel, written]) => {
    // Of tasks that run side by side, one may be through, and its interrupt is still there.
    if (channel !== INTERRUPT || finished.has(task)) return [];
    // One interrupt; since LangGraph 1.5 an array of them.
    return [written].flat().flatMap((interrupt: unknown) => {
      const { id, value } = (interrupt ?? {}) as { id?: unknown; value?: unknown };
      if (typeof id !== 'string' || !isRequest(value)) return [];
      const digest = bytesToHex(sha256(utf8ToBytes(JSON.stringify(value)))).slice(0, 16);
      return [
        {
          id,
          threadId: String(tuple?.config.configurable?.thread_id),
          since: tuple?.checkpoint.ts ?? '',
          request: value,
          asking: `${id}.${digest}`,
        },
      ];
    });
  });
}

/** Has the interrupt been given an answer before, in a run that did not come to its end? */
export const wasAnswered = (tuple: CheckpointTuple | undefined, ids: readonly string[]): boolean =>
  (tuple?.pendingWrites ?? []).some(([task, channel]) => channel === '__resume__' && ids.includes(task));

/**
 * Is there a node that has yet to run, and that nobody is asked for? Only of graphs of states can it be told: what is
 * written to start a node is there until the node has run.
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

/** Of each thread, newest first. Reads every checkpoint of the database, and at most a page of them at a time. */
export async function* latestOfAll(checkpointer: BaseCheckpointSaver): AsyncGenerator<CheckpointTuple> {
  // In memory there are no pages: checkpoints come thread by thread, and are there already.
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

function isRequest(value: unknown): value is ReviewRequest {
  const { kind, version, query, chunks, evicted } = (value ?? {}) as Partial<ReviewRequest>;
  const isOurs = kind === REVIEW_KIND && version === 1 && typeof query === 'string';
  return isOurs && Array.isArray(chunks) && Array.isArray(evicted);
}
