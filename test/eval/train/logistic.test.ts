import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../random.js';
import type { Example, TrainingSet } from './example.js';
import { minimise } from './newton.js';
import { derivativesOf, lossOf } from './softmax.js';

const RIDGE = 0.003;
const example = (rows: readonly number[][], ...gold: number[]): Example => ({
  group: '',
  features: Float32Array.from(rows.flat()),
  gold,
});
const set = (weight: number, ...examples: Example[]): TrainingSet => ({ name: '', weight, examples });
const zeros = (width: number) => new Float64Array(width);
const all = (width: number) => [...zeros(width).keys()];

/** Two sets of questions with five rows of four features; in the first set, the first row answers by the features. */
function randomSets(seed: number): TrainingSet[] {
  const random = seededRandom(seed);
  const row = (least: number) => Array.from({ length: 4 }, () => least + random() * (1 - least));
  const one = (least: number) =>
    example(
      [least, 0, 0, 0, 0].map((each) => row(each)),
      0,
      ...(random() < 0.3 ? [1] : []),
    );
  return [
    set(1, ...Array.from({ length: 8 }, () => one(0.3))),
    set(0.5, ...Array.from({ length: 5 }, () => one(0))),
  ];
}

test('the loss of even weights is the logarithm of the number of rows, by the weight of the set', () => {
  const sets = [set(2, example([[1], [0], [1], [0]], 1)), set(1, example([[1], [1]], 0), example([[0]], 0))];
  expect(lossOf(sets, zeros(1))).toBeCloseTo(2 * Math.log(4) + Math.log(2) / 2, 12);
  expect(lossOf([set(1)], Float64Array.of(2))).toBeCloseTo((RIDGE * 4) / 2, 12);
});

test('scores too great for an exponential do no harm', () => {
  const sets = [set(1, example([[1], [0]], 1))];
  const { loss, gradient } = derivativesOf(sets, Float64Array.of(5000));
  expect(loss).toBeCloseTo(5000 + (RIDGE * 5000 ** 2) / 2, 6);
  expect(gradient[0]).toBeCloseTo(1 + RIDGE * 5000, 9);
});

test('the derivatives are those that small differences show', () => {
  const step = 1e-5;
  for (const seed of [1, 2, 3]) {
    const sets = randomSets(seed);
    const random = seededRandom(-seed);
    const weights = zeros(4).map(() => 3 * random());
    const { loss, gradient, hessian } = derivativesOf(sets, weights);
    expect(loss).toBeCloseTo(lossOf(sets, weights), 12);
    const moved = (at: number, by: number) =>
      weights.map((weight, place) => weight + (place === at ? by : 0));
    for (let i = 0; i < 4; i++) {
      const slope = (lossOf(sets, moved(i, step)) - lossOf(sets, moved(i, -step))) / (2 * step);
      expect(gradient[i]).toBeCloseTo(slope, 8);
      const [after, before] = [moved(i, step), moved(i, -step)].map((at) => derivativesOf(sets, at).gradient);
      for (let j = 0; j < 4; j++) {
        const bend = ((after?.[j] as number) - (before?.[j] as number)) / (2 * step);
        expect(hessian[i * 4 + j]).toBeCloseTo(bend, 8);
      }
    }
  }
});

test('of two rows that one feature separates: the weight at which the ridge holds the slope', () => {
  const [weight = 0] = minimise([set(1, example([[1], [0]], 0))], zeros(1), [0]);
  expect(weight).toBeGreaterThan(3);
  expect(RIDGE * weight).toBeCloseTo(1 / (1 + Math.exp(weight)), 9);
});

test('a feature that speaks against the answer gets nothing, and one that says nothing gets nothing', () => {
  const rows = [
    [1, 0, 0.5],
    [0, 1, 0.5],
    [0.5, 1, 0.5],
  ];
  const weights = minimise([set(1, example(rows, 0))], zeros(3), all(3));
  expect(weights[0]).toBeGreaterThan(1);
  expect(weights[1]).toBe(0);
  expect(weights[2]).toBeCloseTo(0, 12);
});

test('at the least no weight is below 0, none can fall, and only those at 0 could rise', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const sets = randomSets(seed);
      const weights = minimise(sets, zeros(4), all(4));
      const { gradient } = derivativesOf(sets, weights);
      for (const [at, weight] of weights.entries()) {
        expect(weight).toBeGreaterThanOrEqual(0);
        if (weight > 0) expect(Math.abs(gradient[at] as number)).toBeLessThan(1e-7);
        else expect(gradient[at]).toBeGreaterThan(-1e-7);
      }
      const elsewhere = minimise(sets, Float64Array.of(5, 0, 9, 1), all(4));
      for (const [at, weight] of weights.entries()) expect(elsewhere[at]).toBeCloseTo(weight, 4);
    }),
    { numRuns: 50 },
  );
});

test('weights that are not free stay as they are, and what is given is not changed', () => {
  const start = Float64Array.of(2, 0, 1, 0);
  const weights = minimise(randomSets(4), start, [3]);
  expect([...weights.subarray(0, 3)]).toEqual([2, 0, 1]);
  expect(weights[3]).toBeGreaterThan(0);
  expect([...start]).toEqual([2, 0, 1, 0]);
});
