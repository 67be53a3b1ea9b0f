/** How well weights rank examples. */
import { mean } from '../bootstrap.js';
import { descending } from '../methods/method.js';
import type { Table } from '../results.js';
import { type Example, scoresOf, type TrainingSet } from './example.js';
import { foldOf } from './folds.js';
import type { CrossValidated, Model } from './profile.js';

/** Weights for an example: those trained without it, or others. */
type WeightsFor = (example: Example) => Float64Array;

/**
 * Means over examples: 1 / rank of the first row that answers, the share of rows that answer among as many of
 * the best, and how often the best of all answers. Ties go to the earlier row.
 */
export function qualityOf(
  examples: readonly Example[],
  weightsFor: WeightsFor,
): { reciprocalRank: number; precision: number; first: number } {
  const ranks = examples.map((example) => {
    const rankOf = new Map(
      descending(scoresOf(example, weightsFor(example))).map((row, rank) => [row, rank]),
    );
    return example.gold.map((row) => rankOf.get(row) as number);
  });
  return {
    reciprocalRank: mean(ranks.map((gold) => 1 / (1 + Math.min(...gold)))),
    precision: mean(ranks.map((gold) => gold.filter((rank) => rank < gold.length).length / gold.length)),
    first: mean(ranks.map((gold) => Number(gold.includes(0)))),
  };
}

export function qualityTable(
  title: string,
  sets: readonly TrainingSet[],
  columns: readonly string[],
  { whole, folds }: CrossValidated,
): Table {
  const heldOut =
    (pick: (model: Model) => Float64Array): WeightsFor =>
    ({ group }) =>
      pick(folds[foldOf(group)] as Model);
  const methods: [name: string, WeightsFor][] = [
    ...['bm25', ...Object.keys(whole.with)].map((name): [string, WeightsFor] => {
      const alone = Float64Array.from(columns, (column) => Number(column === name));
      return [`${name} alone`, () => alone];
    }),
    ['words, held out', heldOut(({ words }) => words)],
    ['words, in sample', () => whole.words],
    ...Object.keys(whole.with).map((name): [string, WeightsFor] => [
      `words and ${name}, held out`,
      heldOut((model) => model.with[name] as Float64Array),
    ]),
  ];
  return {
    title,
    columns: ['set, weights', 'questions', '1 / rank of first', 'precision at |gold|', 'precision at 1'],
    rows: sets.flatMap(({ name: set, examples }) =>
      methods.map(([method, weightsFor]) => {
        const { reciprocalRank, precision, first } = qualityOf(examples, weightsFor);
        const figures = [reciprocalRank, precision, first].map((value) => value.toFixed(3));
        return [`${set}: ${method}`, examples.length, ...figures];
      }),
    ),
    notes: [],
  };
}
