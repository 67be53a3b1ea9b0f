import type { TrainingSet, Weights } from './example.js';
import { FOLDS, withoutFold } from './folds.js';
import { minimise } from './newton.js';

/** A feature that adds less than this share of the whole is not worth its time. */
const LEAST_SHARE = 0.01;

/** Weights of one profile, as many as there are columns. */
export interface Model {
  /** From the words alone. */
  readonly words: Float64Array;
  /** By name, `words` and one feature of what comes with the chunks, learned on top of them. */
  readonly with: Readonly<Record<string, Float64Array>>;
}

export interface CrossValidated {
  /** Trained on everything. */
  readonly whole: Model;
  /** By fold: trained without it. */
  readonly folds: readonly Model[];
}

/** @param extras columns that are learned one by one, with the weights of all others fixed. */
export function crossValidate(
  sets: readonly TrainingSet[],
  columns: readonly string[],
  extras: readonly string[],
): CrossValidated {
  return {
    whole: train(sets, columns, extras),
    folds: Array.from({ length: FOLDS }, (_, fold) => train(withoutFold(sets, fold), columns, extras)),
  };
}

/** Weights of all columns but the extras, which stay 0. */
export function learnWords(
  sets: readonly TrainingSet[],
  columns: readonly string[],
  extras: readonly string[],
): Float64Array {
  const places = [...columns.keys()];
  return fitSparse(
    sets,
    columns.length,
    places.filter((at) => !extras.includes(columns[at] as string)),
  );
}

function train(sets: readonly TrainingSet[], columns: readonly string[], extras: readonly string[]): Model {
  const words = learnWords(sets, columns, extras);
  const withExtra = extras.map((name) => [name, minimise(sets, words, [columns.indexOf(name)])]);
  return { words, with: Object.fromEntries(withExtra) };
}

/** Features that add next to nothing are left out, and the rest learned again, until each is worth its time. */
function fitSparse(sets: readonly TrainingSet[], width: number, columns: readonly number[]): Float64Array {
  let free = columns;
  for (;;) {
    const weights = minimise(sets, new Float64Array(width), free);
    const least = LEAST_SHARE * weights.reduce((sum, weight) => sum + weight, 0);
    const worthIt = free.filter((at) => (weights[at] as number) > least);
    if (worthIt.length === free.length) return weights;
    free = worthIt;
  }
}

/** By name, without those that are 0. */
export function namedWeights(columns: readonly string[], weights: Float64Array): Weights {
  return Object.fromEntries(
    columns.map((name, at) => [name, weights[at] as number] as const).filter(([, weight]) => weight > 0),
  );
}
