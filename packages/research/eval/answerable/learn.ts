/**
 * Learns the weights of support by logistic regression on the values of the best text of each pool. Which text is the best
 * depends on the weights, so they are learned again until it no longer changes. Families count the same, as do pools with the answer and pools without it.
 *
 * Source: O. Maron, T. Lozano-Pérez, "A framework for multiple-instance learning", 1998.
 */
import { logistic } from '../../../../src/math/logprobs.js';
import { groupBy } from '../../../../src/runtime/group-by.js';
import { logisticRegression, Rows } from '../train/logistic.js';
import type { AnswerPool } from './pools.js';

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
  const names = Array.from({ length: columns }, (_, at) => String(at));
  let model: Model = { bias: 0, weights: Array(columns).fill(1) };
  let before = '';
  for (let round = 0; round < ROUNDS; round++) {
    const best = learned.map((pool) => bestOf(model, pool));
    if (best.join() === before) break;
    before = best.join();
    const bestIn = new Map(learned.map((pool, at) => [pool, best[at] as number]));
    const rows = new Rows(names);
    for (const own of groups.values()) {
      const share = (own[0]?.form === 'question' ? 1 : OTHER_FORMS) / own.length;
      for (const pool of own) {
        rows.add(pool.features[bestIn.get(pool) as number] as readonly number[], pool.kind === 'with', share);
      }
    }
    const { base: bias, weights } = logisticRegression(rows, () => false);
    model = { bias, weights: names.map((name) => weights[name] as number) };
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
