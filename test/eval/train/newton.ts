/**
 * The least of a convex loss over weights that are at least 0, by Newton's method on those that are free to
 * move: those above 0, and those at 0 that the loss and the step both want to be greater.
 *
 * At the least, the gradient is 0 for weights above 0 and at least 0 for those at 0. Source: D. Bertsekas,
 * "Projected Newton methods for optimization problems with simple constraints", 1982.
 */
import type { TrainingSet } from './example.js';
import { derivativesOf, lossOf } from './softmax.js';

/** As good as 0 for a slope: a hundredth of a weight takes more than a thousand times that. */
const FLAT = 1e-8;
const STEPS = 100;
const HALVINGS = 40;

/**
 * @param start one weight per column; those of columns that are not `free` stay as they are.
 * @throws Error if it does not come to rest.
 */
export function minimise(
  sets: readonly TrainingSet[],
  start: Float64Array,
  free: readonly number[],
): Float64Array {
  let weights = start;
  for (let step = 0; step < STEPS; step++) {
    const { loss, gradient, hessian } = derivativesOf(sets, weights);
    const slope = (at: number) => gradient[at] as number;
    const moving = free.filter((at) => (weights[at] as number) > 0 || slope(at) < 0);
    if (moving.every((at) => Math.abs(slope(at)) < FLAT)) return weights;
    const direction = newtonStep(weights, gradient, hessian, moving);
    const next = descend(sets, weights, direction, loss);
    if (next === undefined) return weights;
    weights = next;
  }
  throw new Error(`No weights found in ${STEPS} steps.`);
}

/** H⁻¹ g over those that may move, 0 elsewhere; a weight at 0 that the step would push below it may not. */
function newtonStep(
  weights: Float64Array,
  gradient: Float64Array,
  hessian: Float64Array,
  moving: readonly number[],
): Float64Array {
  const width = weights.length;
  const step = solve(
    moving.map((i) => moving.map((j) => hessian[i * width + j] as number)),
    moving.map((at) => gradient[at] as number),
  );
  const allowed = moving.filter((at, place) => (weights[at] as number) > 0 || (step[place] as number) < 0);
  if (allowed.length < moving.length) return newtonStep(weights, gradient, hessian, allowed);
  const direction = new Float64Array(width);
  for (const [place, at] of moving.entries()) direction[at] = step[place] as number;
  return direction;
}

/** The first of 1, ½, ¼, … steps that makes the loss less; absent if rounding leaves nothing to gain. */
function descend(
  sets: readonly TrainingSet[],
  weights: Float64Array,
  direction: Float64Array,
  loss: number,
): Float64Array | undefined {
  for (let halvings = 0; halvings < HALVINGS; halvings++) {
    const next = weights.map((weight, at) => Math.max(0, weight - (direction[at] as number) / 2 ** halvings));
    if (lossOf(sets, next) < loss) return next;
  }
  return undefined;
}

/** Gaussian elimination. A positive definite matrix, which the ridge makes of every Hessian, needs no pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] as number]);
  for (const [at, pivot] of rows.entries()) {
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] as number) / (pivot[at] as number);
      for (let column = at; column < row.length; column++) {
        row[column] = (row[column] as number) - factor * (pivot[column] as number);
      }
    }
  }
  return rows.map((row, at) => (row[rows.length] as number) / (row[at] as number));
}
