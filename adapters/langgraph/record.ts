/** The additions of corrective retrieval to a report: the record of its steps, two reasons of evictions, four degradations. */

declare module '../../src/types.js' {
  interface ReportExtensions {
    /** The record of corrective retrieval, if it was used. */
    crag?: CragRecord;
  }
  interface EvictionExtensions {
    /** The grader found that the chunk does not help to answer. */
    'low-grade': { grade: number; minGrade: number };
    /** A person excluded the chunk. */
    vetoed: { by?: string; note?: string };
  }
  interface DegradationExtensions {
    'grader-failed': true;
    'rewrite-failed': true;
    'search-failed': true;
    'grade-gate-lifted': true;
  }
}

/** How well a context answers, by the grades of its chunks: Corrective Retrieval (Yan et al., 2024). */
export type GradeVerdict = 'correct' | 'ambiguous' | 'incorrect';

/** The last decision about the context: by grades, or by a person (`approved`, `answered`, `refused`). */
export type Verdict = GradeVerdict | 'approved' | 'answered' | 'refused';

/** Why a person is asked. */
export type ReviewReason = 'ambiguous' | 'incorrect' | 'conflict';

/** The record of corrective retrieval. */
export interface CragRecord {
  verdict: Verdict;
  /** The result: the context, a person's answer with the context, or nothing because a person refused. */
  outcome: 'context' | 'answered' | 'refused';
  /** The person's answer. */
  answer?: string;
  /** The steps, in their order; a decision with its verdict: `decide: incorrect`. */
  path: string[];
  /** The name of the grader. */
  grader: string;
  /** A chunk with a grade of at least `upper` answers; a chunk with a grade below `lower` does not help. */
  thresholds: { lower: number; upper: number };
  /** In input order. */
  grades: GradeEntry[];
  searches: SearchEntry[];
  reviews: ReviewEntry[];
}

export interface GradeEntry {
  id: string;
  /** Place in the input, from 0. */
  index: number;
  /** 0..1. */
  grade: number;
  /** The grader's reason. */
  reason?: string;
  /** The substitute for the grader: `relevance` if the grader failed. */
  by?: string;
}

export interface SearchEntry {
  query: string;
  /** Number of documents that the run did not have before. */
  found: number;
  /** Why the search failed. */
  failure?: string;
}

export interface ReviewEntry {
  reasons: ReviewReason[];
  action: 'approve' | 'answer' | 'refuse';
  by?: string;
  note?: string;
  /** The words that the person gave for another search. */
  search?: string;
  /** The only documents that were kept. */
  keep?: string[];
}
