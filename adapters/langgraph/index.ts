/**
 * Corrective retrieval as a graph of LangGraph: graders, searches, and reviews by people.
 *
 * @packageDocumentation
 */
export {
  type ChatGraderOptions,
  type ChatRewriteOptions,
  type CragOptions,
  type CragRecord,
  chatGrader,
  chatRewrite,
  fromJudge,
  type Grade,
  type GradeEntry,
  type GradeRequest,
  type Grader,
  type GradeVerdict,
  REVIEW_KIND,
  type ReviewAnswer,
  type ReviewChunk,
  type ReviewEntry,
  type ReviewEviction,
  type ReviewReason,
  type ReviewRequest,
  type Rewrite,
  type SearchEntry,
  type SearchTool,
  type Thresholds,
  type Verdict,
  type WebSearch,
  type WebSearchLike,
} from '../crag/index.js';
export { type CragGraph, type CragGraphFields, createCragGraph } from './crag-graph.js';
export { type PendingReview, pendingReviews, type ResumableGraph, resume } from './reviews.js';
export { CRAG_EVENT, type CragEvent } from './run.js';
