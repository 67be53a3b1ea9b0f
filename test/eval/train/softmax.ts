/**
 * The loss that weights are to make small: the softmax of a weighted sum, over all that competes to answer a
 * question, should be great for what answers it.
 *
 *   L(w) = Σ_s share(s)/|s| Σ_q∈s −1/|G| Σ_g∈G ln p(g) + ½ λ |w|²,    p = softmax(F w)
 *
 * over sets s, questions q, and the rows G of F that answer q. It is convex. Source: Z. Cao et al., "Learning
 * to rank: from pairwise approach to listwise approach", 2007 (ListNet, with top-one probabilities).
 */
import { type Example, scoresOf, type TrainingSet } from './example.js';

/** λ. */
const RIDGE = 0.003;

export interface Derivatives {
  readonly loss: number;
  readonly gradient: Float64Array;
  /** Row after row. */
  readonly hessian: Float64Array;
}

export function lossOf(sets: readonly TrainingSet[], weights: Float64Array): number {
  let loss = ridge(weights);
  forEach(sets, (example, share) => {
    const { surprise } = probabilitiesOf(example, weights);
    loss += share * surprise;
  });
  return loss;
}

/** With respect to all weights. */
export function derivativesOf(sets: readonly TrainingSet[], weights: Float64Array): Derivatives {
  const width = weights.length;
  let loss = ridge(weights);
  const gradient = weights.map((weight) => RIDGE * weight);
  const hessian = new Float64Array(width * width);
  for (let at = 0; at < width; at++) hessian[at * width + at] = RIDGE;
  forEach(sets, (example, share) => {
    const { surprise, probabilities } = probabilitiesOf(example, weights);
    loss += share * surprise;
    const mean = new Float64Array(width);
    for (const [row, probability] of probabilities.entries()) {
      addSquare(hessian, example.features.subarray(row * width, (row + 1) * width), share * probability);
      for (let at = 0; at < width; at++) {
        mean[at] = (mean[at] as number) + probability * (example.features[row * width + at] as number);
      }
    }
    addSquare(hessian, mean, -share);
    for (let at = 0; at < width; at++) {
      let wanted = 0;
      for (const row of example.gold) wanted += example.features[row * width + at] as number;
      const excess = (mean[at] as number) - wanted / example.gold.length;
      gradient[at] = (gradient[at] as number) + share * excess;
    }
  });
  return { loss, gradient, hessian };
}

function ridge(weights: Float64Array): number {
  return (RIDGE / 2) * weights.reduce((sum, weight) => sum + weight * weight, 0);
}

function forEach(sets: readonly TrainingSet[], visit: (example: Example, share: number) => void): void {
  for (const { examples, weight } of sets) {
    for (const example of examples) visit(example, weight / examples.length);
  }
}

/** @returns also the mean of −ln p over the rows that answer. */
function probabilitiesOf(
  example: Example,
  weights: Float64Array,
): { surprise: number; probabilities: Float64Array } {
  const scores = scoresOf(example, weights);
  const greatest = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const probabilities = scores.map((score) => Math.exp(score - greatest));
  const total = probabilities.reduce((sum, value) => sum + value, 0);
  let surprise = 0;
  for (const row of example.gold) {
    surprise += (greatest + Math.log(total) - (scores[row] as number)) / example.gold.length;
  }
  return { surprise, probabilities: probabilities.map((value) => value / total) };
}

/** Adds factor · v vᵀ to a matrix. Most features of most rows are 0. */
function addSquare(matrix: Float64Array, vector: ArrayLike<number>, factor: number): void {
  const width = vector.length;
  for (let i = 0; i < width; i++) {
    const scaled = factor * (vector[i] as number);
    if (scaled === 0) continue;
    for (let j = 0; j < width; j++) {
      matrix[i * width + j] = (matrix[i * width + j] as number) + scaled * (vector[j] as number);
    }
  }
}
