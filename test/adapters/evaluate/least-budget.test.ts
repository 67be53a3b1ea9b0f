import { expect, test } from 'vitest';
import { leastBudget } from '../../../adapters/evaluate/least-budget.js';
import { resampledMeans } from '../../../adapters/measurement/index.js';

const budgets = [100, 200, 400, 800];

/** @param kept by case, the share at each budget. */
function least(kept: readonly (readonly number[])[], target = 0.95) {
  const columns = budgets.map((_, at) => kept.map((shares) => shares[at] as number));
  const groups = kept.map((_, at) => `${at}`);
  return leastBudget(budgets, resampledMeans(columns, groups), target);
}
const times = (count: number, shares: readonly number[]) => Array.from({ length: count }, () => shares);

test('equal cases: the least budget from which on the share is kept, and an interval without width', () => {
  expect(least(times(30, [0, 0, 1, 1]))).toEqual({ budget: 400, low: 400, high: 400 });
  expect(least(times(30, [1, 1, 1, 1]))).toEqual({ budget: 100, low: 100, high: 100 });
});

test('a budget below one that loses evidence does not count', () => {
  expect(least(times(30, [1, 0, 1, 1]))).toEqual({ budget: 400, low: 400, high: 400 });
});

test('no budget is enough', () => {
  expect(least(times(30, [0, 0.5, 0.9, 0.94]))).toEqual({ budget: null, low: null, high: null });
});

test('the share is of the mean over cases, and the interval is wide if few cases decide', () => {
  const kept = [...times(38, [0, 1, 1, 1]), ...times(2, [0, 0, 1, 1])];
  expect(least(kept)).toEqual({ budget: 200, low: 200, high: 400 });
  expect(least(kept, 0.99)).toEqual({ budget: 400, low: 200, high: 400 });
});

test('the interval may reach beyond the greatest budget', () => {
  const kept = [...times(38, [1, 1, 1, 1]), ...times(2, [0, 0, 0, 0])];
  expect(least(kept)).toEqual({ budget: 100, low: 100, high: null });
});
