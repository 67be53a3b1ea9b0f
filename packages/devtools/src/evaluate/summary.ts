/**
 * From the measurements of all cases to the result.
 *
 * If all n groups keep everything, the least share that is not refuted at 95 % is .025^(1/n); all draws of a bootstrap would say 1.
 * Source: C. Clopper, E. Pearson, "The Use of Confidence or Fiducial Limits", 1934.
 */
import { LIBRARY } from 'context-shaping/kit';
import {
  type Estimate,
  estimateOf,
  leastBudget,
  lessOf,
  mean,
  type Resampled,
  resampledMeans,
} from '../measurement/index.js';
import { CONTROLS } from './controls.js';
import type { CaseRecord, MethodRecord, Plan } from './measure.js';
import { notesOf } from './notes.js';
import type { EvaluationResult, LeastBudget, MethodResult } from './types.js';

/** Shares of the evidence for which the least budget is found. */
const TARGETS = [0.95, 0.99] as const;
const QUESTIONS = 1000;

export interface SummaryInput {
  plan: Plan;
  /** In the order of the data. */
  records: readonly CaseRecord[];
  /** The budget to report on; absent: the least one that keeps 95 %. */
  budget?: number | undefined;
}

/** Everything but the explanations of lost cases. */
export function summaryOf({ plan, records, budget }: SummaryInput): EvaluationResult {
  const { budgets } = plan;
  const measured = records.filter(({ inPool }) => inPool > 0);
  const names = [
    ...plan.methods.map(({ name }) => ({ name, kind: 'options' as const })),
    ...CONTROLS.map(({ name }) => ({ name, kind: 'control' as const })),
  ];
  const groups = new Set(measured.map(({ group }) => group)).size;
  const kept = resampledByMethod(measured, names.length, budgets, (record) => record.kept);
  const methods = names.map(({ name, kind }, place): MethodResult => {
    const own = measured.map(({ methods }) => methods[place] as MethodRecord);
    const columns = kept[place] as Resampled[];
    const figures = budgets.map((each, at) => ({
      budget: each,
      evidence: shareOf(columns[at] as Resampled, groups),
      whole: mean(own.map((record) => Number((record.kept[at] as number) === 1))),
      tokens: mean(own.map((record) => record.tokens[at] as number)),
    }));
    const least = TARGETS.map((target): LeastBudget => {
      const found = leastBudget(budgets, columns, target);
      const tokens = figures.find((each) => each.budget === found.budget)?.tokens;
      return {
        target,
        ...found,
        groupsNeeded: Math.ceil(Math.log(TAIL) / Math.log(target)),
        ...(tokens === undefined ? {} : { tokensPerThousand: QUESTIONS * tokens }),
      };
    });
    return {
      name,
      kind,
      budgets: figures,
      least,
      milliseconds: mean(own.map((record) => record.milliseconds)),
    };
  });
  const reported = budget ?? methods[0]?.least[0]?.budget ?? (budgets.at(-1) as number);
  const poolTokens = mean(records.map(({ tokens }) => tokens));
  const result: Omit<EvaluationResult, 'notes'> = {
    evaluationVersion: 1,
    library: { name: LIBRARY.name, version: LIBRARY.version },
    cases: { all: records.length, measured: measured.length, groups },
    pool: {
      chunks: mean(records.map(({ chunks }) => chunks)),
      tokens: poolTokens,
      found: mean(records.map(({ inPool, units }) => inPool / units)),
    },
    wholePool: { tokensPerThousand: QUESTIONS * poolTokens },
    budgets: [...budgets],
    budget: reported,
    methods,
    differences: plan.methods.flatMap(({ name: method }, place) =>
      names.slice(place + 1).map(({ name: baseline }, after) => ({
        method,
        baseline,
        budgets: budgets.map((each, at) => ({
          budget: each,
          difference: estimateOf(
            lessOf(kept[place]?.[at] as Resampled, kept[place + 1 + after]?.[at] as Resampled),
          ),
        })),
      })),
    ),
    lost: { cases: measured.filter(isLostAt(budgets.indexOf(reported))).length, explained: [] },
    results: records.map(({ id, group, units, inPool, methods: own }) => ({
      ...{ id, group, units, inPool },
      kept: own.map((record) => record.kept),
    })),
  };
  return {
    ...result,
    notes: notesOf(result, {
      isNamed: measured.some(({ named }) => named),
      isChosen: budget === undefined,
    }),
  };
}

/** The share of each end that an interval leaves out. */
const TAIL = 0.025;

function shareOf(resampled: Resampled, groups: number): Estimate {
  const { mean, low, high } = estimateOf(resampled);
  const least = TAIL ** (1 / groups);
  if (mean === 1) return { mean, low: least, high };
  return { mean, low, high: mean === 0 ? 1 - least : high };
}

/** Whether the first options lose evidence of the pool under the budget with this index. */
export const isLostAt =
  (at: number) =>
  ({ methods: [first] }: CaseRecord): boolean =>
    first !== undefined && (first.kept[at] as number) < 1;

/** By method and budget. All are resampled together, so that differences are paired. */
function resampledByMethod(
  records: readonly CaseRecord[],
  methods: number,
  budgets: readonly number[],
  of: (record: MethodRecord) => readonly number[],
): Resampled[][] {
  if (records.length === 0) return [];
  const columns = Array.from({ length: methods }, (_, place) =>
    budgets.map((_, at) => records.map((record) => of(record.methods[place] as MethodRecord)[at] as number)),
  ).flat();
  const resampled = resampledMeans(
    columns,
    records.map(({ group }) => group),
  );
  return Array.from({ length: methods }, (_, place) =>
    resampled.slice(place * budgets.length, (place + 1) * budgets.length),
  );
}
