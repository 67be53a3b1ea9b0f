import { dispatchCustomEvent } from '@langchain/core/callbacks/dispatch';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Eviction, ShapingReport } from '../../src/index.js';
import { rethrowControlFlow } from '../../src/internal.js';

/** Name of the event, and the `type` of what goes to a graph's stream. */
export const EVICTED_EVENT = 'context_shaping.evicted';

/**
 * One per shaping, also when nothing was evicted: one per call, but for corrective retrieval, which shapes more
 * than once. Plain JSON, ids instead of texts.
 */
export interface EvictedEvent {
  /** Ids of what stays, in the order of the result. */
  kept: string[];
  evicted: Eviction[];
  tokens: ShapingReport['tokens'];
  /** Of the report of the shaping, to join with logs. */
  digest: string;
}

/** LangGraph's, which puts the writer there and has no type for it in core. */
type GraphConfig = RunnableConfig & { writer?: unknown };

/**
 * Tells callback handlers (`handleCustomEvent`, and with it `streamEvents`), then the stream of the graph
 * around the call (`streamMode: 'custom'`), where there is one. LangGraph does not forward custom events to
 * that stream, so both are needed.
 */
export async function emitEvicted(report: ShapingReport, config: GraphConfig): Promise<void> {
  const { evicted, tokens, digest } = report;
  const event: EvictedEvent = { kept: report.kept.map(({ id }) => id), evicted, tokens, digest };
  await dispatchCustomEvent(EVICTED_EVENT, event, config);
  const writer: unknown = config.writer ?? config.configurable?.writer;
  if (typeof writer !== 'function') return;
  try {
    writer({ type: EVICTED_EVENT, ...event });
  } catch (error) {
    // A stream that its reader has closed costs no document.
    rethrowControlFlow(error, config.signal);
  }
}
