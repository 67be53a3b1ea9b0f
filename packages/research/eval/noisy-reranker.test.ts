import { expect, test } from 'vitest';
import type { Case } from './data/case.js';
import { LEVELS, noisyReranker } from './noisy-reranker.js';

/** Each with one relevant chunk among ten. */
const cases = Array.from(
  { length: 300 },
  (_, at): Case => ({
    id: `q${at}`,
    group: `q${at}`,
    question: `question ${at}`,
    chunks: Array.from({ length: 10 }, (_, place) => ({
      id: `c${place}`,
      text: `passage ${place} of question ${at}`,
    })),
    relevant: [`c${at % 10}`],
    answers: [],
    facts: [],
  }),
);

async function scoresOf(distance: number, seed: number): Promise<number[][]> {
  const reranker = noisyReranker(cases, distance, seed);
  const answers: number[][] = [];
  for (const { question, chunks } of cases) {
    const { scores } = await reranker.rerank(
      question,
      chunks.map(({ text }) => text),
    );
    answers.push(scores as number[]);
  }
  return answers;
}

test.each(LEVELS.map(({ auc, distance }) => [auc, distance] as const))(
  'a reranker of AUC %s has it, to .03',
  async (auc, distance) => {
    let [wins, pairs] = [0, 0];
    for (const [at, scores] of (await scoresOf(distance, 1)).entries()) {
      const relevant = scores[at % 10] as number;
      for (const [place, score] of scores.entries()) {
        if (place === at % 10) continue;
        pairs++;
        wins += relevant > score ? 1 : 0;
      }
    }
    expect(Math.abs(wins / pairs - Number(auc))).toBeLessThan(0.03);
  },
);

test('its noise is that of the seed, the question and the text, in any order', async () => {
  expect(await scoresOf(0.9, 2)).toEqual(await scoresOf(0.9, 2));
  expect(await scoresOf(0.9, 3)).not.toEqual(await scoresOf(0.9, 2));
  const reranker = noisyReranker(cases, 0.9, 2);
  const texts = cases[0]?.chunks.map(({ text }) => text) ?? [];
  const forwards = await reranker.rerank('question 0', texts);
  const backwards = await reranker.rerank('question 0', texts.toReversed());
  expect(backwards.scores.toReversed()).toEqual(forwards.scores);
});

test('a text with a title before it is still that of its chunk', async () => {
  const [first] = cases as [Case];
  const long = { ...first, chunks: [{ id: 'c0', text: 'The passage that has the answer to the question.' }] };
  const { scores } = await noisyReranker([long], Number.POSITIVE_INFINITY, 1).rerank(long.question, [
    'Title\nThe passage that has the answer to the question.',
    'Another passage that has no answer to anything.',
  ]);
  expect(scores[0]).toBeGreaterThan(scores[1] as number);
});
