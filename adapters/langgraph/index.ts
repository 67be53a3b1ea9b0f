export {
  type ChatGraderOptions,
  type ChatRewriteOptions,
  type CragOptions,
  chatGrader,
  chatRewrite,
  fromJudge,
  type Grade,
  type GradeRequest,
  type Grader,
  keywords,
  type OnReview,
  REVIEW_KIND,
  type ReviewAnswer,
  type ReviewChunk,
  type ReviewEdits,
  type ReviewEviction,
  type ReviewRequest,
  type Rewrite,
  type RewriteRequest,
  type SearchTool,
  type Thresholds,
  type WebSearch,
  type WebSearchLike,
} from '../crag/index.js';
export { type CragGraph, type CragGraphFields, createCragGraph } from './crag-graph.js';
export { CRAG_EVENT, type CragEvent } from './events.js';
export { indexReview } from './review-queue/review-index.js';
export type {
  Claim,
  ResumableGraph,
  Resumed,
  ResumeOptions,
  Review,
  ReviewQueue,
  ReviewQueueOptions,
  ReviewReference,
} from './review-queue/types.js';
export { createReviewQueue } from './review-queue.js';
