import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeValue } from '../../src/relevance/model.js';
import { DEVIATIONS, type Similarity, similarityOf } from '../../src/relevance/similarity.js';
import { seededNormal } from '../random.js';

const SIZE = 50;
const normal = seededNormal(1);
const words = Array.from({ length: SIZE }, () => normal());
const noise = Array.from({ length: SIZE }, () => normal());
const agreeing = words.map((value, at) => 0.4 + 0.1 * (value + (noise[at] as number)));
const places = Array.from({ length: SIZE }, (_, at) => placeValue(at));
const given = { deviations: 1.2, words, places: undefined, coverage: 1 };
const of = (cosines: readonly number[], more: Partial<Parameters<typeof similarityOf>[1]> = {}) =>
  similarityOf(cosines, { ...given, ...more }) as Similarity;
const shifted = (values: readonly number[]) =>
  values.map((_, at) => values[(at * 7 + 3) % values.length] as number);

describe('the evidence', () => {
  test('is d · z − d² / 2, with z within −2 and 4', () => {
    const cosines = [0.9, ...Array.from({ length: 99 }, (_, at) => 0.2 + (at % 2) / 1000)];
    const { evidence, trust } = of(cosines, { words: cosines });
    expect(trust).toBe(1);
    expect(evidence[0]).toBeCloseTo(1.2 * 4 - 0.72, 10);
    const mean = cosines.reduce((sum, each) => sum + each, 0) / 100;
    const deviation = Math.sqrt(cosines.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 100);
    expect(evidence[1]).toBeCloseTo((1.2 * (0.2 - mean)) / deviation - 0.72, 10);
  });

  test('does not depend on the scale and the origin of the cosines', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        fc.double({ min: -0.5, max: 0.5, noNaN: true }),
        (scale, origin) => {
          const { evidence } = of(agreeing.map((each) => scale * each + origin));
          for (const [at, value] of of(agreeing).evidence.entries())
            expect(evidence[at]).toBeCloseTo(value, 6);
        },
      ),
    );
  });

  test('is none if all cosines are equal, or there is one', () => {
    const equal = words.map(() => 0.7);
    expect(similarityOf(equal, given)).toBeUndefined();
    expect(similarityOf([0.7], { ...given, words: [0] })).toBeUndefined();
  });

  test('is finite for all cosines, words and orders', () => {
    const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
    const rows = fc.array(fc.tuple(number(1), number(14)), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.boolean(), number(1), (some, isOrdered, coverage) => {
        const found = similarityOf(
          some.map(([cosine]) => cosine),
          {
            deviations: DEVIATIONS.passages,
            words: some.map(([, each]) => each),
            places: isOrdered ? some.map((_, at) => placeValue(at)) : undefined,
            coverage: Math.abs(coverage),
          },
        );
        expect(found?.evidence.every(Number.isFinite)).not.toBe(false);
        for (const share of [found?.trust ?? 0, found?.repeated ?? 0])
          expect(Math.min(1, Math.max(0, share))).toBe(share);
      }),
    );
  });
});

describe('the trust', () => {
  const others = shifted(agreeing);
  const sorted = others.toSorted((a, b) => b - a);

  test.each([
    ['the cosines agree with the words', agreeing, {}],
    ['the list is in the order of the cosines', sorted, { places }],
    ['no passage has the words of the question, as in another language', others, { coverage: 0.1 }],
    ['the caller gives the deviations', others, { isVouchedFor: true }],
  ])('is whole if %s', (_, cosines, more) => {
    expect(of(cosines, more).trust).toBe(1);
  });

  test.each([{}, { places }])('is small if the vectors are those of other passages', (more) => {
    expect(of(others, more).trust).toBeLessThan(0.4);
  });
});

describe('the share that the order repeats', () => {
  const sorted = agreeing.toSorted((a, b) => b - a);
  test('is whole for a list by these cosines, and none without an order or against it', () => {
    expect(of(sorted, { places, words: sorted }).repeated).toBeCloseTo(1, 10);
    expect(of(sorted).repeated).toBe(0);
    expect(of(sorted.toReversed(), { places }).repeated).toBe(0);
  });
});
