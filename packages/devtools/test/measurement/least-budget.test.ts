import { expect, test } from 'vitest';
import { leastBudget, resampledMeans } from '../../src/measurement/index.js';

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

/** The chance that a draw of n from n cases has at most `most` of those that lose, by the binomial distribution. */
function chanceOfAtMost(most: number, losing: number, n: number): number {
  let [term, sum] = [(1 - losing / n) ** n, 0];
  for (let count = 0; count <= most; count++) {
    sum += term;
    term *= (((n - count) / (count + 1)) * (losing / n)) / (1 - losing / n);
  }
  return sum;
}

test.each([
  { losing: 1, budget: 200 },
  { losing: 2, budget: 400 },
])('40 cases, $losing of which lose at 200: enough in four of five draws', ({ losing, budget }) => {
  const kept = [...times(40 - losing, [0, 1, 1, 1]), ...times(losing, [0, 0, 1, 1])];
  // 38 of 40 are 95 %.
  expect(chanceOfAtMost(2, losing, 40) >= 0.8).toBe(budget === 200);
  expect(least(kept)).toEqual({ budget, low: 200, high: 400 });
  expect(least(kept, 0.99)).toEqual({ budget: 400, low: 200, high: 400 });
});

test('no budget may be enough, though the mean of the cases is', () => {
  const kept = [...times(38, [1, 1, 1, 1]), ...times(2, [0, 0, 0, 0])];
  expect(least(kept)).toEqual({ budget: null, low: 100, high: null });
});
