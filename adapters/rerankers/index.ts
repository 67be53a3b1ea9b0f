/**
 * Rerankers: over HTTP and of other libraries; and as judges, for `ecs`.
 *
 * @packageDocumentation
 */
export type { HttpOptions } from '../json-service/index.js';
export { type AiSdkRerankerOptions, aiSdkReranker, type RerankingModelLike } from './ai-sdk.js';
export type { RerankDialect } from './http/dialects.js';
export { type HttpRerankerOptions, httpReranker } from './http/http-reranker.js';
export {
  type DocumentCompressorLike,
  type LangChainRerankerOptions,
  langChainReranker,
} from './langchain.js';
export { rerankJudge } from './rerank-judge.js';
