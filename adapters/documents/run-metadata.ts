/** Metadata of LangChain runs. Tracers such as LangSmith show the metadata that a run has at its end. */
import type { RunnableConfig } from '@langchain/core/runnables';
import type { ShapingReport } from '../../src/index.js';

/** A run as `BaseTracer` keeps it until it ends. */
interface Run {
  extra?: { metadata?: Record<string, unknown> } & Record<string, unknown>;
}

/** The used part of a callback manager and of its tracers. */
interface Manager {
  handlers?: readonly { getRun?: (id: string) => Run | undefined }[];
  getParentRunId?: () => string | undefined;
}

/**
 * Adds the totals of a report to the metadata of the run around the call. One level, because viewers filter by such
 * fields. Evictions one by one are in the outputs of the run, and in the event of evictions.
 */
export function noteTotals(report: ShapingReport, { callbacks }: RunnableConfig): void {
  const { handlers = [], getParentRunId } = (callbacks ?? {}) as Manager;
  const id = getParentRunId?.call(callbacks);
  if (id === undefined) return;
  for (const handler of handlers) {
    const run = handler.getRun?.(id);
    // A new object, because the runs inside this one share the old one.
    if (run !== undefined)
      run.extra = { ...run.extra, metadata: { ...run.extra?.metadata, ...totals(report) } };
  }
}

function totals({ digest, tokens, input, kept, evicted, degradations }: ShapingReport) {
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { reason } of evicted) count(`context_shaping.evictions.${reason}`);
  for (const { code } of degradations) count(`context_shaping.degradations.${code}`);
  return {
    'context_shaping.digest': digest,
    'context_shaping.tokens.input': tokens.input,
    'context_shaping.tokens.output': tokens.output,
    ...(tokens.budget === null ? {} : { 'context_shaping.tokens.budget': tokens.budget }),
    'context_shaping.chunks.input': input.length,
    'context_shaping.chunks.kept': kept.length,
    'context_shaping.chunks.evicted': evicted.length,
    ...counts,
  };
}
