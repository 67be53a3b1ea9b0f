import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../test/random.js';
import { gainOf, LEAST_TO_WIN, ndcg, verdictOf } from '../../src/gate/index.js';
import { chanceOf } from '../../src/gate/mean-gain.js';

describe('ranking', () => {
  const scored = (...pairs: [number, boolean][]) => pairs.map(([score, relevant]) => ({ score, relevant }));

  test('nDCG: the sum of discounts over that of the best ranking', () => {
    expect(ndcg(scored([3, true], [2, false], [1, false]))).toBe(1);
    expect(ndcg(scored([1, true], [3, false], [2, false]))).toBeCloseTo(1 / Math.log2(4), 12);
    const best = 1 + 1 / Math.log2(3);
    expect(ndcg(scored([3, true], [2, false], [1, true]))).toBeCloseTo((1 + 1 / Math.log2(4)) / best, 12);
  });

  test('only the first ten places count', () => {
    const above = Array.from({ length: 10 }, (_, at): [number, boolean] => [at, false]);
    expect(ndcg(scored(...above, [-1, true]))).toBe(0);
  });

  test('of equal scores, it is the mean over all orders', () => {
    const random = seededRandom(5);
    for (let run = 0; run < 30; run++) {
      const passages = Array.from({ length: 5 }, (_, at) => ({
        score: Math.floor(3 * random()),
        relevant: at === 0 || random() < 0.4,
      }));
      const orders = permutations(passages).map((order) =>
        // A small part of the place makes each order strict.
        ndcg(order.map(({ score, relevant }, place) => ({ relevant, score: score - place / 100 }))),
      );
      expect(ndcg(passages)).toBeCloseTo(orders.reduce((sum, each) => sum + each, 0) / orders.length, 10);
    }
  });
});

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((first, at) => permutations(all.toSpliced(at, 1)).map((rest) => [first, ...rest]));

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
          { rival: 'BM25', quality },
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
