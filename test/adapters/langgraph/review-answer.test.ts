import { ContextShapingError } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { parseReviewAnswer } from '../../../adapters/langgraph/review-answer.js';
import { request } from '../langgraph/review-graphs.js';

/** For the name of a test. */
const short = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? 'nothing';

const context = request('What does it cost?');

function refusal(value: unknown, asked = context): Pick<ContextShapingError, 'field' | 'value' | 'message'> {
  try {
    parseReviewAnswer(value, asked);
  } catch (error) {
    if (!ContextShapingError.isInstance(error) || error.kind !== 'invalid-input') throw error;
    return error;
  }
  throw new Error('accepted');
}

describe('an accepted answer comes back unchanged', () => {
  test.each([
    [{ action: 'approve' }],
    [{ action: 'approve', keep: ['price', 'old'], by: 'ann', note: 'n' }],
    [{ action: 'approve', search: 'bicycle price' }],
    [{ action: 'approve', keep: [] }],
    [{ action: 'answer', answer: ' 300 euros\n', keep: ['rain'] }],
    [{ action: 'answer', answer: 'x'.repeat(20_000) }],
    [{ action: 'edit', query: 'What did it cost?' }],
    [{ action: 'refuse', by: 'ann', note: 'Not our prices.' }],
  ])('%#', (answer) => {
    const given = structuredClone(answer);
    expect(parseReviewAnswer(answer, context)).toEqual(given);
  });
});

test('what a parser of JSON makes of hostile names is refused', () => {
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    const extra = JSON.parse(`{"action":"approve","${name}":{"search":"x"}}`);
    expect(refusal(extra).field).toBe(`answer.${name}`);
    expect(refusal({ action: name }).field).toBe('answer.action');
  }
  expect(refusal(JSON.parse('{"__proto__":{"action":"approve"}}')).field).toBe('answer.action');
});

test('a bare word', () => {
  for (const yes of [true, 'approve']) expect(parseReviewAnswer(yes, context)).toEqual({ action: 'approve' });
  for (const no of [false, 'refuse']) expect(parseReviewAnswer(no, context)).toEqual({ action: 'refuse' });
});

describe('a refused answer is named, with the allowed values', () => {
  const long = 'x'.repeat(20_001);
  const cases: [unknown, string, RegExp][] = [
    [undefined, 'answer', /"approve".*"answer".*"edit".*"refuse"/],
    ['yes', 'answer', /has no valid action/],
    [{}, 'answer.action', /has no valid action.*\{ action: "edit", query, by, note \}/],
    [{ action: 'aprove' }, 'answer.action', /has no valid action/],
    [{ action: 'approve', pins: [] }, 'answer.pins', /\{ action: "approve", search, keep, by, note \}/],
    [{ action: 'approve', answer: 'a' }, 'answer.answer', /is not a field of this action/],
    [{ action: 'refuse', keep: ['price'] }, 'answer.keep', /\{ action: "refuse", by, note \}/],
    [{ action: 'answer' }, 'answer.answer', /must be a text/],
    [{ action: 'answer', answer: ' \n' }, 'answer.answer', /is empty/],
    [{ action: 'answer', answer: long }, 'answer.answer', /longer than 20000/],
    [{ action: 'approve', search: false }, 'answer.search', /must be a text/],
    [{ action: 'approve', search: long }, 'answer.search', /longer than 20000/],
    [{ action: 'approve', by: 5 }, 'answer.by', /must be a text/],
    [{ action: 'approve', keep: 'price' }, 'answer.keep', /must be a list of ids/],
    [{ action: 'approve', keep: ['price', 5] }, 'answer.keep[1]', /must be an id/],
    [{ action: 'approve', keep: ['price', 'x'] }, 'answer.keep[1]', /Give some of "price", "rain", "old"/],
    [{ action: 'approve', keep: ['price'], search: 'cost' }, 'answer.keep', /no effect before a search/],
  ];
  test.each(cases.map((each) => [short(each[0]), ...each] as const))('%s', (_, value, field, words) => {
    const error = refusal(value);
    expect(error.field).toBe(field);
    expect(error.message).toMatch(words);
  });

  test('the value is the one that is wrong', () => {
    expect(refusal({ action: 'approve', keep: ['price', 'x'] }).value).toBe('x');
    expect(refusal({ action: 'nothing' }).value).toBe('nothing');
  });
});
