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
