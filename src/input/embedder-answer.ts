import { ContextShapingError } from '../errors.js';

/**
 * Checks that an embedder gave one vector per text. What is in the vectors is checked where they are used.
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
