/** Parses JSON with errors that name the source, and the line and column where the engine says its position. */
import { invalidInput, messageOf } from '../../src/internal.js';

/**
 * @param name the source of the text, for the message: a file name, `standard input`.
 * @param own the number of the line, and what to do, if the text is one line of a file with a value on each.
 * @throws ContextShapingError `invalid-input`.
 */
export function parseJson(text: string, name: string, own?: { line: number; remedy: string }): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = messageOf(cause);
    const at = / at position (\d+)/.exec(message);
    const before = text.slice(0, Number(at?.[1] ?? 0)).split('\n');
    const line = own?.line ?? (at ? before.length : undefined);
    const places = [
      name,
      ...(line === undefined ? [] : [`line ${line}`]),
      ...(at ? [`column ${(before.at(-1)?.length ?? 0) + 1}`] : []),
    ];
    const rest = text.slice(at ? Number(at[1]) : 0).split('\n', 1)[0];
    const remedy = own?.remedy ?? 'Correct the text there, or write it with JSON.stringify or json.dumps.';
    throw invalidInput(`${places.join(', ')},`, rest, `is not JSON: ${message}`, remedy, cause);
  }
}
