/** Errors about the files of a model. */
import { ContextShapingError } from '../../../src/index.js';

/** The error for a malformed file of a model. `field` begins with the name of the file. */
export function malformed(
  field: string,
  value: unknown,
  is: string,
  remedy = 'Download the model again: context-shaping pull OWNER/MODEL.',
): ContextShapingError {
  return new ContextShapingError('invalid-input', { field, value, is, remedy });
}
