/** The model of relevance: two experts whose probabilities are mixed by the trust in the order of the list. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedParts, logOddsOf, placeValue, relevanceOf } from '../../src/relevance/model.js';

const NAMES = ['grams', 'coverage', 'title'] as const;
const logistic = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));
const sumOf = (parts: Readonly<Record<string, number>>) =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const share = number(0, 1);
const expert = (place: fc.Arbitrary<number>) =>
  fc.record({
    base: number(-4, 0),
    size: number(-1, 0),
    place,
    weights: fc.dictionary(fc.constantFrom(...NAMES), number(0, 2)),
  });
const experts = fc.record({ words: expert(fc.constant(0)), ranked: expert(number(0.01, 2)) });
const passage = fc.record({
  size: fc.integer({ min: 1, max: 60 }),
  values: fc
    .tuple(share, share, share)
    .map((all) => all.map((value, at) => [NAMES[at] as string, value] as const)),
  rank: fc.option(fc.nat(59), { nil: undefined }),
  trust: share,
});

describe('the relevance of a passage', () => {
  test('is the mean of two logistic models, weighted by the trust', () => {
    fc.assert(
      fc.property(experts, passage, ({ words, ranked }, given) => {
        const { size, values, rank, trust } = given;
        const logOdds = (model: typeof words) =>
          values.reduce(
            (sum, [name, value]) => sum + (model.weights[name] ?? 0) * value,
            model.base + model.size * Math.log(size),
          );
        const byWords = logistic(logOdds(words));
        const expected =
          rank === undefined
            ? byWords
            : trust * logistic(logOdds(ranked) - ranked.place * Math.log(1 + rank / 2)) +
              (1 - trust) * byWords;
        expect(relevanceOf({ words, ranked }, given).value).toBeCloseTo(expected, 10);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test('has shares that sum to its log-odds', () => {
    fc.assert(
      fc.property(experts, passage, (model, given) => {
        const { value, parts } = relevanceOf(model, given);
        expect(sumOf(parts)).toBeCloseTo(Math.log(value / (1 - value)), 6);
        expect(parts).toHaveProperty('base');
        for (const name of NAMES) expect(parts[name]).not.toBe(0);
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  test('the first place has the value 0, the third −ln 2', () => {
    expect([0, 2, 4].map(placeValue)).toEqual([
      expect.closeTo(0, 12),
      expect.closeTo(-Math.LN2, 12),
      expect.closeTo(-Math.log(3), 12),
    ]);
  });
});

describe('log-odds', () => {
  test('are finite, also for certain events, and the same in the other direction', () => {
    expect(logOddsOf(0.5)).toBe(0);
    expect(logOddsOf(0)).toBeCloseTo(-13.8155, 4);
    expect(logOddsOf(1)).toBeCloseTo(13.8155, 4);
    fc.assert(
      fc.property(number(1e-6, 1 - 1e-6), (probability) => {
        expect(logistic(logOddsOf(probability))).toBeCloseTo(probability, 9);
        expect(logOddsOf(1 - probability)).toBeCloseTo(-logOddsOf(probability), 6);
      }),
      { numRuns: 200, seed: 6 },
    );
  });
});

describe('shares of a relevance that a stage changed', () => {
  test('sum to its log-odds for every previous stage, and only the share of the stage changes', () => {
    const before = fc.dictionary(fc.constantFrom('base', 'grams', 'own'), number(-20, 20));
    fc.assert(
      fc.property(before, share, (features, changed) => {
        const after = changedParts({ features }, 'own', changed);
        expect(sumOf(after)).toBeCloseTo(logOddsOf(changed), 9);
        expect({ ...after, own: 0 }).toEqual({ ...features, own: 0 });
        expect(features).not.toBe(after);
        expect(Object.isFrozen(after)).toBe(true);
      }),
      { numRuns: 300, seed: 7 },
    );
    expect(changedParts({}, 'own', 0.5)).toEqual({ own: 0 });
  });

  test('a stage that changes relevance twice has one share', () => {
    const once = changedParts({ features: { base: -2 } }, 'own', 0.3);
    expect(changedParts({ features: once }, 'own', 0.9)).toEqual({
      base: -2,
      own: expect.closeTo(logOddsOf(0.9) + 2, 12),
    });
  });
});
