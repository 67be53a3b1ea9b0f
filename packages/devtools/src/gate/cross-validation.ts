/**
 * Chooses a setting on some questions, and judges the choice on others (Stone, JRSS B 1974). Each question is judged with the
 * setting that has the greatest mean on the questions of the other folds. So choosing among settings does not make the gain of
 * a useless one positive on average.
 */
import { digestOf } from 'context-shaping/kit';
import { mean } from '../measurement/index.js';

const FOLDS = 5;
/** Means that differ by less are equal: sums in another order must not choose another setting. */
const TIE = 1e-9;

/**
 * @param keys one for each question: its text, or the name of its group. Questions with one key are in one fold. A
 *   hash of the key assigns it to a fold, so the order of the questions does not count.
 * @param values for each question, the quality of each setting. The first of equal settings is chosen.
 * @returns the index of the setting chosen on all questions, and for each question that chosen on the other folds.
 */
export function crossValidated(
  keys: readonly string[],
  values: readonly (readonly number[])[],
): { chosen: number; byQuestion: number[] } {
  const hashes = new Map(keys.map((key) => [key, digestOf(key)]));
  const order = [...hashes].sort(([, a], [, b]) => (a < b ? -1 : 1));
  const folds = new Map(order.map(([key], place) => [key, place % FOLDS]));
  const foldOf = (question: number) => folds.get(keys[question] as string) as number;
  const bestOn = (isIncluded: (question: number) => boolean): number => {
    const included = values.filter((_, question) => isIncluded(question));
    const means = (values[0] ?? []).map(
      (_, setting) => included.reduce((sum, own) => sum + (own[setting] as number), 0) / included.length,
    );
    const most = Math.max(...means);
    return means.findIndex((mean) => mean >= most - TIE);
  };
  const byFold = Array.from({ length: FOLDS }, (_, left) => bestOn((question) => foldOf(question) !== left));
  return {
    chosen: bestOn(() => true),
    byQuestion: keys.map((_, question) => byFold[foldOf(question)] as number),
  };
}

/** The means of the rows of each key, by column: questions of one key count as one. */
export function meansByKey(
  keys: readonly string[],
  rows: readonly (readonly number[])[],
): { keys: string[]; rows: number[][] } {
  const groups = new Map<string, number[]>();
  for (const [at, key] of keys.entries()) {
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [at]);
    else own.push(at);
  }
  return {
    keys: [...groups.keys()],
    rows: Array.from(groups.values(), (places) =>
      (rows[0] ?? []).map((_, column) => mean(places.map((at) => rows[at]?.[column] as number))),
    ),
  };
}
