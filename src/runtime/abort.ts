/** The promise, or the signal's reason as soon as it aborts: what is waited for may ignore its signal. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A signal, and how long it is waited for what is asked under it. */
export interface Deadline {
  /** Aborts as the caller's does, and when the time is up; absent where there is neither. */
  readonly signal: AbortSignal | undefined;
  /** Is the time up? */
  readonly isLate: () => boolean;
  /** To be called when the wait is over: until then the timer keeps the process alive. */
  readonly clear: () => void;
}

/**
 * Waits no longer than so many milliseconds, with a timer of its own: what `AbortSignal.timeout` gives to
 * `AbortSignal.any` may be collected as garbage before it fires, and then nobody is told (Node 20 to 24).
 *
 * @param milliseconds absent: as long as the caller does. The reason is a `TimeoutError`.
 * @param limit in milliseconds, which the reason names: of several waits together, all that there was.
 */
export function withDeadline(
  signal: AbortSignal | undefined,
  milliseconds: number | null | undefined,
  limit = milliseconds,
): Deadline {
  if (milliseconds == null) return { signal, isLate: () => false, clear: () => {} };
  const late = new AbortController();
  const reason = () => new DOMException(`No answer within ${limit} ms.`, 'TimeoutError');
  const timer = setTimeout(() => late.abort(reason()), milliseconds);
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    isLate: () => late.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}
