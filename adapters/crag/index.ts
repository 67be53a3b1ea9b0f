/** Corrective retrieval without a graph: graders, web search, rewriting, and the requests to people. */
export { type ChatGraderOptions, type ChatRewriteOptions, chatGrader, chatRewrite } from './chat.js';
export type { CragOptions } from './crag-options.js';
export { ecsGrader, fromJudge, relevanceGrader } from './graders.js';
export { type CheckedCragOptions, checkCragOptions, cragOptionsSchema } from './options.js';
export type {
  CragRecord,
  GradeEntry,
  GradeVerdict,
  ReviewEntry,
  ReviewReason,
  SearchEntry,
  Verdict,
} from './record.js';
export { parseReviewAnswer, type ReviewAnswer } from './review-answer.js';
export {
  type Grade,
  type GradeRequest,
  type Grader,
  REVIEW_KIND,
  type ReviewChunk,
  type ReviewEviction,
  type ReviewRequest,
  type Rewrite,
  type SearchTool,
  type Thresholds,
  type WebSearch,
  type WebSearchLike,
} from './types.js';
export { toWebSearch } from './web-search.js';
