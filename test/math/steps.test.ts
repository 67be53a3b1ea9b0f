import { describe, expect, test } from 'vitest';
import { finish, mapped, toSorted } from '../../src/math/steps.js';

test('a mapping visits the holes of a list, in order', () => {
  const list: (string | undefined)[] = ['a'];
  list[2] = 'c';
  expect(finish(mapped(list, (item, place) => `${place} ${item}`))).toEqual(['0 a', '1 undefined', '2 c']);
});

describe('sorting', () => {
  const SIZES = [0, 1, 2, 511, 512, 513, 1025, 5000];

  test.each(SIZES)('gives the order of toSorted, for %i items with ties', (size) => {
    const items = Array.from({ length: size }, (_, place) => ({ key: (place * 7919) % 61, place }));
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    const before = [...items];
    expect(finish(toSorted(items, compare))).toEqual(items.toSorted(compare));
    expect(items).toEqual(before);
  });

  test.each(SIZES)('keeps %i items that are in order', (size) => {
    const items = Array.from({ length: size }, (_, place) => place);
    expect(finish(toSorted(items, (a, b) => a - b))).toEqual(items);
  });
});
