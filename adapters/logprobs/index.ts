/**
 * Models with log-probabilities, judges.
 *
 * @packageDocumentation
 */

export type { HttpOptions } from '../json-service/index.js';
export type { ChatModelLike } from '../model-calls/index.js';
export type { ChatJudgeOptions } from './chat-calls.js';
export { chatJudge } from './chat-judge/chat-judge.js';
export { type ListJudgeOptions, listJudge } from './list-judge/list-judge.js';
export { type LlamaServerOptions, llamaServer } from './llama-server/llama-server.js';
export {
  type InProcessModel,
  type LlamaModelLike,
  type NodeLlamaCppOptions,
  nodeLlamaCpp,
} from './node-llama-cpp.js';
export { type OllamaModelOptions, ollamaModel } from './ollama/ollama.js';
export type { OllamaRunnerOptions } from './ollama/runner.js';
export { type OpenAICompatibleOptions, openAICompatible } from './openai-compatible/openai-compatible.js';
