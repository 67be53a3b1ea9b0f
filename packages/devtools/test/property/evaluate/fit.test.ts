/** How often useless and useful options are recommended, beside the simple alternative: the interval of a bootstrap. */
import { type EvaluationResult, fitOf } from 'context-shaping-devtools/evaluate';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../../test/random.js';
import { crossValidated } from '../../../src/gate/index.js';
import { estimate } from '../../../src/measurement/index.js';

type Draw = (random: () => number) => number;
const RUNS = 100;
const CASES = 40;

/** Shares of evidence change in fifths, in a quarter of the cases. */
const size: Draw = (random) => (random() < 0.25 ? Math.ceil(5 * random()) / 5 : 0);
const USELESS: Readonly<Record<string, Draw>> = {
  'gains and losses alike': (random) => size(random) * (random() < 0.5 ? 1 : -1),
  '+.05 in 90 %, -.45 in 10 %': (random) => (random() < 0.1 ? -0.45 : 0.05),
};
const useful: Draw = (random) => size(random) * (random() < 0.8 ? 1 : -1);

/** Shares of the runs in which one of two options, of which the second gains a little less, is recommended. */
function recommended(draw: Draw): { fit: number; bootstrap: number } {
  const random = seededRandom(7);
  let [fit, bootstrap] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const kept = Array.from({ length: CASES }, () => {
      const gain = draw(random);
      return [0, gain, 0.9 * gain];
    });
    const results = kept.map((shares, at) => ({
      ...{ id: `${at}`, group: `${at}`, units: 1, inPool: 1 },
      kept: shares.map((share) => [share]),
    }));
    const methods = ['in use', 'one', 'two'].map((name) => ({ name }));
    fit += Number(fitOf({ results } as unknown as EvaluationResult, methods).isRecommended);
    const keys = results.map(({ group }) => group);
    const { byQuestion } = crossValidated(keys, kept);
    const gains = kept.map((shares, at) => shares[byQuestion[at] as number] as number);
    bootstrap += Number(estimate(gains, keys).low > 0);
  }
  return { fit: fit / RUNS, bootstrap: bootstrap / RUNS };
}

test.each(Object.entries(USELESS))('useless options are rarely recommended: %s', (_, draw) => {
  const { fit } = recommended(draw);
  expect(fit).toBeLessThanOrEqual(0.05);
});

test('a gain of .09 that most cases do not have is found in some of the runs', () => {
  const { fit, bootstrap } = recommended(useful);
  expect(fit).toBeGreaterThan(0.15);
  expect(bootstrap).toBeGreaterThan(fit);
});
