import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logistic } from '../../../../src/math/logprobs.js';
import { seededRandom } from '../../../../test/random.js';
import { logisticRegression, Rows } from './logistic.js';

/** Rows of two features, drawn from a model that is known. */
function drawn(seed: number, base: number, weights: readonly [number, number], size = 4000): Rows {
  const random = seededRandom(seed);
  const rows = new Rows(['a', 'b']);
  for (let at = 0; at < size; at++) {
    const [a, b] = [random(), random()];
    rows.add([a, b], random() < logistic(base + weights[0] * a + weights[1] * b), 1);
  }
  return rows;
}

test('without features that tell something, the base is the log-odds of the share', () => {
  const rows = new Rows(['a']);
  for (const label of [true, false, false, false]) rows.add([0], label, 1);
  const { base, weights } = logisticRegression(rows, () => true);
  expect(base).toBeCloseTo(Math.log(1 / 3), 6);
  expect(weights).toEqual({ a: 0 });
});

test('rows count by their shares', () => {
  const rows = new Rows([]);
  rows.add([], true, 3);
  rows.add([], false, 1);
  expect(logisticRegression(rows, () => true).base).toBeCloseTo(Math.log(3), 6);
});

test('a model that is known is found again', () => {
  const { base, weights } = logisticRegression(drawn(1, -1, [2, 1], 40000), () => true);
  expect(base).toBeCloseTo(-1, 0);
  expect(weights.a).toBeCloseTo(2, 0);
  expect(weights.b).toBeCloseTo(1, 0);
});

test('at the least, the mean of the probabilities is the share, and no weight that must not be is below 0', () => {
  fc.assert(
    fc.property(fc.integer(), fc.double({ min: -2, max: 2, noNaN: true }), (seed, weight) => {
      const rows = drawn(seed, 0, [weight, -2], 300);
      const { base, weights } = logisticRegression(rows, () => false);
      expect(weights.a).toBeGreaterThanOrEqual(0);
      // It was drawn with a weight far below 0.
      expect(weights.b).toBe(0);
      const mean = rows.labels.reduce(
        (sum, _, at) => sum + logistic(base + (weights.a as number) * (rows.values[2 * at] as number)) / 300,
        0,
      );
      expect(mean).toBeCloseTo(rows.labels.reduce((sum, label) => sum + label, 0) / 300, 4);
    }),
    { numRuns: 20 },
  );
});
