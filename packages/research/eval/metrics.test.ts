import { expect, test } from 'vitest';
import type { Case } from './data/case.js';
import {
  allFactsKept,
  allStepsKept,
  answerKept,
  answersKept,
  evidenceShareKept,
  f1,
  factsKept,
  holdsAnswer,
  ndcgAt,
  normaliseAnswer,
  ownFactKept,
  recallAt,
  someOfEachKept,
} from './metrics.js';

const question: Case = {
  id: 'q',
  group: 'q',
  question: 'Who founded the town at the mouth of the river?',
  chunks: [
    {
      id: 'a',
      text: 'Harbour\nThe town was founded by Ada Byron. It is old.',
      metadata: { title: 'Harbour' },
    },
    { id: 'b', text: 'River\nThe river ends in 1,400 arms.', metadata: { title: 'River' } },
  ],
  relevant: ['a', 'b'],
  answers: ['Ada Byron', 'Countess of Lovelace'],
  facts: [
    { chunk: 'a', text: ' The town was founded by Ada Byron.', answer: 'Byron' },
    { chunk: 'b', text: 'The river ends in 1,400 arms.', answer: '1,400' },
  ],
};

test('answers are compared without case, punctuation and articles', () => {
  expect(normaliseAnswer('The  “Great” Wall, a wall')).toBe('great wall wall');
  expect(holdsAnswer('In 1901, the UNITED-KINGDOM …', ['a United Kingdom'])).toBe(true);
});

test('an answer is held as whole words, and one without words by nothing', () => {
  expect(holdsAnswer('founded in 1945', ['4'])).toBe(false);
  expect(holdsAnswer('the category', ['cat'])).toBe(false);
  expect(holdsAnswer('the cat', ['dog', 'cat'])).toBe(true);
  expect(holdsAnswer('anything', ['The', '…'])).toBe(false);
});

test('an answer counts within one text, not across two', () => {
  expect(answerKept(question, [{ id: 'a', text: 'by Ada Byron.' }])).toBe(1);
  expect(
    answerKept(question, [
      { id: 'a', text: 'by Ada' },
      { id: 'b', text: 'Byron' },
    ]),
  ).toBe(0);
});

test('facts count word for word, white space at their ends aside', () => {
  const one = [{ id: 'a', text: 'The town was founded by Ada Byron.' }];
  expect(factsKept(question, one)).toBe(0.5);
  expect(allFactsKept(question, one)).toBe(0);
  expect(allFactsKept(question, question.chunks)).toBe(1);
  expect(factsKept(question, [{ id: 'a', text: 'the town was founded by ada byron' }])).toBe(0);
});

test('a title alone is nothing of a chunk', () => {
  const [a, b] = question.chunks as [Kept, Kept];
  expect(someOfEachKept(question, [a, { id: 'b', text: 'River\n' }])).toBe(0);
  expect(someOfEachKept(question, [a, { id: 'b', text: 'arms.' }])).toBe(1);
  expect(someOfEachKept(question, [b])).toBe(0);
});

test('the answer of a step counts in the chunk of that step', () => {
  const steps = (a: string, b: string) =>
    allStepsKept(question, [
      { id: 'a', text: a },
      { id: 'b', text: b },
    ]);
  expect(steps('founded by Ada Byron', 'in 1,400 arms')).toBe(1);
  expect(steps('in 1,400 arms', 'founded by Ada Byron')).toBe(0);
});

test('F1 and recall are those of their formulas', () => {
  expect(f1(['a', 'b'], ['a', 'c'])).toBe(0.5);
  expect(f1(['a', 'b'], ['b'])).toBeCloseTo(2 / 3, 12);
  expect(f1(['a'], [])).toBe(0);
  expect(recallAt(1, ['a', 'b'], ['b', 'a'])).toBe(0.5);
  expect(recallAt(5, ['a', 'b'], ['b', 'a'])).toBe(1);
});

interface Kept {
  id: string;
  text: string;
}

test('nDCG: what is found late counts by its place, what is missed not at all', () => {
  expect(ndcgAt(10, ['a'], ['a', 'x'])).toBe(1);
  expect(ndcgAt(10, ['a'], ['x', 'y', 'a'])).toBe(1 / Math.log2(4));
  expect(ndcgAt(10, ['a', 'b'], ['x', 'a'])).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 12);
  expect(ndcgAt(2, ['a'], ['x', 'y', 'a'])).toBe(0);
  expect(ndcgAt(10, ['a'], [])).toBe(0);
  // No list of two can hold three: two of them are all that is asked for.
  expect(ndcgAt(2, ['a', 'b', 'c'], ['c', 'a'])).toBe(1);
});

test('of several right answers each counts for itself', () => {
  expect(answersKept(question, [{ id: 'a', text: 'by Ada Byron.' }])).toBe(0.5);
  expect(answersKept(question, [{ id: 'b', text: 'Ada Byron, countess of Lovelace' }])).toBe(1);
  expect(answersKept(question, [])).toBe(0);
});

test('a fact counts in its own chunk, though another says the same', () => {
  const fact = { ...question, facts: [{ chunk: 'b', text: '1,400' }] };
  expect(ownFactKept(fact, [{ id: 'b', text: 'in 1,400 arms' }])).toBe(1);
  expect(ownFactKept(fact, [{ id: 'a', text: 'in 1,400 arms' }])).toBe(0);
});

test('the share of the evidence that was kept is counted in tokens of distinct sentences, wherever they are', () => {
  const words = (text: string) => text.split(/\s+/).length;
  const half = { ...question, relevant: ['b'] };
  // "River", and "The river ends in 1,400 arms."
  expect(evidenceShareKept(half, [{ id: 'b', text: 'The river  ends\nin 1,400 arms.' }], words)).toBe(6 / 7);
  expect(evidenceShareKept(half, [{ id: 'a', text: 'River. The river ends' }], words)).toBe(1 / 7);
  expect(evidenceShareKept(half, [{ id: 'b', text: 'The town.' }], words)).toBe(0);
  expect(evidenceShareKept(question, [...question.chunks], words)).toBe(1);
});
