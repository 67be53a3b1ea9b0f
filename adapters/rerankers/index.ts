/**
 * Rerankers: over HTTP and of the AI SDK; and as judges, for `ecs`.
 *
 * @packageDocumentation
 */
export type { HttpOptions } from '../model-calls/index.js';
export { type AiSdkRerankerOptions, aiSdkReranker, type RerankingModelLike } from './ai-sdk.js';
export { type HttpRerankerOptions, httpReranker, type RerankDialect } from './http-reranker.js';
export { rerankJudge } from './rerank-judge.js';
