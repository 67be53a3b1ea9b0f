// Loads the types that are augmented below. The compiled package does not contain this line.
import type {} from '@llamaindex/core/global';
import type { Eviction, ShapingReport } from '../../src/index.js';
import { rethrowControlFlow, silence, type Telling, withDegradation } from '../../src/internal.js';
import type { EventSink } from './types.js';

/**
 * The events by name: first one `context-evict` per eviction, in the order of the report, then one `context-shaped`. All
 * events of a call have the digest of its report, so they can be joined.
 */
export interface ContextShapingEvents {
  'context-evict': ContextEvictEvent;
  'context-shaped': ContextShapedEvent;
}

// Adds the names to `callbackManager.on`. Unlike an import, this works in a declaration file even if the host is not
// installed.
declare module '@llamaindex/core/global' {
  interface LlamaIndexEventMaps extends ContextShapingEvents {}
}

/** An evicted chunk with reason and evidence. `id` is the node's. */
export type ContextEvictEvent = Eviction & { digest: string };

export interface ContextShapedEvent {
  digest: string;
  report: ShapingReport;
}

/**
 * Sends the events of one call before the host continues. They are sent synchronously: by default the host uses a
 * microtask, in which a throwing listener ends the process. Here a throwing listener only adds a degradation to the
 * report. Aborts and interrupts are rethrown.
 *
 * @returns the report, with a degradation if a listener threw.
 */
export function dispatchEvents(
  callbackManager: EventSink | (() => EventSink | undefined),
  report: ShapingReport,
  tell: Telling,
): ShapingReport {
  const { digest } = report;
  try {
    const sink = typeof callbackManager === 'function' ? callbackManager() : callbackManager;
    silence(sink);
    const send = <Name extends keyof ContextShapingEvents>(name: Name, detail: ContextShapingEvents[Name]) =>
      silence(sink?.dispatchEvent(name as never, detail as never, true));
    for (const eviction of report.evicted) send('context-evict', { ...eviction, digest });
    send('context-shaped', { digest, report });
    return report;
  } catch (error) {
    rethrowControlFlow(error);
    const message = `A listener of the callback manager threw: ${tell(error)}`;
    return withDegradation(report, { stage: 'report', code: 'observer-failed', message });
  }
}
