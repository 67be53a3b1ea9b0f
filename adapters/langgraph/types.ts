import type { Conflict, Degradation, Failed } from '../../src/index.js';
import type { GradeVerdict, ReviewReason, SearchEntry } from './record.js';

interface Call {
  signal?: AbortSignal | undefined;
}

/** A kept chunk that needs a grade. */
export interface GradeRequest {
  /** The question. */
  query: string;
  /** The chunk's id in the ledger. */
  id: string;
  /** The chunk as the model would see it: the kept excerpts, if it was cut. */
  text: string;
  metadata: Readonly<Record<string, unknown>>;
  /** Probability, 0..1, that a pool answers the question in which this text is the best: by words alone, without a model. */
  support: number;
  /** In nats, if the shaper's `ecs` measured it. */
  utility?: number;
}

export interface Grade {
  /** Confidence that the chunk helps to answer, 0..1. */
  grade: number;
  /** A reason for the ledger, one sentence. */
  reason?: string;
}

/** A chunk with a grade of at least `upper` answers the question; below `lower` it does not help. Both 0..1. */
export interface Thresholds {
  lower: number;
  upper: number;
}

/** Grades how well chunks help to answer the question. */
export interface Grader {
  /** The grader's name in the ledger. */
  name: string;
  /** The thresholds that fit its grades. Default `{ lower: 0.3, upper: 0.7 }`. */
  thresholds?: Thresholds;
  /** Returns one grade, or failure, per request, in their order. It gets all chunks of a round at once. */
  grade(requests: readonly GradeRequest[], call: Call): Promise<readonly (Grade | Failed)[]>;
}

/** Turns the question into a search query. */
export type Rewrite = (request: { query: string }, call: Call) => Promise<string>;

/**
 * Finds documents: an array of documents, or a result in any form of common search services. An empty array is a valid
 * answer; a thrown error is a failure.
 */
export type WebSearch = (query: string, call: Call) => unknown;

/** Marks the value of an interrupt as a request for review. */
export const REVIEW_KIND = 'context_shaping.review';

/** The request to a person. Plain JSON. */
export interface ReviewRequest {
  kind: typeof REVIEW_KIND;
  version: 4;
  /** The number of this request within the run, from 1. */
  round: number;
  /** The question. */
  query: string;
  reasons: ReviewReason[];
  verdict: GradeVerdict;
  /** The chunks of the current result. */
  chunks: ReviewChunk[];
  /** The evicted chunks, with reasons. */
  evicted: ReviewEviction[];
  /** Among the kept chunks, with the statements of the sides. */
  conflicts: Conflict[];
  /** All searches of the run so far. */
  searches: SearchEntry[];
  degradations: Degradation[];
  /** The problem of the last answer, if the request is repeated because of it. */
  problem?: string;
}

export interface ReviewChunk {
  id: string;
  text: string;
  /** The origin of the document. */
  origin: 'retrieved' | 'web' | 'person';
  source?: string;
  grade?: number;
  reason?: string;
}

export interface ReviewEviction {
  id: string;
  /** The reason in the ledger: `exact-duplicate`, `outranked`, `low-grade`, … */
  reason: string;
  stage: string;
  /** The beginning of its text. */
  preview: string;
  source?: string;
  grade?: number;
}
