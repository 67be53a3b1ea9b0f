import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SCORE_SHAPES } from './score-shapes.js';

describe.each(Object.entries(SCORE_SHAPES))('%s', (name, shape) => {
  test('keep the order of the scores', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 12 }), (scores) => {
        const given = scores.toSorted((a, b) => b - a);
        const shaped = shape(given);
        expect(shaped).toHaveLength(given.length);
        for (let at = 1; at < given.length; at++) {
          expect(shaped[at]).toBeLessThanOrEqual(shaped[at - 1] as number);
          if ((given[at] as number) < (given[at - 1] as number))
            expect(shaped[at]).toBeLessThan(shaped[at - 1] as number);
        }
      }),
      { seed: 1 },
    );
  });

  test('are in the range of their kind', () => {
    const shaped = shape([9, 5, 1]);
    const expected: Record<string, number[]> = {
      'scores as given': [9, 5, 1],
      cosines: [0.9, 0.75, 0.6],
      'reciprocal ranks': [1 / 61, 1 / 62, 1 / 63],
      probabilities: [1 / (1 + Math.exp(-4)), 1 / (1 + Math.exp(1)), 1 / (1 + Math.exp(6))],
      logits: [4, -1, -6],
    };
    expect(shaped).toEqual(expected[name]?.map((value) => expect.closeTo(value, 12)));
  });
});
