/** Errors about GGUF files. */
import { ContextShapingError } from '../../src/index.js';

/** The error for a malformed file. `field` is the name of the entry in the file. */
export function malformed(
  field: string,
  value: unknown,
  is: string,
  remedy = 'Download or convert the model again.',
): ContextShapingError {
  return new ContextShapingError('invalid-input', { field: `GGUF: ${field}`, value, is, remedy });
}

/** The error for a valid file with features that this engine does not have. */
export function unsupported(field: string, value: unknown, is: string): ContextShapingError {
  const remedy = 'Use node-llama-cpp or a server such as llama-server for this model.';
  return malformed(field, value, is, remedy);
}
