/** What is compared of what methods kept, and the tables of it. */
import { type Estimate, estimate, mean } from '../../../devtools/src/measurement/index.js';
import { bm25, plain } from '../methods/lexical.js';
import { naive, naiveOfCollection, randomSentences } from '../methods/naive.js';
import { ours } from '../methods/ours.js';
import type { Comparison, PerQuestion, SuiteResult, Table } from '../results.js';
import { short, signed } from '../tables.js';
import { BUDGETS, overBudgets, type Run } from './compare.js';
import { LIST_KINDS } from './list-kinds.js';
import type { Group } from './sets.js';

export const METHODS = [ours, naive, plain, bm25, randomSentences, naiveOfCollection];
/** Whom ours must not be below. The last method knows the whole collection, and is there to compare with. */
const RIVALS = [naive, plain, bm25, randomSentences];
const GROUPS: readonly Group[] = ['answers', 'passages', 'many relevant'];
const NOTE =
  '▼ significantly below the rival, ▲ above: 95 % intervals of paired differences, drawn within each family of sets.';

export function summaryOf(
  runs: readonly Run[],
): Pick<SuiteResult, 'methods' | 'comparisons' | 'tables' | 'values'> {
  return {
    methods: METHODS.map(({ name }) => ({ method: name, milliseconds: 0, metrics: metricsOf(runs, name) })),
    comparisons: comparisonsOf(runs),
    values: valuesOf(runs),
    tables: [
      ...GROUPS.flatMap((group) => tablesOf(group, runs)),
      toldTable(runs),
      headersTable(runs),
      countsTable(runs),
    ],
  };
}

const listsOf = (runs: readonly Run[]) => [...new Set(runs.map(({ list }) => list))];
const setsOf = (runs: readonly Run[]) => [...new Set(runs.map(({ set }) => set))];

/** The values of one method in some runs, as one; questions without a value are left out. */
interface Sample {
  values: number[];
  groups: string[];
  families: string[];
}

function sampleOf(runs: readonly Run[], valuesOf: (run: Run) => readonly number[]): Sample {
  const sample: Sample = { values: [], groups: [], families: [] };
  for (const run of runs) {
    for (const [at, value] of valuesOf(run).entries()) {
      if (Number.isNaN(value)) continue;
      sample.values.push(value);
      sample.groups.push(run.groups[at] as string);
      sample.families.push(run.set.family);
    }
  }
  return sample;
}

const estimateOf = ({ values, groups, families }: Sample): Estimate | undefined =>
  values.length === 0 ? undefined : estimate(values, groups, families);

const meanOf = (
  runs: readonly Run[],
  method: string,
  of: 'kept' | 'used' = 'kept',
  budgets?: readonly string[],
) => {
  const { values, families } = sampleOf(runs, (run) => overBudgets(run[of], method, budgets));
  const ofFamily = (family: string) => mean(values.filter((_, at) => families[at] === family));
  return mean([...new Set(families)].map(ofFamily));
};

/** Ours less a rival, question by question. */
function differenceOf(
  runs: readonly Run[],
  rival: string,
  budgets?: readonly string[],
): Estimate | undefined {
  return estimateOf(
    sampleOf(runs, ({ kept }) => {
      const others = overBudgets(kept, rival, budgets);
      return overBudgets(kept, ours.name, budgets).map((value, at) => value - (others[at] as number));
    }),
  );
}

/** `▼` if significantly below, `▲` if above. */
const marked = (difference: Estimate | undefined, isFull = false) => {
  if (difference === undefined) return '–';
  const mark = difference.high < 0 ? '▼' : difference.low > 0 ? '▲' : '';
  return `${isFull ? signed(difference) : signed(difference).split(' ')[0]}${mark}`;
};

const marginOf = (list: string) => LIST_KINDS.find(({ name }) => name === list)?.margin ?? 0;

