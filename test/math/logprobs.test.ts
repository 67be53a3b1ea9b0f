import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logistic, logSumExp } from '../../src/math/logprobs.js';

describe('logSumExp', () => {
  test('the sum of no number, of one, and of numbers that would underflow', () => {
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

test('logistic: a half at 0, symmetric, never beyond 0 and 1', () => {
  expect(logistic(0)).toBe(0.5);
  expect(logistic(Math.log(3))).toBeCloseTo(0.75, 12);
  expect(logistic(2) + logistic(-2)).toBeCloseTo(1, 12);
  expect(logistic(1e6)).toBe(1);
  expect(logistic(-1e6)).toBe(0);
});
