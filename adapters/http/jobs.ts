/** What the service does with a request, wherever it runs: bytes in, bytes out. */
import type { Embedder, ShapingOptions } from '../../src/index.js';

/** What the operator provides; the caller of the service cannot choose any of it. */
export interface Setup {
  /** Gives vectors to chunks that come without. */
  embedder?: Embedder | undefined;
  /** Options of `POST /v1/shape` that callers need not give; theirs go over these, but for a longer `deadlineMs`. */
  options?: ShapingOptions | undefined;
}

/** A request, as a worker gets it. */
export interface Job {
  kind: 'optimize' | 'shape';
  body: Uint8Array;
  /** Did the caller say that the body is JSON? */
  isJson: boolean;
}

/** The answer, and what the log and the metrics may know of it: numbers, no texts. */
export interface Done {
  status: number;
  contentType: string;
  body: string;
  facts?: Facts | undefined;
  /** Where it went wrong, if the service is to blame: for the log alone. */
  failure?: Failure | undefined;
}

export interface Facts {
  chunksIn: number;
  chunksOut: number;
  tokensIn: number;
  tokensOut: number;
  /** By reason. */
  evictions: Readonly<Record<string, number>>;
  /** Codes. */
  degradations: readonly string[];
  /** Kinds of flags, one for each chunk that has one. */
  flags: readonly string[];
}

/** An error without its message, which may quote the caller. */
export interface Failure {
  name: string;
  code?: string | undefined;
  /** Lines of the stack. */
  at: string[];
}

/** As it comes back from a worker: with its body in bytes, so that the thread of the server need not write them. */
export type Answer = Omit<Done, 'body'> & { body: string | Uint8Array };

/** Told after each stage, as it happens. Plain JSON. */
export type OnStage = (event: object) => void;

/** Does a job. Never rejects because of what the caller sent. */
export type Perform = (job: Job, signal?: AbortSignal, onStage?: OnStage) => Promise<Done>;

/** How many evictions there are of each reason. */
export function countReasons(evicted: readonly { reason: string }[]): Facts['evictions'] {
  const counts: Record<string, number> = {};
  for (const { reason } of evicted) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
