/** Results as text for people. */
import type { Estimate } from '../../devtools/src/measurement/index.js';
import type { Comparison, SuiteResult, Table } from './results.js';

/** `.968 [.961, .975]`. */
export const share = ({ mean, low, high }: Estimate): string =>
  `${short(mean)} [${short(low)}, ${short(high)}]`;

/** `+.021 [+.013, +.030]`. */
export const signed = ({ mean, low, high }: Estimate): string => {
  const each = (value: number) => `${value < 0 ? '−' : '+'}${short(Math.abs(value))}`;
  return `${each(mean)} [${each(low)}, ${each(high)}]`;
};

export const short = (value: number): string => value.toFixed(3).replace(/^0\./, '.');

/** Methods by metrics. */
export function methodsTable(
  title: string,
  { methods }: Pick<SuiteResult, 'methods'>,
  metrics: readonly string[],
  notes: string[] = [],
): Table {
  return {
    title,
    columns: ['method', ...metrics, 'ms'],
    rows: methods.map(({ method, milliseconds, metrics: values }) => [
      method,
      ...metrics.map((metric) => share(values[metric] as Estimate)),
      milliseconds.toFixed(1),
    ]),
    notes,
  };
}

/** Differences of pairs of methods by metrics. */
export function comparisonsTable(comparisons: readonly Comparison[], metrics: readonly string[]): Table {
  const rows = new Map<string, (string | number)[]>();
  for (const { method, baseline, metric, difference } of comparisons) {
    if (!metrics.includes(metric)) continue;
    const name = `${method} − ${baseline}`;
    rows.set(name, [...(rows.get(name) ?? [name]), signed(difference)]);
  }
  return {
    title: 'Paired differences',
    columns: ['methods', ...metrics],
    rows: [...rows.values()],
    notes: [],
  };
}

/** Where a method of ours falls behind its baseline and does not fail by it, one line each; `none` if nowhere. */
export function harmLines(results: readonly SuiteResult[]): string[] {
  const harms = results.flatMap(({ suite, comparisons }) =>
    comparisons
      // What fails has its own lines.
      .filter((each) => each.difference.mean < 0 && !fails(each))
      .map(({ method, baseline, metric, difference }) => {
        const known = difference.high < 0 ? '' : ', within chance';
        return `  ${suite}, ${metric}: ${method} − ${baseline} = ${signed(difference)}${known}`;
      }),
  );
  return harms.length === 0 ? ['Do no harm: none'] : ['Do no harm: below a baseline at', ...harms];
}

/** Where ours is below a rival that it must not be below, or not above a control, by more than chance: one line each. */
export function gateLines(results: readonly SuiteResult[]): string[] {
  const linesOf = (gate: Comparison['gates'], title: string): string[] => {
    const failures = results.flatMap(({ suite, comparisons }) =>
      comparisons
        .filter((each) => each.gates === gate && fails(each))
        .map(
          ({ method, baseline, metric, difference }) =>
            `  ${suite}, ${metric}: ${method} − ${baseline} = ${signed(difference)}`,
        ),
    );
    return failures.length === 0 ? [] : [title, ...failures];
  };
  return [
    ...linesOf(true, 'Failed: below a rival by more than chance at'),
    ...linesOf('above', 'Failed: not above a control by more than chance at'),
  ];
}

const fails = ({ gates, difference: { mean, low, high } }: Comparison): boolean =>
  gates === 'above' ? mean <= 0 || low < 0 : gates === true && high < 0;

/** A table in columns of equal width; text to the left, numbers to the right. */
export function formatTable({ title, columns, rows, notes }: Table): string {
  const cells = [columns, ...rows].map((row) => row.map(String));
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number)))
      .join('  ')
      .trimEnd(),
  );
  const rule = '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  return [`\n${title}`, rule, lines[0], rule, ...lines.slice(1), ...notes.map((note) => `  ${note}`)].join(
    '\n',
  );
}

export function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${what}: ${count}`)
    .join('; ');
}