/** Averaged over the sets of each group, and of each set by itself where ours is significantly below. */
function comparisonsOf(runs: readonly Run[]): Comparison[] {
  return listsOf(runs).flatMap((list) => {
    const compare = (metric: string, some: readonly Run[], isAll: boolean) =>
      RIVALS.flatMap(({ name: baseline }): Comparison[] => {
        const difference = differenceOf(some, baseline);
        if (difference === undefined) return [];
        const gates = difference.mean < -marginOf(list);
        if (!isAll && difference.high >= 0) return [];
        return [{ method: ours.name, baseline, metric, difference, gates }];
      });
    const own = runs.filter((run) => run.list === list);
    return [
      ...GROUPS.flatMap((group) =>
        compare(
          `${group}, ${list}`,
          own.filter(({ set }) => set.group === group),
          true,
        ),
      ),
      ...own.flatMap((run) => compare(`${run.set.name}, ${list}`, [run], false)),
    ];
  });
}

function metricsOf(runs: readonly Run[], method: string): Record<string, Estimate> {
  const metrics: Record<string, Estimate> = {};
  for (const run of runs) {
    for (const of of ['kept', 'used'] as const) {
      const found = estimateOf(sampleOf([run], () => overBudgets(run[of], method)));
      if (found !== undefined) metrics[`${run.set.name}, ${run.list}: ${of}`] = found;
    }
  }
  return metrics;
}

/** What ours keeps, question by question. */
function valuesOf(runs: readonly Run[]): Record<string, PerQuestion> {
  return Object.fromEntries(
    runs.map((run) => [
      `${run.set.name}, ${run.list}: kept`,
      sampleOf([run], () => overBudgets(run.kept, ours.name)),
    ]),
  );
}

function tablesOf(group: Group, all: readonly Run[]): Table[] {
  const runs = all.filter(({ set }) => set.group === group);
  if (runs.length === 0) return [];
  const of = (list: string) => runs.filter((run) => run.list === list);
  const budgets = BUDGETS[group].map(({ name }) => name);
  const lists = listsOf(runs);
  const sets = setsOf(runs);
  const whole: Table = {
    title: `Evidence kept, ${group}: mean over budgets (${budgets.join(', ')}) and sets`,
    columns: [
      'list',
      'its nDCG',
      ...METHODS.map(({ name }) => name),
      ...RIVALS.map(({ name }) => `ours − ${name}`),
      'ours used',
    ],
    rows: lists.map((list) => [
      list,
      short(mean(sampleOf(of(list), ({ quality }) => quality).values)),
      ...METHODS.map(({ name }) => short(meanOf(of(list), name))),
      ...RIVALS.map(({ name }) => marked(differenceOf(of(list), name), true)),
      short(meanOf(of(list), ours.name, 'used')),
    ]),
    notes: [NOTE],
  };
  const byBudget = [naive, plain].map(
    ({ name }): Table => ({
      title: `Evidence kept, ${group}: ours − ${name}, by budget`,
      columns: ['list', ...budgets],
      rows: lists.map((list) => [
        list,
        ...budgets.map((budget) => marked(differenceOf(of(list), name, [budget]), true)),
      ]),
      notes: [NOTE],
    }),
  );
  const perSet = (title: string, cell: (run: Run) => string): Table => ({
    title: `Evidence kept, ${group}: ${title}`,
    columns: ['list', ...sets.map(({ name }) => name)],
    rows: lists.map((list) => [
      list,
      ...sets.map((set) => {
        const run = of(list).find((each) => each.set === set);
        return run === undefined ? '–' : cell(run);
      }),
    ]),
    notes: [],
  });
  const first = lists[0] as string;
  return [
    whole,
    ...byBudget,
    perSet('ours', (run) => short(meanOf([run], ours.name))),
    ...[naive, plain].map(({ name }) => perSet(`ours − ${name}`, (run) => marked(differenceOf([run], name)))),
    perSet('share of the budget that ours uses', (run) => short(meanOf([run], ours.name, 'used'))),
    {
      title: `Evidence kept, ${group}, ${first}: ours / naive / plain, ours − naive, by set and budget`,
      columns: ['set', ...budgets],
      rows: sets.map((set) => [
        set.name,
        ...budgets.map((budget) => {
          const own = of(first).filter((each) => each.set === set);
          const means = [ours, naive, plain].map(({ name }) => meanOf(own, name, 'kept', [budget]));
          return means.some(Number.isNaN)
            ? '–'
            : `${means.map(short).join(' / ')} ${marked(differenceOf(own, naive.name, [budget]))}`;
        }),
      ]),
      notes: [NOTE],
    },
  ];
}

