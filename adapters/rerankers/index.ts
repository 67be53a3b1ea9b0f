/**
 * Rerankers: over HTTP, and as judges, for `ecs`.
 *
 * @packageDocumentation
 */
export type { HttpOptions } from '../model-calls/index.js';
export { type HttpRerankerOptions, httpReranker, type RerankDialect } from './http-reranker.js';
export { rerankJudge } from './rerank-judge.js';
