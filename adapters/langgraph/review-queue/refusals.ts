/** The errors for refused answers. */
import { ContextShapingError } from '../../../src/index.js';

const LIST = 'List the reviews again.';

export const notAsked = (id: string): ContextShapingError =>
  refusal(id, 'is not open: no thread waits for it', LIST);

export const askedAnew = (id: string): ContextShapingError =>
  refusal(id, 'was asked again, about another context', 'Claim it again, and answer the new request.');

export const overtaken = (id: string): ContextShapingError =>
  refusal(id, 'was claimed by another person after the claim had expired', LIST);

/** @param taken the person with the claim, and whether that person has answered. */
export const refused = (id: string, taken: { by: string; answered: boolean }): ContextShapingError =>
  taken.answered
    ? refusal(id, `has an answer already, by ${taken.by}`, LIST)
    : refusal(id, `is claimed by ${taken.by}`, 'Wait until the claim is released or expires.');

export const noReference = (given: unknown): ContextShapingError =>
  refusal(
    given,
    'must be a review, the id of a review, or a claim',
    '`claim()` may have returned undefined: then there is no claim to renew, release or answer.',
  );

function refusal(id: unknown, is: string, remedy: string): ContextShapingError {
  return new ContextShapingError('invalid-input', { field: 'review', value: id, is, remedy });
}
