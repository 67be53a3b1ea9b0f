import type { Eviction, ShapingReport } from '../../src/index.js';
import type { EventSink } from './types.js';

/**
 * The events of a callback manager, by name: first one `context-evict` per eviction, in the order of the
 * ledger, then one `context-shaped`. All of a call carry the digest of its report, to be joined on.
 *
 * LlamaIndex knows the names of its own events only. One declaration teaches it these:
 *
 * ```ts
 * declare module '@llamaindex/core/global' {
 *   interface LlamaIndexEventMaps extends ContextShapingEvents {}
 * }
 * ```
 *
 * It is yours to write: declarations of this package that augment the host would not compile where a
 * package manager keeps the host's core out of sight.
 */
export interface ContextShapingEvents {
  'context-evict': ContextEvictEvent;
  'context-shaped': ContextShapedEvent;
}

/** One chunk that went, why, and with what evidence. `id` is the node's. */
export type ContextEvictEvent = Eviction & { digest: string };

export interface ContextShapedEvent {
  digest: string;
  report: ShapingReport;
}

/**
 * Tells the listeners of one call, before the host goes on. Events are sent synchronously: the host's default
 * is a microtask, in which a listener that throws ends the process. Here what it throws is dropped, and the
 * nodes are handed on as if it had not.
 */
export function dispatchEvents(
  callbackManager: EventSink | (() => EventSink | undefined) | undefined,
  report: ShapingReport,
): void {
  const { digest } = report;
  const sink = typeof callbackManager === 'function' ? quietly(callbackManager) : callbackManager;
  const send = <Name extends keyof ContextShapingEvents>(name: Name, detail: ContextShapingEvents[Name]) =>
    quietly(() => sink?.dispatchEvent(name as never, detail as never, true));
  for (const eviction of report.evicted) send('context-evict', { ...eviction, digest });
  send('context-shaped', { digest, report });
}

function quietly<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
