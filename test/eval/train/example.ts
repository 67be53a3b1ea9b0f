import { LEXICAL } from '../../../src/relevance/features.js';

/** What weights are learned from: a question, what competes to answer it, and which of it does. */
export interface Example {
  /** Questions of one group are never on both sides of a fold. */
  readonly group: string;
  /** Row after row, one value per column. */
  readonly features: Float32Array;
  /** Rows that answer: at least one. */
  readonly gold: readonly number[];
}

/** Examples of one data set, and how much it counts; its examples share that equally. */
export interface TrainingSet {
  readonly name: string;
  readonly weight: number;
  readonly examples: readonly Example[];
}

export const PASSAGE_COLUMNS = [...LEXICAL, 'cosine', 'score'] as const;
/** Of lists in the order of a retriever, which tells more than nothing. */
export const LIST_COLUMNS = [...PASSAGE_COLUMNS, 'rank'] as const;
export const UNIT_COLUMNS = [...LEXICAL, 'chunk', 'lead'] as const;

export type Weights = Readonly<Record<string, number>>;

/** @param features one value per row; a feature that is missing is 0 everywhere, which prefers no row. */
export function toRows(
  columns: readonly string[],
  features: Readonly<Record<string, ArrayLike<number>>>,
  size: number,
): Float32Array {
  const rows = new Float32Array(size * columns.length);
  for (const [column, name] of columns.entries()) {
    const values = features[name] ?? [];
    for (let row = 0; row < values.length; row++) rows[row * columns.length + column] = values[row] as number;
  }
  return rows;
}

/** How well each row answers: Σ w·v. */
export function scoresOf({ features }: Example, weights: ArrayLike<number>): Float64Array {
  const width = weights.length;
  const scores = new Float64Array(features.length / width);
  for (let row = 0; row < scores.length; row++) {
    let sum = 0;
    for (let at = 0; at < width; at++) {
      sum += (weights[at] as number) * (features[row * width + at] as number);
    }
    scores[row] = sum;
  }
  return scores;
}
