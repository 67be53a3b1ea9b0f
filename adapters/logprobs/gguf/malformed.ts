import { ContextShapingError } from '../../../src/index.js';

const OTHERWISE = 'Use node-llama-cpp or a server such as llama-server for this model.';

/** Of a file that is not what it should be. `field` is what the file calls it. */
export function malformed(
  field: string,
  value: unknown,
  is: string,
  remedy = 'Fetch or convert the model again.',
): ContextShapingError {
  return new ContextShapingError('invalid-input', { field: `GGUF: ${field}`, value, is, remedy });
}

/** Of a sound file that needs more than the few lines of arithmetic here. */
export function unsupported(field: string, value: unknown, is: string): ContextShapingError {
  return malformed(field, value, is, OTHERWISE);
}
