/** Jobs: the work of the service on a request, in a worker or in the main thread. Bytes in, bytes out. */
import type { Embedder, ShapingOptions } from 'context-shaping';
import type { Failure, Problem } from './problems.js';

/** The embedder and the options of the operator. Requests cannot change the embedder. */
export interface Setup {
  /** Embeds chunks that have no vectors. */
  embedder?: Embedder | undefined;
  /** Default options of `POST /v1/shape`. Requests override them, but cannot extend `deadlineMs`. */
  options?: ShapingOptions | undefined;
}

/** A request as a worker gets it. */
export interface Job {
  kind: 'optimize' | 'shape';
  body: Uint8Array;
  /** Whether the content type of the request is JSON. */
  isJson: boolean;
  /** The body is a line of a batch. */
  batch?: OfBatch | undefined;
  /** Headers that name the trace of the request. */
  trace?: Readonly<Record<string, string>> | undefined;
}

/** The settings that the lines of a batch share. All are the operator's, so reports keep the reasons of degradations. */
export interface OfBatch {
  /** Override the options of the setup; those of a line override both. */
  options: ShapingOptions;
  /** Whether results have the report. */
  report: boolean;
}

/** The answer, and facts for the log and the metrics: numbers and codes, no texts. */
export interface Done {
  status: number;
  /** JSON; absent if there is a problem. */
  body?: string | undefined;
  /** Each route has its own form for problems. */
  problem?: Problem | undefined;
  facts?: Facts | undefined;
  /** An error of the service itself, for the log only. */
  failure?: Failure | undefined;
}

export interface Facts {
  chunksIn: number;
  chunksOut: number;
  tokensIn: number;
  tokensOut: number;
  /** Numbers of evictions by reason. */
  evictions: Readonly<Record<string, number>>;
  /** Codes of degradations. */
  degradations: readonly string[];
  /** Kinds of flags; a kind appears once for each chunk with that flag. */
  flags: readonly string[];
}

/** An answer from a worker. Its body is bytes, so that the main thread need not encode it. */
export type Answer = Omit<Done, 'body'> & { body?: string | Uint8Array | undefined };

/** Runs a job. A wrong request leads to an answer, never to a rejection. */
export type Perform = (job: Job, signal?: AbortSignal) => Promise<Done>;

/** The bounds of a job, and a callback. */
export interface JobLimits {
  /** The job is refused if so many wait. Absent: never. */
  maxQueue?: number | undefined;
  /** Longest wait for a thread, in milliseconds. Absent: any time. */
  waitMs?: number | undefined;
  /** Longest work, in milliseconds. A wait for a thread does not count: under load the running jobs have waited longest. */
  workMs: number;
  /** Called when the first thread begins the job. */
  onBegin?: (() => void) | undefined;
}

/**
 * Runs a job. If its client leaves, a waiting job is dropped, and a running job gets a message.
 *
 * @throws Unanswered; the reason of `left`.
 */
export type Run = (job: Job, left: AbortSignal, limits: JobLimits) => Promise<Answer>;

/** Counts evictions by reason. */
export function countReasons(evicted: readonly { reason: string }[]): Facts['evictions'] {
  const counts: Record<string, number> = {};
  for (const { reason } of evicted) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
