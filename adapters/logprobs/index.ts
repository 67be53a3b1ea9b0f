/**
 * Models with log-probabilities.
 *
 * @packageDocumentation
 */

export type { HttpOptions } from '../model-calls/index.js';
export { type LlamaServerOptions, llamaServer } from './llama-server.js';
export {
  type InProcessModel,
  type LlamaModelLike,
  type NodeLlamaCppOptions,
  nodeLlamaCpp,
} from './node-llama-cpp.js';
export { type OllamaModelOptions, ollamaModel } from './ollama.js';
export { type OpenAICompatibleOptions, openAICompatible } from './openai-compatible.js';
