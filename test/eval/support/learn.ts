/**
 * Learns the weights of support by logistic regression, which is the softmax of two rows: the features of a
 * chunk, and nothing. The three kinds of pools of a data set count the same.
 */
import { logistic } from '../../../src/math/logprobs.js';
import type { TrainingSet } from '../train/example.js';
import { FOLDS, foldOf } from '../train/folds.js';
import { minimise } from '../train/newton.js';
import { type Kept, KINDS } from './pools.js';

/** Beside that the ridge, which is there for what is ranked, is next to nothing: it would draw all to one half. */
const WEIGHT = 100;

export interface Model {
  bias: number;
  /** In the order of columns; none below 0. */
  weights: readonly number[];
}

/** Kept chunks by data set. */
export type Sets = ReadonlyMap<string, readonly Kept[]>;

/** @param shares how much each set counts. */
export function learn(sets: Sets, shares: Readonly<Record<string, number>>, columns: number): Model {
  const training = [...sets].flatMap(([name, pools]) =>
    KINDS.map((kind): TrainingSet => {
      const examples = pools
        .filter((pool) => pool.kind === kind)
        .flatMap(({ group, gold, features }) =>
          features.map((row, at) => ({
            group,
            // A weight of at least 0 on −1 is a bias of at most 0: without a word in common nothing is probable.
            features: Float32Array.from([...row, -1, ...row.map(() => 0), 0]),
            gold: [gold[at] ? 0 : 1],
          })),
        );
      return { name, weight: WEIGHT * (shares[name] ?? 0), examples };
    }),
  );
  const places = Array.from({ length: columns + 1 }, (_, at) => at);
  const [...weights] = minimise(training, new Float64Array(columns + 1), places);
  return { bias: -(weights.pop() as number), weights };
}

/** Probabilities of the kept chunks of a pool. */
export const judge = ({ bias, weights }: Model, { features }: Kept): number[] =>
  features.map((row) =>
    logistic(row.reduce((sum, value, at) => sum + value * (weights[at] as number), bias)),
  );

export interface Thresholds {
  lower: number;
  upper: number;
}

/** At most so many pools that hold evidence are called incorrect, and of those that do not, correct. */
export const MOST_MISSED = 0.05;
export const MOST_FALSE = 0.15;

/**
 * The greatest lower and the least upper bound, in hundredths, under which no more pools are misjudged: means of
 * the data sets.
 *
 * @param gradesOf of the kept chunks of a pool.
 */
export function thresholdsOf(sets: Sets, gradesOf: (pool: Kept) => readonly number[]): Thresholds {
  const bests = (kind: Kept['kind']) =>
    [...sets.values()]
      .map((pools) => pools.filter((pool) => pool.kind === kind).map((pool) => Math.max(...gradesOf(pool))))
      .filter((all) => all.length > 0);
  const [answered, unanswered] = [bests('with'), bests('without')];
  const meanShare = (all: readonly number[][], holds: (best: number) => boolean) =>
    all.reduce((sum, each) => sum + each.filter(holds).length / each.length, 0) / all.length;
  const hundredths = Array.from({ length: 101 }, (_, at) => at / 100);
  const lower = hundredths.findLast((bound) => meanShare(answered, (best) => best < bound) <= MOST_MISSED);
  const upper = hundredths.find((bound) => meanShare(unanswered, (best) => best >= bound) <= MOST_FALSE);
  return { lower: lower ?? 0, upper: Math.max(lower ?? 0, upper ?? 1) };
}

const without = (sets: Sets, fold: number): Sets =>
  new Map([...sets].map(([name, pools]) => [name, pools.filter(({ group }) => foldOf(group) !== fold)]));

/** What is learned without a fold, by fold. */
export const crossValidated = <T>(sets: Sets, learnFrom: (sets: Sets) => T): T[] =>
  Array.from({ length: FOLDS }, (_, fold) => learnFrom(without(sets, fold)));
