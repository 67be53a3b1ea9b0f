// Loads what is augmented below; nothing of this line is left in the package.
import type {} from '@llamaindex/core/global';
import type { Eviction, ShapingReport } from '../../src/index.js';
import { messageOf, rethrowControlFlow, withDegradation } from '../../src/internal.js';
import type { EventSink } from './types.js';

/**
 * The events of a callback manager, by name: first one `context-evict` per eviction, in the order of the
 * ledger, then one `context-shaped`. All of a call carry the digest of its report, to be joined on.
 */
export interface ContextShapingEvents {
  'context-evict': ContextEvictEvent;
  'context-shaped': ContextShapedEvent;
}

// Teaches `callbackManager.on` the names. In a declaration file, unlike an import, this stands even where
// the host cannot be found.
declare module '@llamaindex/core/global' {
  interface LlamaIndexEventMaps extends ContextShapingEvents {}
}

/** One chunk that went, why, and with what evidence. `id` is the node's. */
export type ContextEvictEvent = Eviction & { digest: string };

export interface ContextShapedEvent {
  digest: string;
  report: ShapingReport;
}

/**
 * Tells the listeners of one call, before the host goes on. Events are sent synchronously: the host's default
 * is a microtask, in which a listener that throws ends the process. Here it costs no node: the report says
 * that it failed. Aborts and interrupts pass.
 *
 * @returns the report, with a degradation if a listener threw.
 */
export function dispatchEvents(
  callbackManager: EventSink | (() => EventSink | undefined),
  report: ShapingReport,
): ShapingReport {
  const { digest } = report;
  try {
    const sink = typeof callbackManager === 'function' ? callbackManager() : callbackManager;
    const send = <Name extends keyof ContextShapingEvents>(name: Name, detail: ContextShapingEvents[Name]) =>
      sink?.dispatchEvent(name as never, detail as never, true);
    for (const eviction of report.evicted) send('context-evict', { ...eviction, digest });
    send('context-shaped', { digest, report });
    return report;
  } catch (error) {
    rethrowControlFlow(error);
    const message = `A listener of the callback manager threw: ${messageOf(error)}`;
    return withDegradation(report, { stage: 'report', code: 'observer-failed', message });
  }
}
