/** Makes the report of a run from its trace. */

import type { Trace } from '../pipeline.js';
import type { PortIdentity } from '../ports.js';
import { defined } from '../runtime/defined.js';
import { isService } from '../runtime/has-methods.js';
import {
  type Candidate,
  type Degradation,
  type EcsUse,
  type KeptEntry,
  REPORT_VERSION,
  type ShapingReport,
} from '../types.js';
import { digestOf } from './digest.js';
import { keptSidesFirst } from './sides.js';

/** The order of keys is fixed here, because the digest depends on it. */
export function makeReport(
  input: {
    query: string;
    candidates: readonly Candidate[];
    inputTokens: number;
    /** Tokens available to the result. Absent without a cap. */
    available?: number | undefined;
    options: { preview: number | false; errorMessages: boolean };
  },
  trace: Trace,
): ShapingReport {
  const { ranking, answerable, ecs } = trace;
  return sealReport({
    version: REPORT_VERSION,
    query: input.query,
    // Left out while they are off, so that digests stay as they were before there were these options.
    options: plain({
      ...input.options,
      preview: input.options.preview || undefined,
      errorMessages: input.options.errorMessages || undefined,
    }) as Record<string, unknown>,
    input: input.candidates.map((candidate) => candidate.id),
    kept: trace.kept.map(keptEntry),
    evicted: [...trace.evicted],
    ...defined({
      ranking: ranking && { ...ranking, features: [...ranking.features] },
      answerable: answerable && { ...answerable },
      ecs: ecs && { ...ecs, usage: { ...ecs.usage } },
    }),
    conflicts: keptSidesFirst(trace.conflicts, trace.kept),
    flags: trace.flagged.map((each) => ({ ...each, flags: [...each.flags] })),
    support: trace.support.map((each) => ({ ...each })),
    degradations: [...trace.degradations],
    stages: trace.stages.map((stage) => ({ ...stage })),
    tokens: {
      input: input.inputTokens,
      output: trace.kept.reduce((sum, candidate) => sum + candidate.signals.tokens, 0),
      budget: input.available ?? null,
    },
  });
}

/** The same report with further degradations and a new digest. */
export function withDegradation(
  { digest: _, ...report }: ShapingReport,
  more: Degradation | readonly Degradation[],
): ShapingReport {
  return sealReport({ ...report, degradations: report.degradations.concat(more) });
}

/** The report with its digest. */
export function sealReport(report: Omit<ShapingReport, 'digest'>): ShapingReport {
  const { ecs } = report;
  const stages = report.stages.map(({ milliseconds: _, ...stage }) => stage);
  const told = {
    ...report,
    stages,
    ecs: ecs && withoutUsage(ecs),
  };
  return { ...report, digest: digestOf(JSON.stringify(told)) };
}

/** The usage of a service depends on its caches, not on the result. */
const withoutUsage = ({ usage: _, ...use }: EcsUse) => use;

function keptEntry(candidate: Candidate): KeptEntry {
  const { id, index, score, pinned, tier, sources, excerpts, original, superseded, preview, signals } =
    candidate;
  return {
    id,
    index,
    ...defined({ score, pinned: pinned || undefined, tier }),
    ...signals,
    sources: sources.map((source) => ({ ...source })),
    ...defined({
      excerpts: excerpts?.map((excerpt) => ({ ...excerpt })),
      sanitised: original === undefined ? undefined : (true as const),
      superseded: superseded && { ...superseded },
      preview,
    }),
  };
}

/** The provider and the model of a service, as far as it names them. */
function identityOf({ provider, modelId }: PortIdentity): string {
  return [provider, modelId].filter((part) => typeof part === 'string' && part !== '').join('/') || 'custom';
}

/** A JSON copy: functions and instances of classes are named, not shown. */
function plain(value: unknown): unknown {
  if (typeof value === 'function') return 'custom';
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (isService(value)) return identityOf(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]));
}
