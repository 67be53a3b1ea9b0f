import type { BaseCheckpointSaver, BaseStore, LangGraphRunnableConfig } from '@langchain/langgraph';
import type { ReviewAnswer, ReviewRequest } from '../../crag/index.js';

export interface ReviewQueueOptions {
  /** The checkpointer of the graph. It must keep the first of two writes of one task: MemorySaver, SqliteSaver, PostgresSaver. */
  checkpointer: BaseCheckpointSaver;
  /**
   * The store of the graph. The review node writes an index of waiting threads into it. Without a store, listing reads
   * every checkpoint of the database, at most 1000 at a time.
   */
  store?: BaseStore | undefined;
  /** The duration of a claim without renewal, in milliseconds. Default 300,000. */
  leaseMs?: number | undefined;
  /** The clock, in milliseconds since 1970. Default `Date.now`. The clocks of workers must agree to within a fraction of a lease. */
  now?: (() => number) | undefined;
}

/** A request to a person. The thread waits for the answer. */
export interface Review {
  /** The id of LangGraph’s interrupt. */
  id: string;
  threadId: string;
  /** The time of the request, as ISO 8601. */
  since: string;
  request: ReviewRequest;
  /** The person with the claim, and the end of the claim, as ISO 8601. */
  claim?: { by: string; until: string };
  /** There is an answer, and the run that continues with it has not ended. */
  answered: boolean;
  /** The thread has taken the answer, which is saved. Its run is under way or has failed; `resume` continues it. */
  unfinished?: true;
}

/** The exclusive right to answer, for a limited time. Plain JSON, so another process can use it. */
export interface Claim {
  id: string;
  threadId: string;
  /** Names the request. A node that asks again has the same `id`, and another `asking`. */
  asking: string;
  by: string;
  /** ISO 8601. */
  until: string;
  token: string;
}

/** A listed review, or an id alone. A listed review is found without reading all checkpoints. */
export type ReviewReference = string | Pick<Review, 'id' | 'threadId'>;

/** The used part of a compiled graph. The types of its input (a command, or null) and config differ between graphs. */
export interface ResumableGraph {
  invoke(input: never, config: never): Promise<unknown>;
}

export interface ResumeOptions {
  /** The config of every call of the graph, for instance its context. */
  config?: LangGraphRunnableConfig | undefined;
  signal?: AbortSignal | undefined;
  /** The most threads to continue. Failed threads do not count, since a few could block all others. Default: all. */
  limit?: number | undefined;
  /** Only this thread. */
  threadId?: string | undefined;
}

/** `reviews`: ids of the reviews whose answers the thread got. */
export interface Resumed {
  /** `output` is the result of the graph, with `__interrupt__` if it asks again. */
  resumed: { threadId: string; reviews: string[]; output: unknown }[];
  /** The next `resume` continues them again, with their answers unless the thread has saved these. */
  failed: { threadId: string; reviews: string[]; error: unknown }[];
}

export interface ReviewQueue {
  /** Oldest first, then by thread and id. */
  list(options?: { limit?: number | undefined; threadId?: string | undefined }): Promise<Review[]>;
  get(review: ReviewReference): Promise<Review | undefined>;
  /** @returns `undefined` if another person holds the review, it has an answer, or no thread waits for it. */
  claim(
    review: ReviewReference,
    options: { by: string; leaseMs?: number | undefined },
  ): Promise<Claim | undefined>;
  /** Extends the claim to `leaseMs` from now. @returns `undefined` if the claim expired and another person has the review. */
  renew(claim: Claim, options?: { leaseMs?: number | undefined }): Promise<Claim | undefined>;
  /** @returns whether the claim was still valid. */
  release(claim: Claim): Promise<boolean>;
  /**
   * Records the answer exactly once, under the name `by`. Its default is the name in the claim, or without a claim the
   * name in the answer. Without a claim, a review can be answered that is not held, or that is held under this name.
   *
   * @returns the answer, checked.
   * @throws ContextShapingError `invalid-input`: no thread waits for the review, it has an answer, another person holds
   *   it, or the answer is malformed.
   */
  answer(
    review: ReviewReference | Claim,
    answer: unknown,
    options?: { by?: string | undefined },
  ): Promise<ReviewAnswer>;
  /**
   * Continues all threads that have an answer, one after the other. Only one worker continues a thread at a time. The
   * record of a review is deleted when the run ends or asks again. If the run fails or its process ends, the review
   * stays answered: the next `resume` continues from the saved steps, so the node that stopped may run again. A thread
   * that its application continued with another input is left alone.
   */
  resume(graph: ResumableGraph, options?: ResumeOptions): Promise<Resumed>;
}
