/** When to try a request again. */

const FIRST_PAUSE_MILLISECONDS = 250;
const LONGEST_PAUSE_MILLISECONDS = 10_000;
const MAY_SUCCEED_LATER = new Set([408, 425, 429, 500, 502, 503, 504]);

export const maySucceedLater = (status: number): boolean => MAY_SUCCEED_LATER.has(status);

/**
 * Milliseconds to wait after an attempt, counted from 0: as long as the service asks, else twice as long each
 * time; never longer than ten seconds.
 *
 * @param retryAfter the header: seconds, or a date.
 */
export function pauseAfter(attempt: number, retryAfter: string | null): number {
  const asked = retryAfter === null ? Number.NaN : millisecondsOf(retryAfter.trim());
  const wanted = Number.isNaN(asked) ? FIRST_PAUSE_MILLISECONDS * 2 ** attempt : asked;
  return Math.min(Math.max(wanted, 0), LONGEST_PAUSE_MILLISECONDS);
}

const millisecondsOf = (retryAfter: string): number =>
  /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();

/** @throws the signal's reason, as soon as it is aborted. */
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
