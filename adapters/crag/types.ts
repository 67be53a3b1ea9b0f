import type { DocumentInterface } from '@langchain/core/documents';
import type { Conflict, Degradation, Failed } from '../../src/index.js';
import type { ReviewReason, SearchEntry, Verdict } from './record.js';

/** A kept chunk, to be graded. */
export interface GradeRequest {
  /** The question. */
  query: string;
  /** Names the chunk in the ledger. */
  id: string;
  /** The chunk as the model would see it: where it was cut, what is left of it. */
  text: string;
  metadata: Readonly<Record<string, unknown>>;
  /** Probability, 0..1, that the text answers the question, judged by its words alone; needs no model. */
  support: number;
  /** In nats, where the shaper's `ecs` measured it. */
  utility?: number;
}

export interface Grade {
  /** How surely the chunk helps to answer: 0 not at all, 1 without doubt. */
  grade: number;
  /** One sentence for the ledger. */
  reason?: string;
}

/** From `upper` on a chunk answers the question; below `lower` it does not help. Both 0..1. */
export interface Thresholds {
  lower: number;
  upper: number;
}

/** Says of chunks how surely they help to answer the question. */
export interface Grader {
  /** Names it in the ledger. */
  name: string;
  /**
   * Chunks per call. Each call is a step of the graph: once done, a crash does not repeat it. Default 1.
   * `Infinity`: all at once, for graders that cost nothing.
   */
  batchSize?: number;
  /** Bounds of the three verdicts that suit its grades. Default `{ lower: 0.3, upper: 0.7 }`. */
  thresholds?: Thresholds;
  /** One grade, or failure, per request, in their order. */
  grade(
    requests: readonly GradeRequest[],
    call: { signal?: AbortSignal | undefined },
  ): Promise<readonly (Grade | Failed)[]>;
}

/** Makes the question into words for a search engine. */
export type Rewrite = (
  request: RewriteRequest,
  call: { signal?: AbortSignal | undefined },
) => Promise<string>;

export interface RewriteRequest {
  query: string;
  /** From 1. */
  attempt: number;
  /** What was searched for before, oldest first. */
  previous: readonly string[];
}

/** Finds documents; an empty array is an answer, a throw is a failure. */
export type WebSearch = (
  query: string,
  call: { signal?: AbortSignal | undefined },
) => Promise<DocumentInterface[]>;

/** Asks a person and waits; answers as {@link ReviewAnswer}. */
export type OnReview = (
  request: ReviewRequest,
  call: { signal?: AbortSignal | undefined },
) => Promise<unknown>;

/** Marks the value of an interrupt as a request for review. */
export const REVIEW_KIND = 'context_shaping.review';

/** What a person is asked. Plain JSON. */
export interface ReviewRequest {
  kind: typeof REVIEW_KIND;
  version: 1;
  /** From 1: how often this run has asked. */
  round: number;
  /** `context`: is this what the model should see? `search`: may the web be searched for `search`? */
  about: 'context' | 'search';
  /** The question as it stands. */
  query: string;
  reasons: ReviewReason[];
  verdict: Verdict;
  /** What would be searched for, where that is the question. */
  search?: string;
  /** What would be handed on. */
  chunks: ReviewChunk[];
  /** What would not, and why. */
  evicted: ReviewEviction[];
  conflicts: Conflict[];
  /** Searches so far. */
  searches: SearchEntry[];
  degradations: Degradation[];
  /** What was wrong with the answer that was given before: it is asked for again. */
  problem?: string;
}

export interface ReviewChunk {
  id: string;
  text: string;
  /** Where it is from. */
  origin: 'retrieved' | 'web' | 'person';
  source?: string;
  grade?: number;
  reason?: string;
}

export interface ReviewEviction {
  id: string;
  /** Of the ledger: `exact-duplicate`, `outranked`, `low-grade`, … */
  reason: string;
  stage: string;
  /** The beginning of its text. */
  preview: string;
  source?: string;
  grade?: number;
}

/** What a person may answer. Ids are of `chunks` and `evicted` of the request. */
export type ReviewAnswer = {
  /** Who answers, for the ledger. */
  by?: string;
  note?: string;
} & (
  | ({
      /** Go on with this context. About a search: search. */
      action: 'approve';
      /** Search for these words (instead); `false`: do not search. */
      search?: string | false;
    } & ReviewEdits)
  /** The person knows: the answer becomes a document of the context, and stays in any budget it fits. */
  | ({ action: 'answer'; answer: string } & ReviewEdits)
  /** Another question: everything is shaped and graded anew for it. */
  | ({ action: 'edit'; query: string } & ReviewEdits)
  /** Nothing of this may reach the model. */
  | { action: 'refuse' }
);

export interface ReviewEdits {
  /** These stay, whatever their grade. */
  pin?: string[];
  /** These go. */
  veto?: string[];
  /** These come back, and stay. */
  unevict?: string[];
}
