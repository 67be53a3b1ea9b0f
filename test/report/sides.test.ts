/** The order of the sides of a conflict in a report. */
import type { Conflict } from 'context-shaping';
import { expect, test } from 'vitest';
import { keptSidesFirst } from '../../src/report/sides.js';

const conflict = (...sides: number[][]): Conflict => ({
  level: 'sure',
  kinds: ['number'],
  sides: sides.map((indices) => ({ ids: indices.map(String), indices, support: 1 })),
});
const orderOf = ([first]: Conflict[]) => first?.sides.map(({ indices }) => indices);
const kept = [{ index: 7 }, { index: 2 }, { index: 5 }];

test('sides with a chunk in the result are first, in its order; then the others, in input order', () => {
  expect(orderOf(keptSidesFirst([conflict([1], [2], [0, 7], [6])], kept))).toEqual([[0, 7], [2], [1], [6]]);
});

test('a preferred side stays first', () => {
  const preferred = { ...conflict([1], [6], [2], [7]), preferred: 'newer' };
  expect(orderOf(keptSidesFirst([preferred], kept))).toEqual([[1], [7], [2], [6]]);
});

test('the conflict itself does not change', () => {
  const given = conflict([1], [2]);
  keptSidesFirst([given], kept);
  expect(orderOf([given])).toEqual([[1], [2]]);
});
