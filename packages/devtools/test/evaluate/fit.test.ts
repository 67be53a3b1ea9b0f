/** The choice among options: only what gains on cases that did not choose is recommended. */
import {
  type EvaluatedOptions,
  type EvaluationResult,
  evaluate,
  fitMethods,
  fitOf,
  formatFit,
} from 'context-shaping-devtools/evaluate';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../test/random.js';
import { buriedCase } from './cases.js';

const methods: EvaluatedOptions[] = [
  { name: 'in use', options: { k: 9 } },
  { name: 'other', options: { k: 9, ranked: false } },
  { name: 'third', options: { k: 9, ranked: true } },
];

/** An evaluation of cases that keep these shares by method, at one budget. */
function evaluated(
  kept: readonly (readonly number[])[],
  groupOf = (at: number) => `group ${at}`,
): EvaluationResult {
  const results = kept.map((shares, at) => ({
    id: `${at}`,
    group: groupOf(at),
    units: 1,
    inPool: 1,
    kept: shares.map((share) => [share]),
  }));
  return { results } as unknown as EvaluationResult;
}
const repeated = <T>(times: number, value: T) => Array.from({ length: times }, () => value);

describe('fitOf', () => {
  test('options that gain in all cases are recommended, with the gain and its bound', () => {
    const fit = fitOf(evaluated(repeated(60, [0.5, 0.6, 0.4])), methods);
    expect(fit).toMatchObject({ best: 'other', isRecommended: true, options: { k: 9, ranked: false } });
    expect(fit.tried.map(({ evidence }) => Number(evidence.toFixed(9)))).toEqual([0.5, 0.6, 0.4]);
    expect(fit.gain?.mean).toBeCloseTo(0.1, 9);
    expect(fit.gain?.low).toBeGreaterThan(0);
    expect(fit).not.toHaveProperty('groupsNeeded');
  });

  test('with differences of one size, it is the sign test', () => {
    const of = (gains: number, losses: number) =>
      fitOf(evaluated([...repeated(gains, [0.5, 0.7, 0]), ...repeated(losses, [0.5, 0.3, 0])]), methods);
    // P(15 or more of 20 coins), and P(14 or more).
    expect(of(15, 5)).toMatchObject({ isRecommended: true, gain: { p: 0.020695 } });
    expect(of(14, 6)).toMatchObject({ isRecommended: false, best: 'other', gain: { p: 0.057659 } });
    expect(of(15, 5).gain?.mean).toBeCloseTo((0.2 * 10) / 20, 9);
    expect(of(15, 5).gain?.low).toBeGreaterThan(0);
    expect(of(14, 6).gain?.low).toBeLessThan(0);
  });

  test('the options in use stay, if others are equal or keep less', () => {
    const fit = fitOf(evaluated(repeated(60, [0.5, 0.5, 0.4])), methods);
    expect(fit).toMatchObject({ best: 'in use', isRecommended: false, options: { k: 9 } });
    expect(fit).not.toHaveProperty('groupsNeeded');
    expect(formatFit(fit, [800])).toContain('Nothing is recommended: none keeps more. in use stays.');
  });

  test('a few gains are no evidence; as many groups as it asks for are', () => {
    const few = [...repeated(36, [0, 0, 0]), ...repeated(4, [0, 0.5, 0])];
    const fit = fitOf(evaluated(few), methods);
    expect(fit).toMatchObject({ best: 'other', isRecommended: false, options: { k: 9 } });
    const needed = fit.groupsNeeded as number;
    // One size again: 4 gains by chance 1/16, 8 by chance 1/256.
    expect(needed).toBe(80);
    expect(formatFit(fit, [800])).toContain(
      `the gain may be chance. in use stays. If others gain as these do, ${needed} cases show it.`,
    );
    const enough = (groups: number) => fitOf(evaluated(repeated(groups / 40, few).flat()), methods);
    expect(enough(needed).isRecommended).toBe(true);
  });

  test('fewer than 20 groups are too few, with any number of cases', () => {
    const all = repeated(190, [0, 1, 0]);
    const few = fitOf(
      evaluated(all, (at) => `${at % 19}`),
      methods,
    );
    expect(few).toMatchObject({ best: 'in use', isRecommended: false, groups: 19, groupsNeeded: 20 });
    expect(few).not.toHaveProperty('gain');
    expect(formatFit(few, [800])).toContain('19 cases are too few. It takes at least 20');
    const enough = fitOf(
      evaluated(all, (at) => `${at % 20}`),
      methods,
    );
    expect(enough.isRecommended).toBe(true);
  });

  test('each group counts the same, and cases without evidence in their pool do not', () => {
    const uneven = evaluated(
      [...repeated(50, [0, 0.1, 0]), ...repeated(39, [0.9, 0, 0])],
      (at) => `${at < 50 ? at : 50 + (at % 2)}`,
    );
    const [inUse, other] = fitOf(uneven, methods).tried.map(({ evidence }) => evidence);
    expect(inUse).toBeCloseTo((2 * 0.9) / 52, 9);
    expect(other).toBeCloseTo((50 * 0.1) / 52, 9);
    const empty = { id: 'empty', group: 'empty', units: 1, inPool: 0, kept: [] };
    const withEmpty = { ...uneven, results: [...uneven.results, empty] };
    expect(fitOf(withEmpty, methods)).toEqual(fitOf(uneven, methods));
  });

  test('the order of the cases does not count', () => {
    const random = seededRandom(3);
    const noise = Array.from({ length: 50 }, () => [random(), random(), random()]);
    const one = evaluated(noise);
    const turned = { ...one, results: one.results.toReversed() };
    const figures = ({ gain, best, tried }: ReturnType<typeof fitOf>) =>
      JSON.stringify({ gain, best, tried }, (_, value) =>
        typeof value === 'number' ? Number(value.toFixed(9)) : value,
      );
    expect(figures(fitOf(turned, methods))).toBe(figures(fitOf(one, methods)));
  });

  test('options that are all noise are rarely recommended', () => {
    const random = seededRandom(11);
    const draw = () => (random() < 0.2 ? Math.round(4 * (random() - 0.5)) / 2 : 0);
    let recommended = 0;
    const runs = 60;
    for (let run = 0; run < runs; run++) {
      // The same chance of a gain as of a loss, and rare, as differences of the evidence are.
      const noise = Array.from({ length: 30 }, () => {
        const sign = random() < 0.5 ? 1 : -1;
        return [1, 1 + sign * draw(), 1 + sign * draw()];
      });
      recommended += Number(fitOf(evaluated(noise), methods).isRecommended);
    }
    expect(recommended / runs).toBeLessThanOrEqual(0.05);
  });
});

