import { expect, test } from 'vitest';
import type { Pool } from '../pool.js';
import { naive, naiveOfCollection, randomSentences } from './naive.js';

const words = (text: string) => text.split(' ').length;
const pool: Pool = {
  seed: 1,
  question: 'When did the boat sink?',
  chunks: [
    { id: 'a', text: 'It is red. The boat sank in May. The boat will sink.' },
    { id: 'b', text: 'Bees make honey. They sleep.' },
  ],
  ranked: 'auto',
};

test('the best sentences that fit, in the order of the text, each with room for a space', async () => {
  expect(await naive.fit(pool, 11, words)).toEqual([
    { id: 'a', text: 'The boat sank in May. The boat will sink.' },
  ]);
  expect(await naive.fit(pool, 5, words)).toEqual([{ id: 'a', text: 'The boat will sink.' }]);
  expect(await naive.fit(pool, 100, words)).toEqual([...pool.chunks].map(({ id, text }) => ({ id, text })));
});

test('the prior: places, or scores where there are some; the words of the chunk where the order means nothing', async () => {
  const chunks = ['oak', 'elm', 'ash'].map((text) => ({ id: text, text }));
  const tops = async (given: Partial<Pool>) => {
    const kept = await naive.fit({ ...pool, chunks, ...given }, 4, words);
    return kept.map(({ id }) => id);
  };
  expect(await tops({})).toEqual(['oak', 'elm']);
  const scored = chunks.map((chunk, at) => ({ ...chunk, score: at }));
  expect(await tops({ chunks: scored })).toEqual(['elm', 'ash']);
  expect(await tops({ chunks: chunks.toReversed(), ranked: true })).toEqual(['ash', 'elm']);
  expect(await tops({ question: 'Which ash, and which elm?', ranked: false })).toEqual(['elm', 'ash']);
});

test('how rare a word is, is known of the pool or of the collection', async () => {
  const chunks = [
    { id: 'a', text: 'boat' },
    { id: 'b', text: 'bee' },
    { id: 'c', text: 'bee' },
  ];
  const given: Pool = { seed: 0, question: 'bee boat', chunks, ranked: 0 };
  const collection = [...chunks, ...Array.from({ length: 9 }, (_, at) => ({ id: `d${at}`, text: 'boat' }))];
  const only = async (method: typeof naive) => (await method.fit({ ...given, collection }, 2, words))[0]?.id;
  expect(await only(naive)).toBe('a');
  const reversed = { ...given, chunks: chunks.toReversed(), collection };
  expect((await naiveOfCollection.fit(reversed, 2, words))[0]?.id).toBe('c');
});

test('sentences drawn by chance are others for other seeds', async () => {
  const chunks = Array.from({ length: 40 }, (_, at) => ({ id: `${at}`, text: 'Oak.' }));
  const drawn = (seed: number) => randomSentences.fit({ ...pool, chunks, seed }, 20, words);
  expect(await drawn(1)).toEqual(await drawn(1));
  expect(await drawn(1)).not.toEqual(await drawn(2));
});
