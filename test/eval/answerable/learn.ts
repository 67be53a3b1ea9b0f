/**
 * Learns the weights of support by logistic regression, which is the softmax of two rows: the values of the best text
 * of a pool, and nothing. Which text is the best depends on the weights, so they are learned again until it no longer
 * changes. Families count the same, as do pools with the answer and pools without it.
 *
 * Source: O. Maron, T. Lozano-Pérez, "A framework for multiple-instance learning", 1998.
 */
import { logistic } from '../../../src/math/logprobs.js';
import { groupBy } from '../../../src/runtime/group-by.js';
import type { Example } from '../train/example.js';
import { minimise } from '../train/newton.js';
import type { AnswerPool } from './pools.js';

/** Beside that the ridge, which is there for what is ranked, is next to nothing: it would draw all to one half. */
const WEIGHT = 100;
/** A form other than the question counts so much. */
const OTHER_FORMS = 0.25;
const ROUNDS = 20;

export interface Model {
  readonly bias: number;
  /** In the order of columns; none below 0. */
  readonly weights: readonly number[];
}

/** Pools of other questions are not learned from: they are no question for anyone. */
export function learn(pools: readonly AnswerPool[], columns: number): Model {
  const learned = pools.filter(({ kind }) => kind !== 'other');
  const groups = groupBy(learned, ({ family, kind, form }) => JSON.stringify([family, kind, form]));
  const places = Array.from({ length: columns + 1 }, (_, at) => at);
  let model: Model = { bias: 0, weights: Array(columns).fill(1) };
  let before = '';
  for (let round = 0; round < ROUNDS; round++) {
    const best = learned.map((pool) => bestOf(model, pool));
    if (best.join() === before) break;
    before = best.join();
    const bestIn = new Map(learned.map((pool, at) => [pool, best[at] as number]));
    const training = Array.from(groups, ([name, own]) => ({
      name,
      weight: WEIGHT * (own[0]?.form === 'question' ? 1 : OTHER_FORMS),
      examples: own.map((pool): Example => {
        const row = pool.features[bestIn.get(pool) as number] as readonly number[];
        // A weight of at least 0 on −1 is a bias of at most 0: without a word in common nothing is probable.
        const features = Float32Array.from([...row, -1, ...row.map(() => 0), 0]);
        return { group: '', features, gold: [pool.kind === 'with' ? 0 : 1] };
      }),
    }));
    const [...weights] = minimise(training, new Float64Array(columns + 1), places);
    model = { bias: -(weights.pop() as number), weights };
  }
  return model;
}

/** The support of each text. */
export const judge = ({ bias, weights }: Model, { features }: AnswerPool): number[] =>
  features.map((row) =>
    logistic(row.reduce((sum, value, at) => sum + value * (weights[at] as number), bias)),
  );

function bestOf(model: Model, pool: AnswerPool): number {
  const supports = judge(model, pool);
  return supports.indexOf(Math.max(...supports));
}
