import { asTold } from '../errors.js';

/** The callbacks of a signal. They share one listener, since Node warns of a leak at the eleventh. */
class Callbacks extends Set<() => void> {
  handleEvent(): void {
    for (const callback of this) callback();
  }
}

const callbacksOf = new WeakMap<AbortSignal, Callbacks>();

/**
 * Calls `callback` when the signal aborts, at once if it has. The listener is on this very signal: a signal that depends
 * on it would hold it weakly.
 *
 * @returns removes the callback.
 */
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const callbacks = callbacksOf.get(signal) ?? new Callbacks();
  callbacksOf.set(signal, callbacks);
  if (callbacks.size === 0) signal.addEventListener('abort', callbacks, { once: true });
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) signal.removeEventListener('abort', callbacks);
  };
}

/** Settles with the promise, or rejects with the signal's reason on abort, even if the work ignores its signal. */
export async function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stopWaiting = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stopWaiting = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stopWaiting();
  }
}

/** A signal with a time limit. */
interface Deadline {
  /** Aborts with the caller's signal, or when the time is up. Absent if there is neither. */
  readonly signal: AbortSignal | undefined;
  /** Whether the time is up. */
  readonly isLate: () => boolean;
  /** Call it when the wait is over. Until then the timer keeps the process alive. */
  readonly clear: () => void;
}

/**
 * A signal for work that ends by itself when it aborts. {@link within} also ends the wait for other work.
 *
 * It has its own timer. `AbortSignal.any` holds the signal of `AbortSignal.timeout` weakly: garbage collection may take
 * it before it fires, and then the combined signal never aborts (Node 20 to 24).
 *
 * @param milliseconds absent: no limit besides the caller's signal. The reason is a `TimeoutError`.
 */
export function withDeadline(
  signal: AbortSignal | undefined,
  milliseconds: number | null | undefined,
): Deadline {
  if (milliseconds == null) return { signal, isLate: () => false, clear: () => {} };
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooLate(milliseconds)), milliseconds);
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    isLate: () => late.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}

/** @param milliseconds the limit that the message names. */
export const tooLate = (milliseconds: number): unknown =>
  asTold(new DOMException(`No answer within ${milliseconds} ms.`, 'TimeoutError'));

/**
 * Waits for work with a limit of time: every wait for something that is not ours has one, or the caller's signal. The wait
 * ends even if the work ignores its signal; what becomes of it then is dropped.
 *
 * @param milliseconds absent: no limit besides the caller's signal.
 * @param signal the caller's. Its abort wins over the time and over a failure of the work.
 * @param work gets a signal of its own: Node warns of a leak if more than ten calls listen to one.
 * @param late the error when the time is up. Default: a `TimeoutError`.
 * @throws the reason of `signal`; `late`; the error of the work.
 */
export async function within<T>(
  milliseconds: number | null | undefined,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => PromiseLike<T>,
  late: (milliseconds: number) => unknown = tooLate,
): Promise<T> {
  signal?.throwIfAborted();
  const { signal: stop, isLate, clear } = withDeadline(signal, milliseconds);
  try {
    return await orAborted(work(AbortSignal.any(stop ? [stop] : [])), stop);
  } catch (error) {
    signal?.throwIfAborted();
    throw isLate() ? late(milliseconds as number) : error;
  } finally {
    clear();
  }
}

/**
 * Waits.
 *
 * @throws the signal's reason, as soon as it is aborted.
 */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      stopWaiting?.();
      resolve();
    }, milliseconds);
    const stopWaiting =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
  });
}
