// Loads the types that are augmented below. The compiled package does not contain this line.
import type {} from '@llamaindex/core/global';
import type { ShapingReport } from '../../src/index.js';
import { rethrowControlFlow, silence, type Telling, withDegradation } from '../../src/internal.js';
import type { EventSink } from './types.js';

/** The events by name. */
export interface ContextShapingEvents {
  'context-shaped': ContextShapedEvent;
}

// Adds the names to `callbackManager.on`. Unlike an import, this works in a declaration file even if the host is not
// installed.
declare module '@llamaindex/core/global' {
  interface LlamaIndexEventMaps extends ContextShapingEvents {}
}

/** The report of a call; `report.evicted` has each eviction with its reason. */
export interface ContextShapedEvent {
  digest: string;
  report: ShapingReport;
}

/**
 * Sends the event of one call before the host continues. It is sent synchronously: by default the host uses a microtask, in
 * which a throwing listener ends the process. Here a throwing listener only adds a degradation to the report. Aborts and
 * interrupts are rethrown.
 *
 * @returns the report, with a degradation if a listener threw.
 */
export function dispatchShaped(
  callbackManager: EventSink | (() => EventSink | undefined),
  report: ShapingReport,
  tell: Telling,
): ShapingReport {
  try {
    const sink = typeof callbackManager === 'function' ? callbackManager() : callbackManager;
    silence(sink);
    const detail: ContextShapedEvent = { digest: report.digest, report };
    silence(sink?.dispatchEvent('context-shaped' as never, detail as never, true));
    return report;
  } catch (error) {
    rethrowControlFlow(error);
    const message = `A listener of the callback manager threw: ${tell(error)}`;
    return withDegradation(report, { stage: 'report', code: 'observer-failed', message });
  }
}
