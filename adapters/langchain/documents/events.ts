/** The event of a shaping, and its totals in the metadata of the run around it, which tracers such as LangSmith show. */
import { dispatchCustomEvent } from '@langchain/core/callbacks/dispatch/web';
import { ensureConfig, type RunnableConfig } from '@langchain/core/runnables';
import type { Eviction, ShapingReport } from '../../../src/index.js';
import { rethrowControlFlow, silence } from '../../../src/internal.js';

/** Name of the event, and the `type` of the entry in a graph's stream. */
export const EVICTED_EVENT = 'context_shaping.evicted';

/**
 * One event per shaping, also if nothing was evicted. Corrective retrieval shapes more than once per call. Plain JSON
 * with ids, and no texts unless the option `preview` is on.
 */
export interface EvictedEvent {
  /** Ids of the kept documents, in the order of the result. */
  kept: string[];
  evicted: Eviction[];
  tokens: ShapingReport['tokens'];
  /** The digest of the shaping's report, to join with logs. */
  digest: string;
}

/** LangGraph adds the writer; the type in `@langchain/core` does not have it. */
type GraphConfig = RunnableConfig & { writer?: unknown };

/**
 * Sends an event to callback handlers (`handleCustomEvent`, and so `streamEvents`), and to the stream of the graph
 * around the call (`streamMode: 'custom'`), if there is one. LangGraph does not forward custom events to that stream,
 * so both are needed.
 */
export async function emit(name: string, event: object, config: GraphConfig): Promise<void> {
  // The module that fills in the config itself imports node:async_hooks, which a browser does not have.
  await dispatchCustomEvent(name, event, ensureConfig(config));
  const writer: unknown = config.writer ?? config.configurable?.writer;
  if (typeof writer !== 'function') return;
  try {
    silence(writer({ type: name, ...event }));
  } catch (error) {
    // The reader may have closed the stream. The documents are returned all the same.
    rethrowControlFlow(error, config.signal);
  }
}

/** Sends the event of a shaping, and notes its totals on the run around it. */
export async function emitEvicted(report: ShapingReport, config: GraphConfig): Promise<void> {
  noteTotals(report, config);
  const { evicted, tokens, digest } = report;
  const event: EvictedEvent = { kept: report.kept.map(({ id }) => id), evicted, tokens, digest };
  await emit(EVICTED_EVENT, event, config);
}

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
