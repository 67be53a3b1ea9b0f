import { defined, rethrowControlFlow, tellingOf, within } from 'context-shaping/kit';
import { Arrivals } from './arrive.js';
import { Bounded } from './bounded.js';
import type { ConversationShaper, RecallCall, RequestDegradation } from './conversation-shaper.js';
import type { Message } from './messages.js';
import { type ConversationShapingOptions, resolveOptions } from './options.js';
import { planRequest } from './plan-request.js';
import { recall } from './recall.js';
import type { Entry } from './stored.js';

/** UTF-16 code units of the entries that are known to be in a store. */
const REMEMBERED = 2 ** 24;
/** Conversations whose newest messages are remembered. */
const CONVERSATIONS = 100;

/**
 * Makes a shaper of conversations.
 *
 * @throws ContextShapingError `invalid-options`, with the first wrong option as its field.
 */
export function createConversationShaper(options: ConversationShapingOptions = {}): ConversationShaper {
  const settings = resolveOptions(options);
  const tell = tellingOf(settings.shaper.options);
  const arrivals = new Arrivals(settings);
  // Some hosts tell their tools no messages.
  const newest = new Bounded<readonly Message[]>(CONVERSATIONS, () => 1);
  const withMessages = <Call extends Pick<RecallCall, 'thread' | 'messages'>>(call: Call): Call =>
    call.messages === undefined ? { ...call, messages: newest.get(call.thread) } : call;
  // The store in memory forgets, and is written to as fast as it is compared with.
  const most = options.store === undefined ? 0 : REMEMBERED;
  const written = new Bounded<string>(most, (key, value) => key.length + value.length);

  /** A failure of the store or of the observer never fails a request. */
  async function degradationsOf(
    work: (signal: AbortSignal) => Promise<unknown>,
    milliseconds: number | null | undefined,
    failure: Omit<RequestDegradation, 'message'> & { is: string },
    signal: AbortSignal | undefined,
  ): Promise<RequestDegradation[]> {
    try {
      await within(milliseconds, signal, work);
      return [];
    } catch (error) {
      rethrowControlFlow(error, signal);
      return [{ code: failure.code, message: `${failure.is}: ${tell(error)}` }];
    }
  }

  /** Writes the entries that the store does not have yet. */
  function keep(entries: readonly Entry[], signal: AbortSignal | undefined) {
    const fresh = entries.filter(([key, value]) => written.get(key) !== value);
    const write = async (stop: AbortSignal) => {
      if (fresh.length > 0) await settings.store.set(fresh, { signal: stop });
      for (const [key, value] of fresh) written.set(key, value);
    };
    const is = 'The store did not keep left-out passages';
    return degradationsOf(write, settings.storeMs, { code: 'store-failed', is }, signal);
  }

  return {
    async shapeResult(given, call) {
      const { result, report, entries } = await arrivals.arrive(given, withMessages(call));
      const degradations = await keep(entries, call.signal);
      const { content, passages } = result;
      return {
        content,
        ...defined({
          passages,
          report,
          degradations: degradations.length === 0 ? undefined : degradations,
        }),
      };
    },
    async shapeRequest(request) {
      const { signal, thread } = request;
      newest.set(thread, request.messages);
      const { sent, breakpoints, shapings, entries, report } = await planRequest(request, arrivals, settings);
      const failed = await keep(entries, signal);
      const reported = () => (failed.length === 0 ? report : { ...report, degradations: [...failed] });
      const observe = async () => settings.onRequest?.(reported());
      const failure = { code: 'observer-failed', is: 'onRequest threw' } as const;
      failed.push(...(await degradationsOf(observe, settings.observers.deadlineMs, failure, signal)));
      const messages = sent.flatMap((message, at) => (message === undefined ? [] : [{ at, message }]));
      const places = new Map(messages.map(({ at }, place) => [at, place]));
      return {
        messages,
        breakpoints: breakpoints.flatMap((at) => places.get(at) ?? []),
        report: reported(),
        shapings,
      };
    },
    recall: (call) => recall(withMessages(call), settings),
  };
}
