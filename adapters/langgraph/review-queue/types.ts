import type { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph';
import type { ReviewAnswer, ReviewRequest } from '../../crag/index.js';
import type { ResumableGraph, Resumed, ResumeOptions } from './resume.js';

export type { ResumableGraph, Resumed, ResumeOptions };

export interface ReviewQueueOptions {
  /** The graph’s own. It must keep the first of two writes of one task: MemorySaver, SqliteSaver, PostgresSaver. */
  checkpointer: BaseCheckpointSaver;
  /**
   * The graph’s own: an index of threads that wait, which the review node writes. Without one, listing reads
   * every checkpoint of the database, at most 1000 at a time.
   */
  store?: BaseStore | undefined;
  /** How long a claim lasts unless it is renewed, in milliseconds. Default 300,000. */
  leaseMs?: number | undefined;
  /** Milliseconds since 1970. Default `Date.now`. Clocks of workers must agree to within a fraction of a lease. */
  now?: (() => number) | undefined;
}

/** Somebody has been asked, and the thread waits. */
export interface Review {
  /** Of LangGraph’s interrupt. */
  id: string;
  threadId: string;
  /** When the thread came to the question, as ISO 8601. */
  since: string;
  request: ReviewRequest;
  /** Who has it in hand, and until when, as ISO 8601. */
  claim?: { by: string; until: string };
  /** There is an answer, and the run that goes on with it has not come to its end. */
  answered: boolean;
  /** The thread has gone on with the answer, which is saved. Its run is under way, or has failed; `resume` continues it. */
  unfinished?: true;
}

/** The right to answer, for a while. Plain JSON; it may be handed to another process. */
export interface Claim {
  id: string;
  threadId: string;
  /** Names the question: a node that asks again does so under the same id. */
  asking: string;
  by: string;
  /** ISO 8601. */
  until: string;
  token: string;
}

/** A review that was listed is found without reading all checkpoints; an id alone will do. */
export type ReviewReference = string | Pick<Review, 'id' | 'threadId'>;

export interface ReviewQueue {
  /** Oldest first, then by thread and id. */
  list(options?: { limit?: number | undefined; threadId?: string | undefined }): Promise<Review[]>;
  get(review: ReviewReference): Promise<Review | undefined>;
  /** @returns nothing, if somebody else holds it, it is answered, or nobody waits for it any more. */
  claim(
    review: ReviewReference,
    options: { by: string; leaseMs?: number | undefined },
  ): Promise<Claim | undefined>;
  /** From now on for another `leaseMs`. @returns nothing, if the claim ran out and somebody else has it. */
  renew(claim: Claim, options?: { leaseMs?: number | undefined }): Promise<Claim | undefined>;
  /** @returns whether it was still held. */
  release(claim: Claim): Promise<boolean>;
  /**
   * Records the answer, exactly once, in the name of `by`: by default that of the claim, and without a claim that of
   * the answer. Who gives no claim may answer what nobody holds, or what is held under this name.
   *
   * @returns the answer, checked.
   * @throws ContextShapingError `invalid-input`: nobody waits for it, it is answered, somebody else holds it, or
   *   the answer is wrong.
   */
  answer(
    review: ReviewReference | Claim,
    answer: unknown,
    options?: { by?: string | undefined },
  ): Promise<ReviewAnswer>;
  /**
   * Continues all threads that have an answer, one after the other, each by one worker at a time. What was recorded
   * of a review is deleted once the run has come to its end, or asks again. A run that fails stays answered, and so
   * does one whose process ended: the next `resume` continues it from what was saved, so that the node may run again
   * at which it stopped. Threads that their application continued by itself, with another input, are left alone.
   */
  resume(graph: ResumableGraph, options?: ResumeOptions): Promise<Resumed>;
}
