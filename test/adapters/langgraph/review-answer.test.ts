import { expect, test } from 'vitest';
import { parseReviewAnswer } from '../../../adapters/langgraph/review-answer.js';
import { request } from './review-graphs.js';

const context = request('What does it cost?');
const long = 'x'.repeat(20_001);

test.each([
  { action: 'approve' },
  { action: 'approve', keep: ['price', 'old'], by: 'ann', note: 'n' },
  { action: 'approve', search: 'bicycle price' },
  { action: 'approve', keep: [] },
  { action: 'answer', answer: ' 300 euros\n', keep: ['rain'] },
  { action: 'refuse', by: 'ann', note: 'Not our prices.' },
])('%j comes back unchanged', (answer) => {
  expect(parseReviewAnswer(structuredClone(answer), context)).toEqual(answer);
});

test.each<[unknown, string, RegExp]>([
  [undefined, 'action', /is no action.*approve, answer, refuse/],
  ['yes', 'action', /is no action/],
  [{}, 'action', /is no action/],
  [{ action: 'aprove' }, 'action', /"aprove"/],
  [{ action: 'constructor' }, 'action', /is no action/],
  [JSON.parse('{"__proto__":{"action":"approve"}}'), 'action', /is no action/],
  [JSON.parse('{"action":"approve","__proto__":{"search":"x"}}'), '__proto__', /is not an option/],
  [{ action: 'approve', answer: 'a' }, 'answer', /known here: action, search, keep, by, note/],
  [{ action: 'refuse', keep: ['price'] }, 'keep', /known here: action, by, note/],
  [{ action: 'answer' }, 'answer', /must be a string/],
  [{ action: 'answer', answer: ' \n' }, 'answer', /must have a character/],
  [{ action: 'answer', answer: long }, 'answer', /at most 20000 characters/],
  [{ action: 'approve', search: false }, 'search', /must be a string/],
  [{ action: 'approve', by: 5 }, 'by', /must be a string/],
  [{ action: 'approve', keep: 'price' }, 'keep', /must be an array/],
  [{ action: 'approve', keep: ['price', 5] }, 'keep.1', /must be a string/],
  [{ action: 'approve', keep: ['price', 'x'] }, 'keep.1', /"x".*Give some of "price", "rain", "old"/],
  [{ action: 'approve', keep: ['price'], search: 'cost' }, 'keep', /no effect before a search/],
])('%j is refused', (answer, field, message) => {
  expect(() => parseReviewAnswer(answer, context)).toThrow(
    expect.objectContaining({
      ...{ kind: 'invalid-input', field: `answer.${field}` },
      message: expect.stringMatching(message),
    }),
  );
});
