/**
 * The least budget from which on a share of the evidence is kept:
 *
 *   least(t) = min { b : mean kept(b') ≥ t for every measured b' ≥ b }
 *
 * Its interval is that of the resampled means: the middle 95 % of the least budgets of the draws.
 */
import type { Resampled } from '../measurement/index.js';
import type { LeastBudget } from './types.js';

/** Sums of shares that are all 1 may be a little less than 1. */
const ROUNDING = 1e-9;

/** @param columns the resampled means of the budgets, which are ascending. */
export function leastBudget(
  budgets: readonly number[],
  columns: readonly Resampled[],
  target: number,
): Pick<LeastBudget, 'budget' | 'low' | 'high'> {
  const draws = Float64Array.from(columns[0]?.draws ?? [], (_, draw) =>
    leastOf(budgets, (at) => columns[at]?.draws[draw] as number, target),
  ).sort();
  const known = (budget: number | undefined) =>
    budget === undefined || budget === Number.POSITIVE_INFINITY ? null : budget;
  return {
    budget: known(leastOf(budgets, (at) => columns[at]?.mean as number, target)),
    low: known(draws[Math.floor(0.025 * (draws.length - 1))]),
    high: known(draws[Math.ceil(0.975 * (draws.length - 1))]),
  };
}

function leastOf(budgets: readonly number[], meanAt: (at: number) => number, target: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = budgets.length - 1; at >= 0 && meanAt(at) >= target - ROUNDING; at--)
    least = budgets[at] as number;
  return least;
}
