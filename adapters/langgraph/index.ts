export type { Grade, GradeRequest, Grader } from '../crag/index.js';
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
