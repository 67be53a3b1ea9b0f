/** Whether a text is about the subject of a question. */
import { expect, test } from 'vitest';
import { concerns } from '../../src/text/concerns.js';

test.each([
  ['The warranty lasts two years.', 'How long is the warranty?', true],
  ['It retries failed deliveries.', 'What happens after a failed delivery?', true],
  ['The harbour was opened by the mayor.', 'How long is the warranty?', false],
  // Words that hold a sentence together are no subject.
  ['It is the one of the two.', 'Is it the warranty?', false],
  // A question without a subject may be about anything.
  ['The harbour was opened in 1901.', 'What is it?', true],
])('%s – %s: %s', (text, question, expected) => {
  expect(concerns(text, question)).toBe(expected);
});