describe('fitMethods', () => {
  test('the options in use with other trust in the order, or the methods that are given', () => {
    const [inUse] = methods as [EvaluatedOptions];
    expect(fitMethods([inUse])).toEqual([
      inUse,
      { name: 'ranked: 0.5', options: { k: 9, ranked: 0.5 } },
      { name: 'ranked: true', options: { k: 9, ranked: true } },
      { name: 'ranked: 0.25', options: { k: 9, ranked: 0.25 } },
      { name: 'ranked: "reranked"', options: { k: 9, ranked: 'reranked' } },
      { name: 'ranked: false', options: { k: 9, ranked: false } },
    ]);
    expect(fitMethods(methods)).toBe(methods);
    expect(fitMethods()[0]).toEqual({ name: 'shaping' });
  });

  test('answers at the end of lists that were said to be reranked: a lower trust is recommended', async () => {
    const cases = Array.from({ length: 20 }, (_, at) => buriedCase(at + 1));
    const all = fitMethods([{ name: 'mine', options: { ranked: 'reranked' } }]);
    const result = await evaluate({ cases, methods: all, budgets: [10], explained: 0 });
    expect(formatFit(fitOf(result, all), result.budgets)).toMatchInlineSnapshot(`
      "Options tried on 20 cases: mean share of the evidence that is kept, in per cent, at 10 tokens
      options             evidence  difference
      mine                     0.0
      ranked: 0.5            100.0      +100.0
      ranked: true           100.0      +100.0
      ranked: 0.25           100.0      +100.0
      ranked: "reranked"       0.0        +0.0
      ranked: false          100.0      +100.0

      Chosen on four fifths of the cases and measured on the other fifth, in turn: +100.0, at least +72.2 with 95 %, p below 0.001.
      Recommended in place of mine: ranked: 0.5."
    `);
  });
});
