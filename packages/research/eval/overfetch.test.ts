import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Case } from './data/case.js';
import { foundCase, overfetch } from './overfetch.js';

const caseOf = (question: string, chunks: Case['chunks']): Case => ({
  id: question,
  group: question,
  question,
  chunks,
  relevant: ['c0'],
  answers: [],
  facts: [],
});

const word = fc.constantFrom('boat', 'bee', 'leith', 'ayr', 'honey', 'oak');
const words = (maxLength: number) => fc.array(word, { maxLength }).map((list) => list.join(' '));

test('lists are the best of the collection by BM25, as its formula says', () => {
  fc.assert(
    fc.property(
      fc.array(words(9), { minLength: 1, maxLength: 12 }),
      words(3),
      fc.nat(12),
      (texts, question, size) => {
        const split = (text: string) => text.split(' ').filter(Boolean);
        const average = texts.reduce((sum, text) => sum + split(text).length, 0) / texts.length;
        const scoreOf = (text: string) =>
          [...new Set(split(question))].reduce((sum, term) => {
            const df = texts.filter((other) => split(other).includes(term)).length;
            const tf = split(text).filter((each) => each === term).length;
            const idf = Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
            const length = split(text).length;
            return tf === 0 ? sum : sum + (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / average));
          }, 0);
        const [list] = overfetch(
          {
            cases: [
              caseOf(
                question,
                texts.map((text, at) => ({ id: `c${at}`, text })),
              ),
            ],
          },
          size,
        );
        const found = list?.ids.map((id) => texts[Number(id.slice(1))] as string) ?? [];
        expect(list?.scores).toEqual(found.map((text) => expect.closeTo(scoreOf(text), 10)));
        expect(list?.scores).toEqual(list?.scores.toSorted((a, b) => b - a));
        expect(new Set(list?.ids).size).toBe(found.length);
        // Nothing that was left out is better, and nothing that shares a term with the question was left out for less.
        const matching = texts
          .map(scoreOf)
          .filter((score) => score > 0)
          .sort((a, b) => b - a);
        expect(list?.scores).toEqual(matching.slice(0, size).map((score) => expect.closeTo(score, 10)));
      },
    ),
    { numRuns: 300, seed: 1 },
  );
});

test('ties stay in the order of the collection; each collection has its own rarities', () => {
  const boats = ['boat of oak', 'boat of elm', 'oak'].map((text, at) => ({ id: `c${at}`, text }));
  const oaks = ['oak', 'oak', 'oak boat'].map((text, at) => ({ id: `c${at}`, text }));
  const lists = overfetch({ cases: [caseOf('boat', boats), caseOf('boat', oaks), caseOf('bee', oaks)] }, 2);
  expect(lists.map(({ ids }) => ids)).toEqual([['c0', 'c1'], ['c2'], []]);
  expect(lists[1]?.scores[0]).toBeGreaterThan(lists[0]?.scores[0] as number);
});

test('what was found becomes the pool, in its order; what was missed stays relevant', () => {
  const chunks = ['bees', 'oak oak boat', 'boat'].map((text, at) => ({ id: `c${at}`, text }));
  const [list] = overfetch({ cases: [caseOf('the boat', chunks)] }, 5);
  expect(foundCase(list as NonNullable<typeof list>)).toEqual({
    ...caseOf('the boat', chunks),
    chunks: [chunks[2], chunks[1]],
  });
});
