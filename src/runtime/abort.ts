/** Settles with the promise, or rejects with the signal's reason on abort, even if the work ignores its signal. */
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
  const reason = () => new DOMException(`No answer within ${limit} ms.`, 'TimeoutError');
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
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
