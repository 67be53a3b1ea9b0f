import { describe, expect, test } from 'vitest';
import { areaUnderCurve as naiveArea } from '../../../../test/adapters/logprobs/items.js';
import { seededRandom } from '../../../../test/random.js';
import { areaUnderCurve, f1AtK, gainOf, LEAST_TO_WIN, verdictOf } from '../../src/gate/index.js';
import { chanceOf } from '../../src/gate/mean-gain.js';

describe('ranking', () => {
  const scored = (...pairs: [number, boolean][]) => pairs.map(([score, relevant]) => ({ score, relevant }));

  test('area under the curve: pairs that are in order, ties half', () => {
    expect(areaUnderCurve(scored([3, true], [2, false], [1, false]))).toBe(1);
    expect(areaUnderCurve(scored([1, true], [2, false], [1, false]))).toBe(0.25);
    const pairs = scored([0.3, true], [0.3, false], [0.9, true], [0.1, true], [0.4, false], [0.2, false]);
    const of = (relevant: boolean) =>
      pairs.filter((each) => each.relevant === relevant).map(({ score }) => score);
    expect(areaUnderCurve(pairs)).toBeCloseTo(naiveArea(of(true), of(false)), 12);
  });

  test('F1 at k: as many as are relevant are taken; of equals, any', () => {
    expect(f1AtK(scored([3, true], [2, false], [1, true]))).toBe(0.5);
    expect(f1AtK(scored([1, true], [1, false], [1, false], [1, false]))).toBe(0.25);
    expect(f1AtK(scored([2, true], [1, true], [1, false]))).toBe(0.75);
  });
});

describe('the mean gain', () => {
  const ones = (positive: number, negative: number) => [
    ...Array(positive).fill(1),
    ...Array(negative).fill(-1),
  ];

  test('p of equal gains g is (1 + g)^-n: the loss that was not seen exceeds them all', () => {
    for (const [gain, count] of [
      [0.07, 100],
      [0.01, 60],
      [1, 4],
    ] as const)
      expect(chanceOf(Array(count).fill(gain))).toBeCloseTo((1 + gain) ** -count, 5);
  });

  test('p of wins and losses is that of the sign test, with one more loss', () => {
    // 12 wins and 5 losses: at least 12 of 17.
    expect(chanceOf(ones(12, 5))).toBeCloseTo((6188 + 2380 + 680 + 136 + 17 + 1) / 2 ** 17, 5);
  });

  test('p of different values is the sum of partial fractions', () => {
    const values = [0.3, 0.5, 0.9, -0.2];
    const all = [-1, ...values];
    const exact = all
      .filter((x) => x < 0)
      .map((x) => all.filter((y) => y !== x).reduce((product, y) => (product * x) / (x - y), 1));
    expect(chanceOf(values)).toBeCloseTo(
      exact.reduce((sum, each) => sum + each, 0),
      5,
    );
  });

  test('no gain is no evidence; zeros neither help nor hurt', () => {
    expect(chanceOf([0, 0, 0])).toBe(1);
    expect(chanceOf([-0.1, -0.2])).toBe(1);
    expect(chanceOf([0.2, 0.1, 0, 0, 0])).toBe(chanceOf([0.2, 0.1]));
  });

  test('the lower bound is above 0 exactly if p is at most α, and the order does not count', () => {
    const random = seededRandom(3);
    for (let run = 0; run < 40; run++) {
      const values = Array.from({ length: 30 }, () => random() - 0.25);
      const gain = gainOf(values, 0.05);
      expect(gain.low > 0).toBe(gain.p <= 0.05);
      expect(gain.low).toBeLessThan(gain.mean);
      expect(gainOf(values.toReversed(), 0.05)).toEqual(gain);
    }
  });
});

describe('the verdict', () => {
  const clear = (count: number, gain = 0.2) => Array(count).fill(gain);

  test('wins over all rivals, with enough questions', () => {
    const quality = clear(LEAST_TO_WIN);
    expect(
      verdictOf(
        [
          { rival: 'words', quality },
          { rival: 'BM25', quality, f1AtK: quality },
        ],
        4,
      ),
    ).toMatchObject({ wins: true, reasons: [], gains: [{ mean: expect.closeTo(0.2, 10) }, {}] });
  });

  test.each<[string, Parameters<typeof verdictOf>, RegExp]>([
    [
      'too few questions',
      [[{ rival: 'words', quality: clear(59) }], 1],
      /^59 questions are too few: .* 60\.$/,
    ],
    [
      'one rival that is not beaten',
      [
        [
          { rival: 'words', quality: clear(60) },
          { rival: 'BM25', quality: clear(60, 0) },
        ],
        1,
      ],
      /^The gain over BM25 may be chance: \+\.000, p 1\.000 \(at most \.050\)\.$/,
    ],
    [
      'a loss of F1',
      [[{ rival: 'words', quality: clear(60), f1AtK: clear(60, -0.01) }], 1],
      /^F1 is lower than that of words/,
    ],
  ])('%s', (_, [rivals, methods], reason) => {
    const { wins, reasons } = verdictOf(rivals, methods);
    expect(wins).toBe(false);
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  });

  test('each further method takes its part of the level', () => {
    const quality = clear(60, 0.06);
    expect(verdictOf([{ rival: 'words', quality }], 1).wins).toBe(true);
    expect(verdictOf([{ rival: 'words', quality }], 4).wins).toBe(false);
  });
});
