/** The id of a line of a batch. */
import { invalidInput, isObject } from 'context-shaping/kit';

/** A line may have an id, which its result repeats. */
export type LineId = string | number;

/**
 * Separates the id of a line from its request. `null` counts as absent.
 *
 * @throws ContextShapingError `invalid-input`: the id is neither a string nor a number, or a number that JavaScript rounds.
 */
export function splitId(line: unknown): { id?: LineId | undefined; request: unknown } {
  if (!isObject(line) || line.id === undefined) return { request: line };
  const { id, ...request } = line;
  if (id === null) return { request };
  if (typeof id !== 'string' && typeof id !== 'number')
    throw invalidInput('$.id', id, 'must be a string or a number', 'Give such an id, or leave it out.');
  const isRounded = typeof id === 'number' && !(Math.abs(id) <= Number.MAX_SAFE_INTEGER);
  if (isRounded) throw invalidInput('$.id', id, 'is too large a number', 'Write the id as a string.');
  return { id, request };
}
