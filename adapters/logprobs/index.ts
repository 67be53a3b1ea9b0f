/**
 * Models with log-probabilities, judges, and the calibration that decides whether one may rank.
 *
 * @packageDocumentation
 */

export {
  type CalibrateOptions,
  type CalibrationProfile,
  calibrate,
} from '../../packages/devtools/src/calibrate/calibrate.js';
export type {
  MethodFigures,
  RankingFigures,
  RivalFigures,
} from '../../packages/devtools/src/calibrate/figures.js';
export {
  checkQuestion,
  type LabelledPassage,
  type LabelledQuestion,
} from '../../packages/devtools/src/calibrate/labelled-question.js';
export {
  type CalibrateSentencesOptions,
  calibrateSentences,
  type SentenceCalibration,
} from '../../packages/devtools/src/calibrate/sentences.js';
export type { Gain } from '../../packages/devtools/src/gate/index.js';
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
