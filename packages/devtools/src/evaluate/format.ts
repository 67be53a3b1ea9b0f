/** An evaluation as text for a terminal. */
import type { Estimate } from '../measurement/index.js';
import type { EvaluationResult, LeastBudget, MethodResult } from './types.js';

export const percent = (share: number) => (100 * share).toFixed(1);
const interval = ({ mean, low, high }: Estimate) => `${percent(mean)} (${percent(low)}–${percent(high)})`;
export const signed = (share: number) => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
export const count = (value: number) => Math.round(value).toLocaleString('en');

/** The least budget in words: `630 (500–800)`. */
export const leastWritten = ({ budget, low, high }: LeastBudget): string => {
  const written = (bound: number | null) => (bound === null ? 'beyond' : count(bound));
  return budget === null ? 'none' : `${count(budget)} (${written(low)}–${written(high)})`;
};

const SHARES = { half: 0.5, 'a quarter': 0.25, 'a tenth': 0.1 };

/** The differences at the budget that is reported on, and at measured budgets within a fifth of fixed shares of a mean pool. */
export function differencesOf({ budget, budgets, pool, differences }: EvaluationResult) {
  const shares = Object.entries(SHARES).flatMap(([name, share]) => {
    const near = budgets.find((each) => Math.abs(each / (share * pool.tokens) - 1) <= 0.2);
    return near === undefined ? [] : [{ near, at: `${count(near)} tokens (about ${name} of a pool)` }];
  });
  return [{ near: budget, at: `${count(budget)} tokens` }, ...shares].flatMap(({ near, at }) =>
    differences.map(({ method, baseline, budgets: own }) => {
      const { difference } = own[budgets.indexOf(near)] as (typeof own)[number];
      return { method, baseline, at, ...difference };
    }),
  );
}

/**
 * The result as text: the table at the budget that is reported on, the figures of all budgets, the least budgets and their
 * cost, and the lost cases.
 */
export function formatEvaluation(result: EvaluationResult): string {
  const { cases, pool, budget, methods } = result;
  const at = result.budgets.indexOf(budget);
  const sections = [
    [
      `${count(cases.all)} cases; the pools of ${count(cases.measured)} hold evidence. A pool has ${pool.chunks.toFixed(1)} chunks, ${count(pool.tokens)} tokens, and ${percent(pool.found)} % of the evidence.`,
      `Evidence: mean share of the evidence of the pool that is kept, in per cent, with its 95 % interval.`,
      ...result.notes,
    ],
    [
      `Budget ${count(budget)} tokens`,
      ...aligned([
        ['method', 'evidence', 'whole cases', 'tokens', 'ms'],
        ...methods.map(({ name, budgets, milliseconds }) => {
          const { evidence, whole, tokens } = budgets[at] as MethodResult['budgets'][number];
          return [name, interval(evidence), percent(whole), count(tokens), milliseconds.toFixed(1)];
        }),
      ]),
    ],
    [
      'Differences in evidence, case by case',
      ...aligned([
        ['method', 'less', 'at', 'difference', 'interval'],
        ...differencesOf(result).map(({ method, baseline, at: place, mean, low, high }) => {
          return [method, baseline, place, signed(mean), `${signed(low)} to ${signed(high)}`];
        }),
      ]),
    ],
    [
      'Evidence kept by budget, in per cent',
      ...aligned([
        ['budget', ...methods.map(({ name }) => name)],
        ...result.budgets.map((each, place) => [
          count(each),
          ...methods.map(({ budgets }) => percent(budgets[place]?.evidence.mean as number)),
        ]),
      ]),
    ],
    [
      'Least budget that keeps a share of the evidence in four of five resamples, with its 95 % interval',
      ...aligned([
        ['method', '95 %', '99 %', `tokens of 1,000 questions at 95 %`],
        ...methods.map(({ name, least }) => leastRow(name, least)),
        ['whole pool', '', '', count(result.wholePool.tokensPerThousand)],
      ]),
    ],
    lostSection(result),
  ];
  return sections.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n');
}

function leastRow(name: string, least: readonly LeastBudget[]): string[] {
  const [first, second] = least as [LeastBudget, LeastBudget];
  const { tokensPerThousand } = first;
  return [
    name,
    leastWritten(first),
    leastWritten(second),
    tokensPerThousand === undefined ? '–' : count(tokensPerThousand),
  ];
}

function lostSection({ lost: { cases, explained }, budget, methods }: EvaluationResult): string[] {
  if (cases === 0) return [`${methods[0]?.name} loses no evidence at ${count(budget)} tokens.`];
  return [
    `${methods[0]?.name} loses evidence of ${count(cases)} ${cases === 1 ? 'case' : 'cases'} at ${count(budget)} tokens.`,
    ...explained.flatMap((unit) => [
      '',
      `Case ${unit.case}: ${unit.query}`,
      `  lost: ${unit.unit.replace(/\s+/g, ' ')} (${unit.form}; in ${unit.chunks.join(', ')})`,
      `  ${unit.why}`,
      `  ${unit.remedies.length === 0 ? 'No change that was tried keeps it.' : `Kept with ${unit.remedies.join('; or ')}.`}`,
    ]),
  ];
}

/** The first two columns of words to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number),
      )
      .join('  ')
      .trimEnd(),
  );
}
