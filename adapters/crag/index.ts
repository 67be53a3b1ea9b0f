/** Corrective retrieval without a graph: graders, web search, rewriting, and the requests to people. */
export { type ChatRewriteOptions, chatRewrite } from './chat-rewrite.js';
export type { CragOptions } from './crag-options.js';
export { type ChatGraderOptions, chatGrader } from './graders/chat.js';
export { fromJudge } from './graders/judge.js';
export { ecsGrader, relevanceGrader } from './graders/without-model.js';
export { keywords } from './keywords/keywords.js';
export { checkThresholds, cragOptionsSchema } from './options/options.js';
export type {
  CragRecord,
  GradeEntry,
  GradeVerdict,
  ReviewEntry,
  ReviewReason,
  SearchEntry,
  Verdict,
} from './record.js';
export { type ResolvedCragOptions, resolveCragOptions } from './resolve-options.js';
export { parseReviewAnswer } from './review-answer.js';
export {
  type Grade,
  type GradeRequest,
  type Grader,
  type OnReview,
  REVIEW_KIND,
  type ReviewAnswer,
  type ReviewChunk,
  type ReviewEdits,
  type ReviewEviction,
  type ReviewRequest,
  type Rewrite,
  type RewriteRequest,
  type Thresholds,
  type WebSearch,
} from './types.js';
export type { SearchTool, WebSearchLike } from './web-search/search-kind.js';
export { toWebSearch } from './web-search/web-search.js';
