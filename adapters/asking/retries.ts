/** When to try a request again. */

const FIRST_PAUSE_MILLISECONDS = 250;
export const LONGEST_PAUSE_MILLISECONDS = 10_000;
const MAY_SUCCEED_LATER = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A host that has no address, and one that is not, or badly, certified, as Node names them. */
const NEVER_REACHED = /^(ENOTFOUND|EPROTO|ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

export const maySucceedLater = (status: number): boolean => MAY_SUCCEED_LATER.has(status);

/** Does it help to try again, after a request that was not answered? */
export function mayBeReachedLater(error: unknown): boolean {
  const { code, message } = beneath(error);
  // `fetch` refuses some ports, without a code.
  return message !== 'bad port' && !NEVER_REACHED.test(String(code));
}

/** Did Node itself wait no longer? Its limits are 300 s until an answer begins, and between two parts of it. */
export const wasTooLate = (error: unknown): boolean =>
  /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(String(beneath(error).code));

/** What lies beneath "fetch failed". */
function beneath(error: unknown): { code?: unknown; message?: unknown } {
  return ((error as { cause?: unknown } | null)?.cause ?? error ?? {}) as object;
}

/**
 * Milliseconds to wait after an attempt, counted from 0: as long as the service asks, which may be longer than
 * anyone waits, else twice as long each time, up to ten seconds.
 *
 * @param retryAfter the header: seconds, or a date. One that is past, or is none, asks for nothing.
 */
export function pauseAfter(attempt: number, retryAfter: string | null): number {
  const ownPause = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** attempt, LONGEST_PAUSE_MILLISECONDS);
  const asked = retryAfter === null ? Number.NaN : millisecondsOf(retryAfter.trim());
  return asked >= 0 ? asked : ownPause;
}

/** Not a number, if it is none. */
function millisecondsOf(retryAfter: string): number {
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1000;
  return Date.parse(retryAfter) - Date.now();
}

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
