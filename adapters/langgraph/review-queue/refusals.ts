/** Why an answer was not taken, in words. */
import { ContextShapingError } from '../../../src/index.js';

const LIST = 'List the reviews again.';

export const notAsked = (id: string): ContextShapingError =>
  refusal(id, 'is not a review that anybody waits for', LIST);

export const askedAnew = (id: string): ContextShapingError =>
  refusal(id, 'is asked anew, of another context', 'Claim it again, and answer what it asks now.');

export const overtaken = (id: string): ContextShapingError =>
  refusal(id, 'was taken by somebody else after its claim had run out', LIST);

/** @param taken by whom, and whether by an answer. */
export const refused = (id: string, taken: { by: string; answered: boolean }): ContextShapingError =>
  taken.answered
    ? refusal(id, `is answered already, by ${taken.by}`, LIST)
    : refusal(id, `is held by ${taken.by}`, 'Wait until the claim is released or has run out.');

export const noReference = (given: unknown): ContextShapingError =>
  refusal(
    given,
    'is neither a review, nor the id of one, nor a claim',
    'Where a claim was not got, there is none.',
  );

function refusal(id: unknown, is: string, remedy: string): ContextShapingError {
  return new ContextShapingError('invalid-input', { field: 'review', value: id, is, remedy });
}
