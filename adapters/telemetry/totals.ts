import type { Attributes } from '@opentelemetry/api';
import type { ShapingReport } from '../../src/index.js';
import { OPENINFERENCE, OWN } from './names.js';

type Entry = readonly [name: string, value: Attributes[string] | undefined];

/** The totals of a report. They come before all documents. */
export function totalsOf(report: ShapingReport, texts: boolean): Entry[] {
  const { tokens, digest, kept, evicted, input, query } = report;
  return [
    [OPENINFERENCE.metadata, JSON.stringify(summaryOf(report))],
    [OPENINFERENCE.input, texts ? query : undefined],
    [OPENINFERENCE.inputType, texts ? 'text/plain' : undefined],
    [OWN.digest, digest],
    [OWN.tokensIn, tokens.input],
    [OWN.tokensOut, tokens.output],
    [OWN.budget, tokens.budget ?? undefined],
    [OWN.chunksIn, input.length],
    [OWN.chunksKept, kept.length],
    [OWN.chunksEvicted, evicted.length],
    [OWN.verdict, report.crag?.verdict],
    [OWN.path, report.crag?.path],
  ];
}

function summaryOf({ digest, tokens, input, kept, evicted, degradations, conflicts, flags }: ShapingReport) {
  return {
    digest,
    tokens,
    chunks: { input: input.length, kept: kept.length, evicted: evicted.length },
    evictions: counted(evicted.map(({ reason }) => reason)),
    degradations: counted(degradations.map(({ code }) => code)),
    conflicts: conflicts.length,
    flagged: flags.length,
  };
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
