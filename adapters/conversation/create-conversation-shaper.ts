import { messageOf, rethrowControlFlow } from '../../src/internal.js';
import { Arrivals } from './arrive.js';
import { Bounded } from './bounded.js';
import { cacheStable } from './cache-stable.js';
import type { ConversationShaper, RequestDegradation, ShapedRequest } from './conversation-shaper.js';
import type { ConversationShapingOptions } from './options.js';
import { recall } from './recall.js';
import { requestReport } from './report.js';
import { resolveSettings } from './settings.js';

/** UTF-16 code units of the entries that are known to be in a store. */
const REMEMBERED = 2 ** 24;

/**
 * Makes a shaper of conversations.
 *
 * @throws ContextShapingError `invalid-options`, with the first wrong option as its field.
 */
export function createConversationShaper(options: ConversationShapingOptions = {}): ConversationShaper {
  const settings = resolveSettings(options);
  const arrivals = new Arrivals(settings);
  // The store in memory forgets, and is written to as fast as it is compared with.
  const most = options.store === undefined ? 0 : REMEMBERED;
  const written = new Bounded<string>(most, (key, value) => key.length + value.length);

  /** Writes the entries that the store does not have yet. */
  async function keep(
    entries: readonly (readonly [key: string, value: string])[],
    signal: AbortSignal | undefined,
  ): Promise<RequestDegradation[]> {
    const fresh = entries.filter(([key, value]) => written.get(key) !== value);
    if (fresh.length === 0) return [];
    try {
      await settings.store.set(fresh, { signal });
      for (const [key, value] of fresh) written.set(key, value);
      return [];
    } catch (error) {
      rethrowControlFlow(error, signal);
      return [
        { code: 'store-failed', message: `The store did not keep left-out passages: ${messageOf(error)}` },
      ];
    }
  }

  async function tell(
    report: ShapedRequest['report'],
    signal: AbortSignal | undefined,
  ): Promise<RequestDegradation[]> {
    try {
      await settings.onRequest?.(report);
      return [];
    } catch (error) {
      rethrowControlFlow(error, signal);
      return [{ code: 'observer-failed', message: `onRequest threw: ${messageOf(error)}` }];
    }
  }

  return {
    async shapeResult(given, { thread, input, messages = [], signal }) {
      const { result, report, entries } = await arrivals.arrive(given, { thread, input, messages, signal });
      const degradations = await keep(entries, signal);
      return {
        content: result.content,
        ...(result.held === undefined || result.held === given.held ? {} : { held: result.held }),
        ...(result.passages === undefined ? {} : { passages: result.passages }),
        ...(report === undefined ? {} : { report }),
        ...(degradations.length === 0 ? {} : { degradations }),
      };
    },
    async shapeRequest({ thread, messages, tools = [], signal }) {
      const planned = await cacheStable({ thread, messages, tools, signal }, arrivals, settings);
      const degradations = await keep(planned.entries, signal);
      const report = requestReport(messages, planned, degradations);
      const late = await tell(report, signal);
      const sent = planned.sent.flatMap((message, at) => (message === undefined ? [] : [{ at, message }]));
      const places = new Map(sent.map(({ at }, place) => [at, place]));
      return {
        messages: sent,
        breakpoints: planned.breakpoints.flatMap((at) => places.get(at) ?? []),
        report: late.length === 0 ? report : { ...report, degradations: [...degradations, ...late] },
        shapings: planned.reports,
      };
    },
    recall: (call) => recall(call, settings),
  };
}
