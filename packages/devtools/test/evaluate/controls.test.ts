import { expect, test } from 'vitest';
import { CONTROLS, type ControlledPool } from '../../src/evaluate/controls.js';

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
const texts = [
  'one two three four',
  'The bridge opened in May. It is old. The bridge is red.',
  'five six seven eight nine ten',
  'last words',
];
const pool = (more: Partial<ControlledPool> = {}): ControlledPool => {
  const chunks = texts.map((text, at) => ({ id: `${at}`, text }));
  return {
    question: 'When did the bridge open?',
    chunks,
    tokens: chunks.map(({ text }) => words(text)),
    seed: 1,
    countTokens: words,
    ...more,
  };
};
const fill = (name: string, maxTokens: number, equal = maxTokens, given = pool()) => {
  const control = CONTROLS.find((each) => each.name === name) as (typeof CONTROLS)[number];
  return control.read(given)(maxTokens, equal);
};
const tokensOf = (parts: readonly { text: string }[]) =>
  parts.reduce((sum, { text }) => sum + words(text), 0);

test('no control has more tokens than it may, and each has only texts of the pool', () => {
  for (const { name } of CONTROLS) {
    for (let budget = 1; budget <= 30; budget++) {
      const parts = fill(name, budget);
      expect(tokensOf(parts), name).toBeLessThanOrEqual(budget);
      for (const { place, text } of parts)
        for (const sentence of text.split(/(?<=\.) /)) expect(texts[place]).toContain(sentence);
    }
    expect(fill(name, 1000, 1000).length, name).toBe(texts.length);
  }
});

test('top k: whole chunks in their order, without those that do not fit', () => {
  expect(fill('top k', 12).map(({ place }) => place)).toEqual([0, 2, 3]);
});

test('head and tail: the list without its middle', () => {
  expect(fill('head and tail', 8).map(({ text }) => text)).toEqual([
    'one two three four',
    'nine ten',
    'last words',
  ]);
});

test('sentence BM25: the best sentences and their neighbours, in the order of the text', () => {
  expect(fill('sentence BM25', 6)).toEqual([{ place: 1, text: 'The bridge opened in May.' }]);
  expect(fill('sentence BM25', 10)).toEqual([{ place: 1, text: 'The bridge opened in May. It is old.' }]);
});

test('sentence BM25: scores that fall give the prior, distances that rise do not', () => {
  const scored = (scores: readonly number[]) =>
    pool({
      question: 'zebra',
      chunks: texts.map((text, at) => ({ id: `${at}`, text, score: scores[at] as number })),
    });
  // The prior of a place is high for all of the first places; that of scores falls at once.
  const first = (scores: readonly number[]) => fill('sentence BM25', 5, 5, scored(scores))[0]?.place;
  expect(first([9, 0.1, 0.1, 0])).toBe(0);
  expect(first([0, 1, 2, 90])).toBe(0);
});

test('random chunks: as many tokens as the first options, the same for a seed, others for another', () => {
  const places = (seed: number) => fill('random chunks', 1000, 18, pool({ seed })).map(({ place }) => place);
  expect(places(1)).toEqual(places(1));
  expect(new Set(Array.from({ length: 20 }, (_, seed) => places(seed).join())).size).toBeGreaterThan(5);
  for (let equal = 0; equal <= 23; equal++)
    expect(tokensOf(fill('random chunks', 1000, equal)), `${equal}`).toBe(equal);
});
