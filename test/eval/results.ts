/** From what methods scored to estimates, comparisons and tables. */
import { type Estimate, estimate } from './bootstrap.js';
import type { Dataset } from './data/case.js';

/** What one method scored: for each metric one value per case. */
export interface Scores {
  method: string;
  /** Mean of one call. */
  milliseconds: number;
  values: Record<string, number[]>;
}

export interface Table {
  title: string;
  columns: string[];
  rows: (string | number)[][];
  notes: string[];
}

/** `method` less `baseline`, case by case. */
export interface Comparison {
  method: string;
  baseline: string;
  metric: string;
  difference: Estimate;
  /** Must it not be below the baseline? It is compared with the order of the retriever, which a user had for nothing. */
  gates?: boolean;
}

export interface SuiteResult {
  suite: string;
  counts: Readonly<Record<string, number>>;
  methods: { method: string; milliseconds: number; metrics: Record<string, Estimate> }[];
  comparisons: Comparison[];
  tables: Table[];
}

/**
 * @param scores of all methods on the same cases.
 * @param pairs methods, and the baseline that each must not fall behind; pairs that did not run are left out.
 * @param metrics on which they are compared: of those where more is better.
 */
export function summarise(
  suite: string,
  dataset: Dataset,
  scores: readonly Scores[],
  pairs: readonly (readonly [method: string, baseline: string])[],
  metrics: readonly string[],
): Omit<SuiteResult, 'tables'> {
  const groups = dataset.cases.map(({ group }) => group);
  const ran = new Map(scores.map((each) => [each.method, each]));
  return {
    suite,
    counts: dataset.counts,
    methods: scores.map(({ method, milliseconds, values }) => ({
      method,
      milliseconds,
      metrics: mapValues(values, (each) => estimate(each, groups)),
    })),
    comparisons: pairs.flatMap(([method, baseline]) => {
      const [ours, theirs] = [ran.get(method), ran.get(baseline)];
      if (ours === undefined || theirs === undefined) return [];
      return metrics.map((metric) => {
        const values = ours.values[metric] as number[];
        const others = theirs.values[metric] as number[];
        const differences = values.map((value, at) => value - (others[at] as number));
        return { method, baseline, metric, difference: estimate(differences, groups) };
      });
    }),
  };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
