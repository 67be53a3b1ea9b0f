import type { Degradation, ShapingReport } from '../../../src/index.js';
import { decidingFunctions } from '../open.js';
import { recordedReport } from '../record.js';
import type { ContextLockfile, OpenOptions } from '../types.js';
import { attribute } from './attribute.js';
import { differencesOf } from './differences.js';
import { compareOutcomes } from './outcomes.js';
import type { Cause, ContextDiff, ContextTotals } from './types.js';

export interface DiffOptions extends Pick<OpenOptions, 'options'> {
  signal?: AbortSignal | undefined;
}

/**
 * Compares two contexts: the changes, and their causes. If both lockfiles have texts, every possible cause is tried: the context is
 * shaped again with this change alone, and with all changes but this one, twice for each cause. Without texts, and for
 * reports, causes are named as possible.
 *
 * @param options `options`: functions that the lockfiles name and that decide.
 */
export async function diffContexts(
  from: ContextLockfile | ShapingReport,
  to: ContextLockfile | ShapingReport,
  { options, signal }: DiffOptions = {},
): Promise<ContextDiff> {
  const [a, b] = [lockfileOf(from), lockfileOf(to)];
  const units = differencesOf(a, b);
  const { changes, remeasured } = compareOutcomes(a.report, b.report);
  const isSame = a.digest === b.digest;
  const { effects, causes } = isSame
    ? { effects: units.map(() => 'none' as const), causes: [] }
    : await attribute(a, b, units, changes, { options: decidingFunctions(options) }, signal);
  return {
    isEqual: isSame && !units.some((unit) => unit.kind === 'chunk-changed' && unit.fields.includes('text')),
    totals: { from: totalsOf(a), to: totalsOf(b) },
    chunks: changes.map(({ key: _, ...change }, at) => ({ ...change, causes: causes[at] ?? [] })),
    remeasured,
    degradations: {
      came: missingIn(a.report, b.report.degradations),
      went: missingIn(b.report, a.report.degradations),
    },
    causes: units.map(({ keys: _, ...difference }, at) => ({ ...difference, effect: effects[at] }) as Cause),
  };
}

const lockfileOf = (of: ContextLockfile | ShapingReport): ContextLockfile =>
  'lockfileVersion' in of ? of : recordedReport(of);

const totalsOf = ({ digest, report }: ContextLockfile): ContextTotals => ({
  digest,
  chunks: report.input.length,
  kept: report.kept.length,
  tokens: report.tokens.output,
});

function missingIn({ degradations }: ShapingReport, others: readonly Degradation[]): Degradation[] {
  const known = new Set(degradations.map((each) => JSON.stringify(each)));
  return others.filter((each) => !known.has(JSON.stringify(each)));
}
