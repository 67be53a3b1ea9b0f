/**
 * A cross-encoder in this process, through Transformers.js.
 *
 * @packageDocumentation
 */
export { type CrossEncoder, type CrossEncoderOptions, crossEncoder } from './cross-encoder.js';
export type { TransformersModule } from './open-model.js';
