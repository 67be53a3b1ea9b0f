/** From what methods scored to estimates, comparisons and tables. */
import { type Estimate, estimate, mean } from '../../devtools/src/measurement/index.js';
import type { Dataset } from './data/case.js';
import { short, signed } from './tables.js';

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
  /**
   * Must it not be below the baseline? It is compared with the order of the retriever, which a user had for nothing.
   * `above`: it must be above, in its mean and in all of its interval.
   */
  gates?: boolean | 'above';
}

export interface SuiteResult {
  suite: string;
  counts: Readonly<Record<string, number>>;
  methods: { method: string; milliseconds: number; metrics: Record<string, Estimate> }[];
  comparisons: Comparison[];
  tables: Table[];
  /** Question by question, by metric, of suites whose runs are compared with each other. */
  values?: Readonly<Record<string, PerQuestion>>;
}

/** One value per question, and what is drawn as one. */
export interface PerQuestion {
  groups: readonly string[];
  values: readonly number[];
}

/**
 * @param scores of all methods on the same cases.
 * @param pairs methods, and the baseline that each must not fall behind; pairs that did not run are left out.
 * @param metrics on which they are compared: of those where more is better.
 */
export function summarise(
  suite: string,
  dataset: Pick<Dataset, 'counts'> & { cases: readonly { group: string }[] },
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

/** This run less another one, metric by metric, question by question; metrics of other questions are left out. */
export function againstRun(
  { suite, values = {} }: Pick<SuiteResult, 'suite' | 'values'>,
  other: SuiteResult['values'] = {},
): Table {
  const rows = Object.entries(values).flatMap(([metric, now]): Table['rows'] => {
    const before = other[metric];
    if (before === undefined || before.groups.join('\n') !== now.groups.join('\n')) return [];
    const differences = now.values.map((value, at) => value - (before.values[at] as number));
    const better = differences.filter((difference) => difference > 0).length;
    const worse = differences.filter((difference) => difference < 0).length;
    const difference = signed(estimate(differences, now.groups));
    return [
      [
        metric,
        differences.length,
        short(mean(before.values)),
        short(mean(now.values)),
        difference,
        better,
        worse,
      ],
    ];
  });
  return {
    title: `${suite}: this run less the other`,
    columns: ['metric', 'questions', 'other', 'this', 'difference', 'better', 'worse'],
    rows,
    notes: ['Paired differences with 95 % intervals.'],
  };
}
