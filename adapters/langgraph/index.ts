/**
 * Corrective retrieval as a graph of LangGraph: graders, searches, and reviews by people.
 *
 * @packageDocumentation
 */
export { type CragGraph, type CragGraphFields, createCragGraph } from './crag-graph.js';
export type { CragOptions } from './crag-options.js';
export type {
  CragRecord,
  GradeEntry,
  GradeVerdict,
  ReviewEntry,
  ReviewReason,
  SearchEntry,
  Verdict,
} from './record.js';
export type { ReviewAnswer } from './review-answer.js';
export { type PendingReview, pendingReviews, type ResumableGraph, resume } from './reviews.js';
export {
  type Grade,
  type GradeRequest,
  type Grader,
  REVIEW_KIND,
  type ReviewChunk,
  type ReviewEviction,
  type ReviewRequest,
  type Rewrite,
  type Thresholds,
  type WebSearch,
} from './types.js';
