/**
 * How often rules for trust are wrong: the share of simulated calibrations that trust a model whose true mean gain is 0
 * (false trust), and one whose true mean gain is .07 (power).
 *
 * The rules: the former one (95 % interval of Student's t, and a sign test at .025); the same with a sum of gains
 * above n / 30; a bet; and the rule of adapters/gate. The bet accepts if the mean over λ of Π (1 + λ x_j) is at least
 * 1 / α (Waudby-Smith & Ramdas, JRSS B 2024). Its mixture does not depend on the order (Orabona & Jun 2024).
 */

import { seededNormal, seededRandom } from '../../../../test/random.js';
import { chanceOf } from '../../src/gate/mean-gain.js';
import { ALPHA } from '../../src/gate/verdict.js';

interface Source {
  uniform: () => number;
  normal: () => number;
}
type Draw = (source: Source) => number;

const either =
  (rare: number, share: number, usual: number): Draw =>
  ({ uniform }) =>
    uniform() < share ? rare : usual;
const noisy =
  (draw: Draw, deviation: number): Draw =>
  (source) =>
    Math.max(-1, Math.min(1, draw(source) + deviation * source.normal()));

/** True mean gain 0. */
export const USELESS: Readonly<Record<string, Draw>> = {
  '+.03 in 95 %, -.57 in 5 %': either(-0.57, 0.05, 0.03),
  'the same, noise of .1': noisy(either(-0.57, 0.05, 0.03), 0.1),
  '-.03 in 95 %, +.57 in 5 %': either(0.57, 0.05, -0.03),
  '+.01 in 98 %, -.49 in 2 %': either(-0.49, 0.02, 0.01),
  '+.01 in 99 %, -.99 in 1 %': either(-0.99, 0.01, 0.01),
  'noise of .1': noisy(() => 0, 0.1),
  'noise of .15': noisy(() => 0, 0.15),
  'sixths: ±1/6 in 20 % each': ({ uniform }) => {
    const at = uniform();
    return at < 0.2 ? 1 / 6 : at < 0.4 ? -1 / 6 : 0;
  },
};

/** True mean gain .07. `like the fixture`: as a model that is always right gains over relevance there. */
export const USEFUL: Readonly<Record<string, Draw>> = {
  'like the fixture: 1/6 in 42 %': either(1 / 6, 0.42, 0),
  '+.07, noise of .1': noisy(() => 0.07, 0.1),
  '+.07, noise of .15': noisy(() => 0.07, 0.15),
};

/** Whether a sample of differences is trusted at a one-sided level. */
export type Rule = (differences: readonly number[], alpha: number) => boolean;

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The quantile of Student's t by the expansion of Cornish & Fisher, from that of the normal distribution. */
function isAboveZero(values: readonly number[], z: number): boolean {
  const mean = sumOf(values) / values.length;
  const degrees = values.length - 1;
  const deviation = Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / degrees);
  const t = z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2);
  return mean > (t * deviation) / Math.sqrt(values.length);
}

/** The probability that at least so many of the differences that are not 0 are positive. */
function signTest(values: readonly number[]): number {
  const positive = values.filter((value) => value > 0).length;
  const trials = values.filter((value) => value !== 0).length;
  let [sum, logChoose] = [0, 0];
  for (let count = trials; count >= positive; count--) {
    sum += Math.exp(logChoose - trials * Math.LN2);
    logChoose += Math.log(count) - Math.log(trials - count + 1);
  }
  return sum;
}

/** Normal quantiles of 1 - α for two-sided tests at .05 and at .05 / 4. */
const Z = { one: 1.959964, four: 2.497705 };
const zOf = (alpha: number) => (alpha < ALPHA ? Z.four : Z.one);
const BETS = Array.from({ length: 40 }, (_, place) => (place + 0.5) / 40);

export const RULES: Readonly<Record<string, Rule>> = {
  former: (values) => isAboveZero(values, Z.one) && signTest(values) <= 0.025,
  'with a sum': (values, alpha) =>
    isAboveZero(values, zOf(alpha)) &&
    signTest(values) <= alpha / 2 &&
    sumOf(values) > Math.ceil(values.length / 30),
  bet: (values, alpha) => {
    const wealth = BETS.map((bet) => Math.exp(sumOf(values.map((value) => Math.log1p(bet * value)))));
    return sumOf(wealth) / BETS.length >= 1 / alpha;
  },
  gate: (values, alpha) => sumOf(values) > 0 && chanceOf(values) <= alpha,
};

/**
 * The share of calibrations that trust at least one of the methods.
 *
 * @param methods how many are measured on the same questions, each drawn on its own.
 * @param real how many of them are what `draw` says: for power, one; the others gain 0 with noise of .1.
 */
export function shareTrusted(
  rule: Rule,
  draw: Draw,
  {
    questions,
    methods,
    runs,
    real = methods,
  }: Record<'questions' | 'methods' | 'runs', number> & { real?: number },
): number {
  const source = { uniform: seededRandom(11), normal: seededNormal(12) };
  let trusted = 0;
  for (let run = 0; run < runs; run++) {
    const samples = Array.from({ length: real }, () => Array.from({ length: questions }, () => draw(source)));
    if (samples.some((sample) => rule(sample, ALPHA / methods))) trusted++;
  }
  return trusted / runs;
}
