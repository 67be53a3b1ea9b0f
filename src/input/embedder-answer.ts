import { ContextShapingError } from '../errors.js';

/**
 * Checks that an embedder returned one vector per text. The vectors themselves are checked where they are used.
 *
 * @throws ContextShapingError `invalid-input`.
 */
export function checkAnswer(answer: unknown, texts: number): asserts answer is ArrayLike<number>[] {
  if (Array.isArray(answer) && answer.length === texts) return;
  throw new ContextShapingError('invalid-input', {
    field: 'embedder',
    value: Array.isArray(answer) ? answer.length : answer,
    is: `must return ${texts} vectors for ${texts} texts`,
    remedy: 'Return one vector per text, in the order of the texts.',
  });
}

/** Whether an embedder returned one vector per text, all of one dimension, with finite numbers alone. */
export function areVectors(answer: unknown, texts: number): answer is ArrayLike<number>[] {
  if (!Array.isArray(answer) || answer.length !== texts) return false;
  const dimension = (answer[0] as ArrayLike<number> | null | undefined)?.length;
  // By index: a list may have holes.
  for (let at = 0; at < texts; at++) {
    const vector: unknown = answer[at];
    if (typeof vector !== 'object' || vector === null) return false;
    const { length } = vector as ArrayLike<number>;
    if (!Number.isSafeInteger(length) || length < 1 || length !== dimension) return false;
    for (let axis = 0; axis < length; axis++)
      if (!Number.isFinite((vector as ArrayLike<number>)[axis])) return false;
  }
  return true;
}
