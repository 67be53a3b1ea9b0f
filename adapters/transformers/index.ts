/**
 * Models in this process through Transformers.js: cross-encoders, language models, sentence encoders, pruning models.
 *
 * @packageDocumentation
 */
export { type CausalModel, type CausalModelOptions, causalModel } from './causal-model.js';
export { type CrossEncoder, type CrossEncoderOptions, crossEncoder } from './cross-encoder.js';
export type { TransformersModule } from './engine.js';
export type { LoadProgress, TransformersOptions } from './options.js';
export {
  type SentenceEncoder,
  type SentenceEncoderOptions,
  sentenceEncoder,
} from './sentence-encoder.js';
export { type SentencePruner, type SentencePrunerOptions, sentencePruner } from './sentence-pruner.js';