/** How often ours is significantly below and above, of all sets with all lists. */
function countsTable(runs: readonly Run[]): Table {
  return {
    title: 'Sets with each kind of list: how often ours is significantly below a rival, and above',
    columns: ['rival', 'sets with lists', 'below', 'above'],
    rows: RIVALS.map(({ name }) => {
      const all = runs.flatMap((run) => differenceOf([run], name) ?? []);
      const below = all.filter(({ high }) => high < 0);
      const above = all.filter(({ low }) => low > 0);
      return [name, all.length, below.length, above.length];
    }),
    notes: ['Were all equal, a fortieth would be below by chance, and as many above.'],
  };
}

/** Ours where the list does not say what it is, beside the same order where it is said. */
function toldTable(runs: readonly Run[]): Table {
  const rows = LIST_KINDS.flatMap(({ name, truth }): Table['rows'] =>
    GROUPS.flatMap((group): Table['rows'] => {
      const own = (list?: string) => runs.filter((run) => run.list === list && run.set.group === group);
      const [untold, told] = [own(name), own(truth)];
      if (truth === undefined || untold.length === 0 || told.length === 0) return [];
      // Not all questions are asked of both lists.
      const ofBoth = (read: (unsaid: number, said: number) => number) =>
        estimateOf(
          sampleOf(untold, (run) => {
            const other = told.find(({ set }) => set === run.set) as Run;
            const said = new Map(
              overBudgets(other.kept, ours.name).map((value, at) => [other.ids[at], value]),
            );
            return overBudgets(run.kept, ours.name).map((value, at) => {
              const also = said.get(run.ids[at] as string);
              return also === undefined ? Number.NaN : read(value, also);
            });
          }),
        );
      const [less, more, difference] = [
        ofBoth((unsaid) => unsaid),
        ofBoth((_, said) => said),
        ofBoth((unsaid, said) => unsaid - said),
      ];
      if (less === undefined || more === undefined) return [];
      const share = short(less.mean / more.mean);
      return [
        [`${name} / ${truth}`, group, short(less.mean), short(more.mean), share, marked(difference, true)],
      ];
    }),
  );
  return {
    title: 'Evidence that ours keeps of a list, and of the same list where its order is said',
    columns: ['list / where it is said', 'sets', 'unsaid', 'said', 'share', 'difference'],
    rows,
    notes: [],
  };
}

function headersTable(runs: readonly Run[]): Table {
  const isCut = (run: Run) => overBudgets(run.headers, ours.name).some((value) => !Number.isNaN(value));
  const having = runs.filter(isCut);
  const cell = (some: readonly Run[], method: string, budget: string) => {
    const { values } = sampleOf(some, ({ headers }) => headers.get(method)?.get(budget) ?? []);
    return values.length === 0 ? '–' : `${short(mean(values))} of ${values.length}`;
  };
  const budgets = BUDGETS.answers.map(({ name }) => name);
  return {
    title: 'Tables that were cut: the share with all rows of their header, over all lists',
    columns: ['set: method', ...budgets],
    rows: setsOf(having).flatMap((set) =>
      METHODS.map(({ name }) => [
        `${set.name}: ${name}`,
        ...budgets.map((budget) =>
          cell(
            having.filter((run) => run.set === set),
            name,
            budget,
          ),
        ),
      ]),
    ),
    notes: [],
  };
}
