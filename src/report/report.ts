/** Makes the report of a run from its trace. */

import type { Trace } from '../pipeline.js';
import type { PortIdentity } from '../ports.js';
import { isService } from '../runtime/is-service.js';
import {
  type Candidate,
  type Degradation,
  type KeptEntry,
  REPORT_VERSION,
  type ShapingReport,
} from '../types.js';
import { digestOfPieces } from './digest.js';

/** The order of keys is fixed here, because the digest depends on it. */
export function makeReport(
  input: {
    query: string;
    candidates: readonly Candidate[];
    inputTokens: number;
    /** Tokens available to the result. Absent without a cap. */
    available?: number | undefined;
    options: { preview: number | false };
  },
  trace: Trace,
): ShapingReport {
  return sealed({
    version: REPORT_VERSION,
    query: input.query,
    // Left out while it is off, so that digests stay as they were before there was this option.
    options: plain({ ...input.options, preview: input.options.preview || undefined }) as Record<
      string,
      unknown
    >,
    input: input.candidates.map((candidate) => candidate.id),
    kept: trace.kept.map(keptEntry),
    evicted: [...trace.evicted],
    ...(trace.ranking === undefined
      ? {}
      : { ranking: { ...trace.ranking, features: [...trace.ranking.features] } }),
    ...(trace.answerable === undefined ? {} : { answerable: { ...trace.answerable } }),
    ...(trace.ecs === undefined ? {} : { ecs: { ...trace.ecs, usage: { ...trace.ecs.usage } } }),
    ...(trace.sentences === undefined ? {} : { sentences: { ...trace.sentences } }),
    conflicts: [...trace.conflicts],
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
export const sealReport = (report: Omit<ShapingReport, 'digest'>): ShapingReport => sealed(report);

function sealed(report: Omit<ShapingReport, 'digest'>): ShapingReport {
  const stages = report.stages.map(({ milliseconds: _, ...stage }) => stage);
  // The usage of a service depends on its caches, not on the result.
  const told: Record<string, unknown> = { ...report, stages };
  for (const name of ['ecs', 'sentences'] as const) {
    const { usage: _, ...use } = report[name] ?? { usage: undefined };
    if (report[name] !== undefined) told[name] = use;
  }
  return { ...report, digest: digestOfPieces(jsonPieces(told)) };
}

/** Entries of a list that are written at once. */
const ENTRIES = 64;

/** The text that `JSON.stringify` gives, in pieces: lists are divided. */
function* jsonPieces(object: Readonly<Record<string, unknown>>): Generator<string, void> {
  let before = '{';
  for (const [key, value] of Object.entries(object)) {
    const name = `${before}${JSON.stringify(key)}:`;
    if (Array.isArray(value) && value.length > ENTRIES) {
      yield name;
      for (let at = 0; at < value.length; at += ENTRIES)
        yield `${at === 0 ? '[' : ','}${JSON.stringify(value.slice(at, at + ENTRIES)).slice(1, -1)}`;
      yield ']';
    } else {
      const text: string | undefined = JSON.stringify(value);
      if (text === undefined) continue;
      yield name + text;
    }
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function keptEntry(candidate: Candidate): KeptEntry {
  const { id, index, score, pinned, tier, sources, excerpts, original, preview, signals } = candidate;
  return {
    id,
    index,
    ...(score === undefined ? {} : { score }),
    ...(pinned ? { pinned } : {}),
    ...(tier === undefined ? {} : { tier }),
    ...signals,
    sources: sources.map((source) => ({ ...source })),
    ...(excerpts === undefined ? {} : { excerpts: excerpts.map((excerpt) => ({ ...excerpt })) }),
    ...(original === undefined ? {} : { sanitised: true }),
    ...(preview === undefined ? {} : { preview }),
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
