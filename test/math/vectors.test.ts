import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shannonEntropy } from '../../src/math/entropy.js';
import { cosine, dot, packVector } from '../../src/math/vectors.js';

const component = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const pair = fc
  .integer({ min: 1, max: 20 })
  .chain((n) =>
    fc.tuple(
      fc.array(component, { minLength: n, maxLength: n }),
      fc.array(component, { minLength: n, maxLength: n }),
    ),
  );

describe('vectors', () => {
  test('a packed vector has length one, or zero if it was zero', () => {
    fc.assert(
      fc.property(pair, ([vector]) => {
        const unit = packVector(vector, 'v');
        expect(Math.sqrt(dot(unit, unit))).toBeCloseTo(vector.some((each) => each !== 0) ? 1 : 0, 5);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test('cosine agrees with 64-bit arithmetic, and stays within -1..1', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const sum = (x: number[], y: number[]) => x.reduce((total, each, i) => total + each * y[i]!, 0);
        const norms = Math.sqrt(sum(a, a)) * Math.sqrt(sum(b, b));
        const value = cosine(packVector(a, 'a'), packVector(b, 'b'));
        if (norms > 1e-100) expect(value).toBeCloseTo(sum(a, b) / norms, 5);
        expect(Math.abs(value)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  test.each([
    [
      [3, 4],
      [0.6, 0.8],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [5e-324, 0],
      [1, 0],
    ],
    [
      [1e308, 1e308],
      [Math.SQRT1_2, Math.SQRT1_2],
    ],
  ])('%j has direction %j', (vector, unit) => {
    expect(Array.from(packVector(vector, 'v'))).toEqual(unit.map((each) => expect.closeTo(each, 6)));
  });

  test('takes any array of numbers', () => {
    for (const vector of [
      [1, 0],
      new Float32Array([1, 0]),
      new Float64Array([1, 0]),
      new Int8Array([1, 0]),
      { length: 2, 0: 1, 1: 0 },
    ]) {
      expect(Array.from(packVector(vector, 'v'))).toEqual([1, 0]);
    }
  });
});

describe('Shannon entropy', () => {
  test.each([
    ['', 0],
    ['aaaa', 0],
    ['ab', 1],
    ['abcd', 2],
    ['aab', Math.log2(3) - 2 / 3],
    ['🎉🎊', 1],
  ])('of %j is %d bits', (text, bits) => {
    expect(shannonEntropy(text)).toBeCloseTo(bits, 12);
  });

  test('is highest when all differ, and the order of symbols does not matter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 }),
        (symbols) => {
          const entropy = shannonEntropy(symbols);
          expect(entropy).toBeGreaterThanOrEqual(0);
          expect(entropy).toBeLessThanOrEqual(Math.log2(new Set(symbols).size) + 1e-12);
          expect(shannonEntropy(symbols.toReversed())).toBeCloseTo(entropy, 12);
        },
      ),
      { numRuns: 300, seed: 3 },
    );
  });
});
