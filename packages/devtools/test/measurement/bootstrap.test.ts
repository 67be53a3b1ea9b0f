import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededNormal, seededRandom, shuffled } from '../../../../test/random.js';
import {
  estimate,
  estimateOf,
  lessOf,
  mean,
  quantile,
  type Resampled,
  resampledMeans,
} from '../../src/measurement/bootstrap.js';

const apart = (values: readonly unknown[]) => values.map((_, at) => `g${at}`);

test('the interval of a constant is that constant', () => {
  const values = new Array(50).fill(0.25);
  expect(estimate(values, apart(values))).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
});

test('the interval of a proportion is close to the normal one', () => {
  const values = Array.from({ length: 400 }, (_, at) => at % 2);
  const { mean, low, high } = estimate(values, apart(values));
  const half = 1.96 * Math.sqrt(0.25 / 400);
  expect(mean).toBe(0.5);
  expect(low).toBeGreaterThan(0.5 - half * 1.15);
  expect(low).toBeLessThan(0.5 - half * 0.85);
  expect(high).toBeGreaterThan(0.5 + half * 0.85);
  expect(high).toBeLessThan(0.5 + half * 1.15);
});

test('cases of one group are drawn together: their interval is that of the groups', () => {
  const values = Array.from({ length: 400 }, (_, at) => Number(at < 200));
  const halves = values.map(String);
  expect(estimate(values, halves)).toEqual({ mean: 0.5, low: 0, high: 1 });
  const tenths = values.map((_, at) => `${Math.floor(at / 40)}`);
  const once = Array.from({ length: 10 }, (_, at) => Number(at < 5));
  expect(estimate(values, tenths)).toEqual(estimate(once, apart(once)));
});

test('strata count the same, no matter how many cases they have, and are drawn within', () => {
  const values = [...new Array(90).fill(1), ...new Array(10).fill(0)];
  const strata = values.map(String);
  expect(estimate(values, apart(values), strata)).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
  const one = values.map(() => 'one');
  expect(estimate(values, apart(values), one)).toEqual(estimate(values, apart(values)));
});

test('the mean lies in the range of the values, and the interval around neither end beyond it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
      (values) => {
        const { low, high } = estimate(values, apart(values));
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      },
    ),
    { numRuns: 20 },
  );
});

test('quantiles lie on the line between neighbours', () => {
  const quantiles = [0, 0.25, 0.5, 0.875, 1].map((share) => quantile([1, 2, 3, 5, 10], share));
  expect(quantiles).toEqual([1, 2, 3, 7.5, 10]);
});

test('draws are even, the same for a seed, and others for another', () => {
  const random = seededRandom(1);
  const bins = new Array(10).fill(0);
  for (let draw = 0; draw < 10_000; draw++) bins[Math.floor(random() * 10)]++;
  const chiSquared = bins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
  // The 99.9 % point of nine degrees of freedom.
  expect(chiSquared).toBeLessThan(27.9);
  const first = (seed: number) => seededRandom(seed)();
  expect(first(1)).toBe(first(1));
  expect(new Set(Array.from({ length: 100 }, (_, seed) => first(seed))).size).toBe(100);
});

test('shuffling permutes, and each item may come first', () => {
  const items = Array.from({ length: 10 }, (_, at) => at);
  const firsts = new Set<number>();
  for (let seed = 0; seed < 200; seed++) {
    const order = shuffled(items, seededRandom(seed));
    firsts.add(order[0] as number);
    expect(order.toSorted((a, b) => a - b)).toEqual(items);
  }
  expect(firsts.size).toBe(10);
});

test('noise has mean 0 and variance 1', () => {
  const normal = seededNormal(1);
  const draws = Array.from({ length: 20_000 }, normal);
  expect(mean(draws)).toBeCloseTo(0, 1);
  expect(mean(draws.map((draw) => draw * draw))).toBeCloseTo(1, 1);
});

test('columns are resampled together: the difference of two is the paired one', () => {
  const random = seededRandom(7);
  const one = Array.from({ length: 60 }, () => random());
  const other = one.map((value) => value - Number(random() < 0.3));
  const groups = one.map((_, at) => `${at % 20}`);
  const [a, b] = resampledMeans([one, other], groups) as [Resampled, Resampled];
  const paired = estimate(
    one.map((value, at) => value - (other[at] as number)),
    groups,
  );
  const { mean, low, high } = estimateOf(lessOf(a, b));
  expect(mean).toBeCloseTo(paired.mean, 12);
  expect(low).toBeCloseTo(paired.low, 12);
  expect(high).toBeCloseTo(paired.high, 12);
  expect(estimateOf(a)).toEqual(estimate(one, groups));
});
