import { ContextShapingError } from '../../src/index.js';

/** Of a model whose files are not what they should be. `field` starts with the name of the file. */
export function malformed(
  field: string,
  value: unknown,
  is: string,
  remedy = 'Fetch the model again: context-shaping pull OWNER/MODEL.',
): ContextShapingError {
  return new ContextShapingError('invalid-input', { field, value, is, remedy });
}
