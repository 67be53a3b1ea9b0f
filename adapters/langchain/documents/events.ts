/** The event of a shaping. */
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
 * Sends the event of a shaping to callback handlers (`handleCustomEvent`, and so `streamEvents`), and to the stream of
 * the graph around the call (`streamMode: 'custom'`), if there is one. LangGraph does not forward custom events to that
 * stream, so both are needed.
 */
export async function emitEvicted(report: ShapingReport, config: GraphConfig): Promise<void> {
  const { evicted, tokens, digest } = report;
  const event: EvictedEvent = { kept: report.kept.map(({ id }) => id), evicted, tokens, digest };
  // The module that fills in the config itself imports node:async_hooks, which a browser does not have.
  await dispatchCustomEvent(EVICTED_EVENT, event, ensureConfig(config));
  const writer: unknown = config.writer ?? config.configurable?.writer;
  if (typeof writer !== 'function') return;
  try {
    silence(writer({ type: EVICTED_EVENT, ...event }));
  } catch (error) {
    // The reader may have closed the stream. The documents are returned all the same.
    rethrowControlFlow(error, config.signal);
  }
}
