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
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
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
export interface Deadline {
  /** Aborts with the caller's signal, or when the time is up. Absent if there is neither. */
  readonly signal: AbortSignal | undefined;
  /** Whether the time is up. */
  readonly isLate: () => boolean;
  /** Call it when the wait is over. Until then the timer keeps the process alive. */
  readonly clear: () => void;
}

/**
 * Limits a wait with its own timer. `AbortSignal.any` holds the signal of `AbortSignal.timeout` weakly: garbage
 * collection may take it before it fires, and then the combined signal never aborts (Node 20 to 24).
 *
 * @param milliseconds absent: no limit besides the caller's signal. The reason is a `TimeoutError`.
 * @param limit in milliseconds: the limit that the reason names, if several waits share one.
 */
export function withDeadline(
  signal: AbortSignal | undefined,
  milliseconds: number | null | undefined,
  limit = milliseconds,
): Deadline {
  if (milliseconds == null) return { signal, isLate: () => false, clear: () => {} };
  const late = new AbortController();
  const reason = () => asTold(new DOMException(`No answer within ${limit} ms.`, 'TimeoutError'));
  const timer = setTimeout(() => late.abort(reason()), milliseconds);
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    isLate: () => late.signal.aborted,
    clear: () => clearTimeout(timer),
  };
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
