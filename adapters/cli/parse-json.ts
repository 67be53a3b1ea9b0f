/** Parses JSON with errors that name the source. */
import { invalidInput, messageOf } from '../../src/internal.js';

const REMEDY = 'Correct the text, or write it with JSON.stringify or json.dumps.';

/**
 * @param name the source of the text, for the message: a file name, `standard input`, a line of a file.
 * @throws ContextShapingError `invalid-input`.
 */
export function parseJson(text: string, name: string, remedy = REMEDY): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidInput(name, text, `is not JSON: ${messageOf(cause)}`, remedy, cause);
  }
}
