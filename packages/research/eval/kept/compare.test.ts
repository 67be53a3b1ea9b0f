import { expect, test } from 'vitest';
import { overBudgets } from './compare.js';

test('the mean over the budgets at which the pool is larger', () => {
  const values = new Map([
    [
      'ours',
      new Map([
        ['1/2', [1, 0.5, Number.NaN]],
        ['300', [0, Number.NaN, Number.NaN]],
      ]),
    ],
  ]);
  expect(overBudgets(values, 'ours')).toEqual([0.5, 0.5, Number.NaN]);
  expect(overBudgets(values, 'ours', ['300'])).toEqual([0, Number.NaN, Number.NaN]);
  expect(overBudgets(values, 'other')).toEqual([]);
});
