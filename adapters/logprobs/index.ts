export {
  type CalibrateOptions,
  type CalibrationProfile,
  calibrate,
  type MethodFigures,
  type RankingFigures,
} from './calibrate/calibrate.js';
export { checkQuestion, type LabelledQuestion } from './calibrate/labelled.js';
export type { Interval } from './calibrate/statistics.js';
export { type ChatJudgeOptions, type ChatModelLike, chatJudge } from './chat-judge.js';
export { ggufModel, loadGgufModel } from './gguf-model.js';
export type { HttpOptions } from './json-service.js';
export { type LlamaServerOptions, llamaServer } from './llama-server.js';
export {
  type InProcessModel,
  type LlamaModelLike,
  type NodeLlamaCppOptions,
  nodeLlamaCpp,
} from './node-llama-cpp.js';
export { type OllamaModelOptions, ollamaModel } from './ollama.js';
export { type OpenAICompatibleOptions, openAICompatible } from './openai-compatible.js';
