import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundOfUnlisted, log1mExp, logistic, logSumExp } from '../../src/math/logprobs.js';

describe('logSumExp', () => {
  test('of nothing, of one, and of what would underflow', () => {
    expect(logSumExp([])).toBe(Number.NEGATIVE_INFINITY);
    expect(logSumExp([-3])).toBe(-3);
    expect(logSumExp([-1000, -1000])).toBeCloseTo(-1000 + Math.LN2, 12);
    expect(logSumExp([Number.NEGATIVE_INFINITY, -2])).toBe(-2);
  });

  test('is the logarithm of the sum', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -30, max: 0, noNaN: true }), { minLength: 1 }), (values) => {
        const sum = values.reduce((total, value) => total + Math.exp(value), 0);
        expect(logSumExp(values)).toBeCloseTo(Math.log(sum), 10);
      }),
    );
  });
});

test('log1mExp keeps its precision where the plain formula has none left', () => {
  // ln(1 − e^x) = ln(−x) + x/2 + … for small x.
  expect(log1mExp(-1e-18)).toBeCloseTo(Math.log(1e-18), 9);
  expect(log1mExp(-Math.LN2)).toBeCloseTo(-Math.LN2, 12);
  expect(log1mExp(-50)).toBeCloseTo(-Math.exp(-50), 30);
  expect(log1mExp(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(log1mExp(1e-9)).toBe(Number.NEGATIVE_INFINITY);
});

test('a token that is not listed has no more than the last of the list, nor than the list leaves', () => {
  const logs = (...shares: number[]) => shares.map(Math.log);
  expect(boundOfUnlisted([])).toBeCloseTo(0, 12);
  expect(boundOfUnlisted(logs(0.5, 0.2))).toBeCloseTo(Math.log(0.2), 12);
  expect(boundOfUnlisted(logs(0.5, 0.45))).toBeCloseTo(Math.log(0.05), 12);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 30 }), (counts) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      const sorted = counts.map((count) => Math.log(count / total)).sort((a, b) => b - a);
      const listed = sorted.slice(0, Math.ceil(sorted.length / 2));
      for (const unlisted of sorted.slice(listed.length))
        expect(unlisted).toBeLessThanOrEqual(boundOfUnlisted(listed) + 1e-12);
    }),
  );
});

test('logistic: a half at 0, symmetric, never beyond 0 and 1', () => {
  expect(logistic(0)).toBe(0.5);
  expect(logistic(Math.log(3))).toBeCloseTo(0.75, 12);
  expect(logistic(2) + logistic(-2)).toBeCloseTo(1, 12);
  expect(logistic(1e6)).toBe(1);
  expect(logistic(-1e6)).toBe(0);
});
