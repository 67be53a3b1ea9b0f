import { afterAll, describe, expect, test } from 'vitest';
import { loadHotpot } from '../../../eval/data/multihop.js';
import { loadNaturalQuestions } from '../../../eval/data/nq.js';
import { makeDataFolder } from '../../../eval/data-folder.js';
import { embeddingsFilter, maximalMarginal } from '../../../eval/methods/langchain.js';
import { bm25, bm25Scores, plain, random, tfidf } from '../../../eval/methods/lexical.js';
import { type Method, ranker, topOf } from '../../../eval/methods/method.js';
import { naive, randomSentences } from '../../../eval/methods/naive.js';
import { entropyOrder, ours, oursScoresVectors, oursVectors } from '../../../eval/methods/ours.js';
import { type Pool, poolMaker } from '../../../eval/pool.js';
import { countTokens } from '../../../eval/tokens.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

/** Counts of letters: vectors of a sort. */
const embedder = {
  embed: async (texts: readonly string[]) =>
    texts.map((text) => Array.from('abcdefghij', (letter) => text.split(letter).length)),
};
const makePool = poolMaker(embedder);
const cases = [...(loadNaturalQuestions(folder)?.cases ?? []), ...(loadHotpot(folder)?.cases ?? [])];
const pool: Pool = {
  seed: 1,
  question: 'When did the boat sink?',
  chunks: [
    { id: 'long', text: 'The boat did sink on a Sunday, after nine days at sea and three on the rocks.' },
    { id: 'short', text: 'The boat sank.' },
    { id: 'other', text: 'Bees make honey.' },
  ],
  vectors: {
    question: [1, 0],
    chunks: [
      [0.9, 0.1],
      [1, 0.1],
      [0, 1],
    ],
  },
};
const words = (text: string) => text.split(' ').length;

const METHODS: Method[] = [
  random,
  plain,
  entropyOrder,
  tfidf,
  bm25,
  embeddingsFilter,
  maximalMarginal,
  naive,
  randomSentences,
  ours,
  oursVectors,
  oursScoresVectors,
];

describe.each(METHODS)('$name', (method) => {
  test('keeps within the budget, only what is in the pool, the same each time', async () => {
    expect(cases.length).toBeGreaterThan(20);
    for (const [at, each] of cases.entries()) {
      const given = await makePool(each, at);
      const total = each.chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
      for (const factor of [1, 3, 9]) {
        const kept = await method.fit(given, Math.floor(total / factor), countTokens);
        expect(kept.reduce((sum, { text }) => sum + countTokens(text), 0)).toBeLessThanOrEqual(
          total / factor,
        );
        const ids = new Set(each.chunks.map(({ id }) => id));
        expect(kept.every(({ id }) => ids.has(id))).toBe(true);
        expect(await method.fit(given, Math.floor(total / factor), countTokens)).toEqual(kept);
      }
    }
  });

  test.runIf(method.top)('gives as many as asked for, none twice', async () => {
    const top = (await method.top?.(pool, 2)) ?? [];
    expect(new Set(top).size).toBe(2);
  });
});

test('a ranker skips what does not fit, and goes on', async () => {
  const given = ranker('given', () => [0, 1, 2]);
  expect((await given.fit(pool, 6, words)).map(({ id }) => id)).toEqual(['short', 'other']);
  expect(await given.top?.(pool, 2)).toEqual(['long', 'short']);
});

test('what the retriever says is handed on: where words tell nothing, its order or its scores decide', async () => {
  const chunks = ['oak', 'elm', 'ash', 'fir'].map((text) => ({ id: text, text }));
  const given: Pool = { seed: 0, question: 'boat', chunks, ranked: true };
  expect(await topOf(plain, given, 3)).toEqual(['oak', 'elm', 'ash']);
  expect(await topOf(ours, given, 3)).toEqual(['oak', 'elm', 'ash']);
  const scored = chunks.map((chunk, at) => ({ ...chunk, score: [4, 3, 1, 2][at] as number }));
  expect(await topOf(ours, { ...given, chunks: scored, ranked: 'auto' }, 3)).toEqual(['oak', 'elm', 'fir']);
});

test('the order of a pool is evidence where it is said to be, and only there', async () => {
  const tops = (isRanked: boolean) =>
    Promise.all(
      cases.map(({ question, chunks }) =>
        topOf(ours, { seed: 0, question, chunks, ...(isRanked && { ranked: true }) }, 3),
      ),
    );
  expect(await tops(true)).not.toEqual(await tops(false));
  for (const { question, chunks } of cases.slice(0, 3)) {
    const both = await Promise.all(
      [chunks, chunks.toReversed()].map((some) => topOf(ours, { seed: 0, question, chunks: some }, 1)),
    );
    expect(both[1]).toEqual(both[0]);
  }
});

test('BM25 is that of its formula, and knows who speaks', () => {
  const chunks = [
    { id: 'a', text: 'bees', metadata: { speaker: 'Ada' } },
    { id: 'b', text: 'bees bees honey' },
  ];
  const idf = (df: number) => Math.log(1 + (2 - df + 0.5) / (df + 0.5));
  const saturated = (tf: number, length: number) => (tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / 2.5));
  const scores = bm25Scores({ seed: 0, question: 'What of the bees, Ada?', chunks });
  expect(scores[0]).toBeCloseTo(idf(2) * saturated(1, 2) + idf(1) * saturated(1, 2), 12);
  expect(scores[1]).toBeCloseTo(idf(2) * saturated(2, 3), 12);
});

test('peers see the vectors that are given', async () => {
  expect(await embeddingsFilter.top?.(pool, 3)).toEqual(['short', 'long', 'other']);
  expect((await maximalMarginal.top?.(pool, 3))?.[0]).toBe('short');
  await expect(embeddingsFilter.top?.({ ...pool, vectors: undefined as never }, 1)).rejects.toThrow(
    'vectors',
  );
});
