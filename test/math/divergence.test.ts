import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divergence, trajectoryDivergence } from '../../src/math/divergence.js';

const known = (shares: Record<string, number>) =>
  new Map(Object.entries(shares).map(([token, share]) => [token, Math.log(share)]));

/** Σ p ln(p / q) over all of it. */
const exact = (p: readonly number[], q: readonly number[]) =>
  p.reduce((sum, share, at) => sum + (share === 0 ? 0 : share * Math.log(share / (q[at] as number))), 0);

describe('divergence', () => {
  test('is exact where both sides know everything', () => {
    expect(divergence(known({ a: 0.5, b: 0.5 }), known({ a: 0.9, b: 0.1 }))).toBeCloseTo(
      0.5 * Math.log(0.5 / 0.9) + 0.5 * Math.log(0.5 / 0.1),
      12,
    );
    expect(divergence(known({ a: 0.3, b: 0.7 }), known({ a: 0.3, b: 0.7 }))).toBe(0);
  });

  test('puts what one side does not know into the rest', () => {
    // a is shared; b, c and d are not: rest .4 against .2.
    expect(divergence(known({ a: 0.6, b: 0.3, c: 0.1 }), known({ a: 0.8, d: 0.1 }))).toBeCloseTo(
      0.6 * Math.log(0.6 / 0.8) + 0.4 * Math.log(0.4 / 0.2),
      12,
    );
    expect(divergence(known({ a: 1 }), known({ b: 1 }))).toBe(0);
    expect(divergence(new Map(), new Map())).toBe(0);
  });

  test('makes up no missing values, as smoothing would', () => {
    const p = known({ a: 0.9, b: 0.05 });
    const q = known({ c: 0.9, a: 0.05 });
    // The truth lies between no and all of the rest of q on b; smoothing b with 1e-10 says 1 nat more than at most.
    expect(divergence(p, q)).toBeCloseTo(0.9 * Math.log(0.9 / 0.05) + 0.1 * Math.log(0.1 / 0.95), 12);
  });

  test('is a lower bound of the exact one for every cut', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(shares, shares, fc.integer({ min: 1, max: 12 }), (left, right, k) => {
        const size = Math.min(left.length, right.length);
        const normalised = (counts: readonly number[]) => {
          const own = counts.slice(0, size);
          const total = own.reduce((sum, count) => sum + count, 0);
          return own.map((count) => count / total);
        };
        const [p, q] = [normalised(left), normalised(right)];
        const top = (all: readonly number[]) =>
          new Map(
            all
              .map((share, token): [number, number] => [token, Math.log(share)])
              .sort((a, b) => b[1] - a[1])
              .slice(0, k),
          );
        const found = divergence(top(p), top(q));
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(exact(p, q) + 1e-9);
        if (k >= size) expect(found).toBeCloseTo(exact(p, q), 9);
      }),
      { numRuns: 2000 },
    );
  });

  test('rounding is no rest: neither side’s', () => {
    const whole = known({ a: 0.5, b: 0.5 });
    expect(divergence(known({ a: 0.5 + 1e-12, b: 0.5 }), whole)).toBeCloseTo(0, 9);
    // Q leaves nothing by rounding where P leaves a tenth: much, but finite.
    const found = divergence(known({ a: 0.9 }), known({ a: 1 + 1e-12 }));
    expect(found).toBeCloseTo(0.9 * Math.log(0.9) + 0.1 * Math.log(0.1 / 1e-9), 6);
    expect(divergence(known({ a: 0.3, b: 0.3 }), known({ a: 0.3 + 1e-15, b: 0.3 }))).toBeGreaterThanOrEqual(
      0,
    );
  });

  test('knows tokens by number as well as by text', () => {
    const p = new Map([[7, Math.log(0.9)]]);
    const q = new Map([[7, Math.log(0.1)]]);
    expect(divergence(p, q)).toBeCloseTo(0.9 * Math.log(9) + 0.1 * Math.log(0.1 / 0.9), 12);
  });
});

test('of a trajectory it is the sum over its steps', () => {
  const step = { p: known({ a: 0.5, b: 0.5 }), q: known({ a: 0.9, b: 0.1 }) };
  expect(trajectoryDivergence([])).toBe(0);
  expect(trajectoryDivergence([step, step])).toBeCloseTo(2 * divergence(step.p, step.q), 12);
});
