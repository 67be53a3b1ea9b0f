/** Methods compared on several sets, on each and on all together. */
import { type Estimate, estimate, mean } from '../../../devtools/src/measurement/index.js';
import type { Method } from '../methods/method.js';
import type { Comparison, SuiteResult, Table } from '../results.js';
import { short, signed } from '../tables.js';

/** What methods scored on one set. */
export interface SetScores {
  set: string;
  /** Of each question: what is drawn as one. Names are distinct between sets, but where they are of the same questions. */
  groups: readonly string[];
  /** By method, by metric: one value per question. */
  values: ReadonlyMap<string, Readonly<Record<string, readonly number[]>>>;
}

/** Takes the values of one set, question by question. */
export class ScoreSheet implements SetScores {
  readonly groups: string[] = [];
  readonly values = new Map<string, Record<string, number[]>>();

  constructor(readonly set: string) {}

  add({ name }: Method, metric: string, value: number): void {
    const metrics = this.values.get(name) ?? {};
    this.values.set(name, metrics);
    metrics[metric] ??= [];
    metrics[metric].push(value);
  }
}

export const ALL_SETS = 'all';

interface Setting {
  /** What sets have in common, in the names of metrics. */
  name: string;
  title: string;
  notes: string[];
  /** Metrics on which no method must be below the baseline. */
  gates: readonly string[];
}

/**
 * One table per metric, of the sets that have it: the baseline's own figure, and the paired differences of the methods
 * from it.
 *
 * @param baseline the name of one of the methods.
 */
export function comparePerSet(
  sets: readonly SetScores[],
  baseline: string,
  { name, title, notes, gates }: Setting,
): Pick<SuiteResult, 'methods' | 'comparisons' | 'tables'> {
  const estimates = new Map<string, Record<string, Estimate>>();
  const comparisons: Comparison[] = [];
  const metrics = new Set(sets.flatMap(({ values }) => Object.keys(values.get(baseline) ?? {})));
  const tables = Array.from(metrics, (metric): Table => {
    const having = sets.filter(({ values }) => values.get(baseline)?.[metric] !== undefined);
    const together = pooled(having);
    const compared = [...together.values.keys()].filter(
      (method) => method !== baseline && together.values.get(method)?.[metric] !== undefined,
    );
    const rows = [...having, together].map(({ set, groups, values }) => {
      const inSet = `${set}, ${name}: ${metric}`;
      const valuesOf = (method: string) => values.get(method)?.[metric] as readonly number[];
      for (const method of [baseline, ...compared]) {
        estimates.set(method, { ...estimates.get(method), [inSet]: estimate(valuesOf(method), groups) });
      }
      const own = valuesOf(baseline);
      const cells = compared.map((method) => {
        const differences = valuesOf(method).map((value, at) => value - (own[at] as number));
        const difference = estimate(differences, groups);
        comparisons.push({ method, baseline, metric: inSet, difference, gates: gates.includes(metric) });
        return signed(difference);
      });
      return [set, groups.length, short(mean(own)), ...cells];
    });
    return {
      title: `${title}: ${metric}`,
      columns: ['set', 'questions', baseline, ...compared],
      rows,
      notes,
    };
  });
  return {
    methods: Array.from(estimates, ([method, own]) => ({ method, milliseconds: 0, metrics: own })),
    comparisons,
    tables,
  };
}

/** Several comparisons as the result of one suite. */
export function merged(
  suite: string,
  counts: SuiteResult['counts'],
  parts: readonly Pick<SuiteResult, 'methods' | 'comparisons' | 'tables'>[],
): SuiteResult {
  const methods = new Map<string, SuiteResult['methods'][number]>();
  for (const { method, milliseconds, metrics } of parts.flatMap((part) => part.methods)) {
    methods.set(method, {
      method,
      milliseconds,
      metrics: { ...methods.get(method)?.metrics, ...metrics },
    });
  }
  return {
    suite,
    counts,
    methods: [...methods.values()],
    comparisons: parts.flatMap(({ comparisons }) => comparisons),
    tables: parts.flatMap(({ tables }) => tables),
  };
}

function pooled(sets: readonly SetScores[]): SetScores {
  const values = new Map<string, Record<string, number[]>>();
  for (const [method, metrics] of sets.flatMap((set) => [...set.values])) {
    const all = values.get(method) ?? {};
    values.set(method, all);
    for (const [metric, own] of Object.entries(metrics)) all[metric] = [...(all[metric] ?? []), ...own];
  }
  return { set: ALL_SETS, groups: sets.flatMap(({ groups }) => groups), values };
}
