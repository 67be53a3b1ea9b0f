import { expect, test } from 'vitest';
import { sharePieces, shareTokens } from './wanted.js';

const pool = [
  { id: 'a', text: 'The boat was built in Leith.  It is red.' },
  { id: 'b', text: 'It is red, and cost $ 1,452.4 in all.' },
];
const words = (text: string) => text.split(' ').filter((word) => word !== '').length;

test('pieces: the share of those that the pool holds, anywhere or in their own chunk', () => {
  const share = sharePieces(
    [
      { any: ['leith', 'Ayr'], by: 'words' },
      { any: ['It is red.'], by: 'letters', chunk: 'a' },
      { any: ['1,452.4'], by: 'words' },
      { any: ['Doon'], by: 'words' },
    ],
    pool,
  );
  expect(share?.(pool, 100)).toBe(1);
  expect(share?.([], 100)).toBe(0);
  expect(share?.([{ id: 'a', text: 'The boat was built in Leith.' }], 100)).toBe(1 / 3);
  expect(share?.([{ id: 'a', text: 'in Leith.\nIt is\nred.' }], 100)).toBe(2 / 3);
  expect(share?.([{ id: 'b', text: 'It is red.' }], 100)).toBe(0);
});

test('pieces: whole words alone count as words, and what the pool does not hold is not asked for', () => {
  expect(sharePieces([{ any: ['Lei'], by: 'words' }], pool)).toBeUndefined();
  expect(sharePieces([{ any: ['Lei'], by: 'letters' }], pool)?.(pool, 1)).toBe(1);
  expect(sharePieces([], pool)).toBeUndefined();
});

test('tokens: the sentences of the relevant chunks that are kept, beside the best that the budget allows', () => {
  const share = shareTokens({ relevant: ['a'], chunks: pool }, words);
  expect(share?.(pool, 100)).toBe(1);
  expect(share?.([{ id: 'a', text: 'The boat was … It\nis red.' }], 100)).toBe(3 / 9);
  expect(share?.([{ id: 'a', text: 'The boat was built in Leith.' }], 6)).toBe(1);
  expect(share?.([{ id: 'b', text: 'It was red.' }], 5)).toBe(0);
  expect(shareTokens({ relevant: ['c'], chunks: pool }, words)).toBeUndefined();
});

test('tokens: a sentence counts once, in whichever chunk it is kept', () => {
  const copies = [...pool, { id: 'c', text: 'It is red.' }];
  const share = shareTokens({ relevant: ['a', 'c'], chunks: copies }, words);
  expect(share?.([{ id: 'd', text: 'It is red.' }], 100)).toBe(3 / 9);
  expect(share?.(copies, 100)).toBe(1);
});
