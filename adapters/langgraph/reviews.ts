/** Reviews that wait in a checkpointer: listed for people, and continued with an answer. */
import {
  type BaseCheckpointSaver,
  type CheckpointTuple,
  Command,
  INTERRUPT,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';
import { digestOf, hasMethods, invalidInput } from '../../src/internal.js';
import { parseReviewAnswer } from './review-answer.js';
import { REVIEW_KIND, type ReviewRequest } from './types.js';

/** A thread that waits for the answer of a person. Plain JSON, so another process can use it. */
export interface PendingReview {
  /** Names this request. A node that asks again has the same `interruptId`, and another `id`. */
  id: string;
  threadId: string;
  /** The id of LangGraph's interrupt. */
  interruptId: string;
  /** The time of the thread's latest checkpoint, as ISO 8601. */
  since: string;
  request: ReviewRequest;
}

/** The used part of a compiled graph. The types of its input and config differ between graphs. */
export interface ResumableGraph<Output = unknown> {
  checkpointer?: BaseCheckpointSaver | boolean;
  invoke(input: never, config: never): Promise<Output>;
}

/** The channels that a running task writes. A write to any other channel means that the task has ended. */
const UNFINISHED = new Set([INTERRUPT, '__resume__', '__error__', '__error_source_node__', '__scheduled__']);
const PAGE = 1000;

/**
 * The threads that wait in an interrupt of `createCragGraph`, oldest first, then by thread and id. Interrupts of other
 * kinds are left out.
 *
 * Without a `threadId`, it reads every checkpoint of the database, at most 1000 at a time. A review inside a sub-graph
 * is listed under the thread of the parent. LangGraph shows several interrupts of one sub-graph one at a time.
 *
 * @throws ContextShapingError `invalid-input`, if the first argument is no checkpointer.
 */
export async function pendingReviews(
  checkpointer: BaseCheckpointSaver,
  { threadId }: { threadId?: string | undefined } = {},
): Promise<PendingReview[]> {
  if (!hasMethods(checkpointer, 'getTuple') || !hasMethods(checkpointer, 'list')) {
    throw invalidInput(
      'checkpointer',
      checkpointer,
      'is not a checkpointer of LangGraph',
      'Give the checkpointer of the graph, such as a MemorySaver, SqliteSaver or PostgresSaver.',
    );
  }
  const found: PendingReview[] = [];
  if (threadId === undefined)
    for await (const tuple of latestOfAll(checkpointer)) found.push(...askedIn(tuple));
  else {
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: '' } });
    if (tuple !== undefined) found.push(...askedIn(tuple));
  }
  const key = ({ since, threadId, id }: PendingReview) => [since, threadId, id].join('\n');
  return found.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/**
 * Continues the thread of a review with the answer of a person. The answer is checked first, so a malformed one changes
 * nothing. If the run fails or is killed, the review is listed again until the graph has gone past it. An answer that
 * the graph has taken stays: a later one has no effect.
 *
 * It claims nothing: if two processes continue one thread at the same time, the steps may run twice. Let one process
 * continue a thread.
 *
 * @param review A listed review, or its `threadId` and `id`.
 * @param config For the call of the graph: `signal`, `context`, and so on.
 * @returns the output of the graph, with `__interrupt__` if it asks again.
 * @throws ContextShapingError `invalid-input`: no thread waits for this review any more, the answer is malformed, or the
 *   graph has no checkpointer. Also what the graph throws.
 */
export async function resume<Graph extends ResumableGraph>(
  graph: Graph,
  { threadId, id }: Pick<PendingReview, 'threadId' | 'id'>,
  answer: unknown,
  config: LangGraphRunnableConfig = {},
): Promise<Awaited<ReturnType<Graph['invoke']>>> {
  const { checkpointer } = graph;
  if (typeof checkpointer !== 'object') {
    throw invalidInput(
      'graph',
      graph,
      'has no checkpointer, so no thread of it waits',
      'Give the graph that asked for the review, compiled with its checkpointer.',
    );
  }
  const pending = await pendingReviews(checkpointer, { threadId });
  const review = pending.find((each) => each.id === id);
  if (review === undefined) {
    throw invalidInput('review', id, 'is not open: no thread waits for it', 'List the reviews again.');
  }
  const command = new Command({
    resume: { [review.interruptId]: parseReviewAnswer(answer, review.request) },
  });
  const configurable = { ...config.configurable, thread_id: threadId };
  // An answer is saved before the step after it begins.
  const durable = { durability: 'sync', ...config, configurable };
  return graph.invoke(command as never, durable as never) as Promise<Awaited<ReturnType<Graph['invoke']>>>;
}

function askedIn({ config, checkpoint, pendingWrites = [] }: CheckpointTuple): PendingReview[] {
  const finished = new Set(
    pendingWrites.filter(([, channel]) => !UNFINISHED.has(channel)).map(([task]) => task),
  );
  return pendingWrites.flatMap(([task, channel, written]) => {
    // A task that ended beside a waiting task may have left its interrupt.
    if (channel !== INTERRUPT || finished.has(task)) return [];
    // One interrupt; since LangGraph 1.5 an array of interrupts.
    return [written].flat().flatMap((interrupt: unknown) => {
      const { id: interruptId, value } = (interrupt ?? {}) as { id?: unknown; value?: unknown };
      if (typeof interruptId !== 'string' || !isRequest(value)) return [];
      return [
        {
          id: `${interruptId}.${digestOf(JSON.stringify(value)).slice(0, 16)}`,
          threadId: String(config.configurable?.thread_id),
          interruptId,
          since: checkpoint.ts,
          request: value,
        },
      ];
    });
  });
}

/** The latest checkpoint of each thread. */
async function* latestOfAll(checkpointer: BaseCheckpointSaver): AsyncGenerator<CheckpointTuple> {
  // A checkpointer in memory needs no pages, and lists its checkpoints thread by thread, newest first.
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
  const isOurs = kind === REVIEW_KIND && version === 4 && typeof query === 'string';
  return isOurs && Array.isArray(chunks) && Array.isArray(evicted);
}
