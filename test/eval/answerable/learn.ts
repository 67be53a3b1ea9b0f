/**
 * Learns the weights of support by logistic regression, which is the softmax of two rows: the values of the best text
 * of a pool, and nothing. Which text is the best depends on the weights, so they are learned again until it no longer
 * changes. Families count the same, as do pools with the answer and pools without it.
 *
 * Source: O. Maron, T. Lozano-Pérez, "A framework for multiple-instance learning", 1998.
 */
import { logistic } from '../../../src/math/logprobs.js';
import { groupBy } from '../../../src/runtime/group-by.js';
import { mean } from '../bootstrap.js';
import type { Example } from '../train/example.js';
import { minimise } from '../train/newton.js';
import type { AnswerPool } from './pools.js';

/** Beside that the ridge, which is there for what is ranked, is next to nothing: it would draw all to one half. */
const WEIGHT = 1;
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
  const places = Array.from({ length: columns + 2 }, (_, at) => at);
  const rows = learned.flatMap(({ features }) => features);
  const means = Array.from({ length: columns }, (_, at) => mean(rows.map((row) => row[at] as number)));
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
        // No weight is below 0, so the bias is the difference of two. Less their means, values leave it nearly 0.
        const centred = row.map((value, column) => value - (means[column] as number));
        const features = Float32Array.from([...centred, 1, -1, ...row.map(() => 0), 0, 0]);
        return { group: '', features, gold: [pool.kind === 'with' ? 0 : 1] };
      }),
    }));
    const found = minimise(training, new Float64Array(columns + 2), places);
    const weights = Array.from(found.subarray(0, columns));
    const [up, down] = found.subarray(columns) as unknown as [number, number];
    model = {
      bias: weights.reduce((sum, weight, at) => sum - weight * (means[at] as number), up - down),
      weights,
    };
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
