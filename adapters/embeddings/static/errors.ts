/** Errors about the files of a model. */
import type { ContextShapingError } from '../../../src/index.js';
import { invalidInput, messageOf } from '../../../src/internal.js';

/** The command of Hugging Face that downloads a model into a folder. */
const DOWNLOAD = 'hf download OWNER/MODEL config.json tokenizer.json model.safetensors --local-dir FOLDER';

/** The error for a malformed file of a model. `field` begins with the name of the file. */
export function malformed(
  field: string,
  value: unknown,
  is: string,
  remedy = `Download the model again: ${DOWNLOAD}.`,
): ContextShapingError {
  return invalidInput(field, value, is, remedy);
}

/** The error for a file that cannot be read. */
export function unreadable(path: string, cause: unknown): ContextShapingError {
  const { code } = cause as NodeJS.ErrnoException;
  const is = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : 'cannot be read';
  const remedy = `Give the path of a folder that this command has filled: ${DOWNLOAD}.`;
  return invalidInput(path, code ?? messageOf(cause), is, remedy, cause);
}
