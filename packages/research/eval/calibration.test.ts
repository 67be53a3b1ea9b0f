import { expect, test } from 'vitest';
import { areaUnderCurve, calibrationTable, reliabilityTable } from './calibration.js';
import { binned, calibrationError, type Forecast } from './reliability.js';

test('area under the curve: the share of pairs in the right order, ties half', () => {
  expect(areaUnderCurve([0.9, 0.5], [0.5, 0.1])).toBe((1 + 1 + 0.5 + 1) / 4);
  expect(areaUnderCurve([1], [0])).toBe(1);
  expect(areaUnderCurve([0.3, 0.3], [0.3])).toBe(0.5);
});

const FOUR: readonly Forecast[] = [
  [0.95, true],
  [1, true],
  [0.25, false],
  [0.21, true],
];

test('calibration error: gaps between what is said and what is so, by tenths', () => {
  expect(calibrationError(FOUR)).toBeCloseTo((0.05 + Math.abs(0.46 - 1)) / 4, 12);
});

test('bins of equal mass have as many items each; equal probabilities stay together', () => {
  const hundred = Array.from({ length: 100 }, (_, at): Forecast => [at / 1000, at % 2 === 0]);
  expect(binned(hundred, 'equal mass').map(({ length }) => length)).toEqual(new Array(10).fill(10));
  expect(binned(hundred, 'equal width').map(({ length }) => length)).toEqual([100]);
  const same = hundred.map(([, isSo]): Forecast => [0.5, isSo]);
  expect(binned(same, 'equal mass')).toEqual([same]);
  expect(calibrationError(same, 'equal mass')).toBe(0);
  // Each of four is alone: gaps .05, 0, .25 and .79.
  expect(calibrationError(FOUR, 'equal mass')).toBeCloseTo((0.05 + 0.25 + 0.79) / 4, 12);
});

test('the order of the items means nothing', () => {
  for (const binning of ['equal width', 'equal mass'] as const)
    expect(calibrationError(FOUR.toReversed(), binning)).toBeCloseTo(calibrationError(FOUR, binning), 12);
});

test('tables: a row per set and one of all; bins with what is said beside what is so', () => {
  const sets = new Map([
    ['A', FOUR.slice(0, 2)],
    ['B', FOUR.slice(2)],
    ['none', []],
  ]);
  expect(calibrationTable('Chunks', sets).rows).toEqual([
    ['A', 2, '.975', '1.000', '.025', '.025', 'NaN'],
    ['B', 2, '.230', '.500', '.270', '.520', '.000'],
    ['all', 4, '.603', '.750', '.148', '.273', '.667'],
  ]);
  expect(reliabilityTable('Chunks', FOUR).rows.slice(0, 2)).toEqual([
    ['equal width, 1', 2, '.230', '.500'],
    ['equal width, 2', 2, '.975', '1.000'],
  ]);
});
