/** Errors about GGUF files. */
import type { ContextShapingError } from '../../src/index.js';
import { invalidInput, messageOf } from '../../src/internal.js';

/** The error for a malformed file. `field` is the name of the entry in the file. */
export function malformed(
  field: string,
  value: unknown,
  is: string,
  remedy = 'Download or convert the model again.',
): ContextShapingError {
  return invalidInput(`GGUF: ${field}`, value, is, remedy);
}

/** The error for a valid file with features that this engine does not have. */
export function unsupported(field: string, value: unknown, is: string): ContextShapingError {
  const remedy = 'Use node-llama-cpp or a server such as llama-server for this model.';
  return malformed(field, value, is, remedy);
}

/** The error for a file that cannot be read. */
export function unreadable(path: string, cause: unknown): ContextShapingError {
  const { code } = cause as NodeJS.ErrnoException;
  const is = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : 'cannot be read';
  return invalidInput(path, code ?? messageOf(cause), is, 'Give the path of a GGUF file.', cause);
}
