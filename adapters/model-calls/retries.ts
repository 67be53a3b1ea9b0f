/** Repeats calls of services that may succeed later, with growing pauses; and their time limit. */
import * as z from 'zod/mini';
import { pause } from '../../src/internal.js';

/** Longest wait for one answer, in milliseconds: at most what a timer takes. */
export const timeoutMs = () => z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1));

const FIRST_PAUSE_MILLISECONDS = 250;
export const LONGEST_PAUSE_MILLISECONDS = 10_000;
const MAY_SUCCEED_LATER = new Set([408, 425, 429, 500, 502, 503, 504]);

/** One attempt: its result; or its failure, and whether another attempt may succeed. */
export type Attempt<Result, Failure> =
  | { result: Result }
  | {
      failure: Failure;
      again: boolean;
      /** Pause before the next attempt. Default: {@link pauseAfter} of this one. */
      pauseMilliseconds?: number;
    };

/**
 * Repeats `attempt` until it succeeds, fails for good, or was repeated `maxRetries` times.
 *
 * @param attempt gets the number of the attempt, counted from 0.
 * @returns the last attempt.
 * @throws the signal's reason, if it aborts during a pause; anything that `attempt` throws.
 */
export async function withRetries<Result, Failure>(
  maxRetries: number,
  signal: AbortSignal | undefined,
  attempt: (count: number) => Promise<Attempt<Result, Failure>>,
): Promise<Attempt<Result, Failure>> {
  for (let count = 0; ; count++) {
    const last = await attempt(count);
    if ('result' in last || !last.again || count >= maxRetries) return last;
    const { pauseMilliseconds = pauseAfter(count, null) } = last;
    if (pauseMilliseconds > 0) await pause(pauseMilliseconds, signal);
  }
}

/** Another attempt may succeed after an answer with this HTTP status. */
export const maySucceedLater = (status: number): boolean => MAY_SUCCEED_LATER.has(status);

/** The HTTP status of an error, where the class of a model reports it. */
export function statusOf(error: unknown): number | undefined {
  const { status, status_code, statusCode, response } = (error ?? {}) as {
    status?: unknown;
    status_code?: unknown;
    statusCode?: unknown;
    response?: { status?: unknown } | null;
  };
  return [status, status_code, statusCode, response?.status].find((each) => typeof each === 'number');
}

/** The status says that another attempt cannot succeed. Errors without a status may be temporary. */
export function isPermanent(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && !maySucceedLater(status);
}

/**
 * Milliseconds to wait after an attempt. The wait that the service asks for comes first, no matter how long it is.
 * Without one the wait doubles with each attempt, up to ten seconds.
 *
 * @param attempt counted from 0.
 * @param retryAfter the header, in seconds. Any other text counts as no header.
 */
export function pauseAfter(attempt: number, retryAfter: string | null): number {
  if (retryAfter !== null && /^\s*\d+(\.\d+)?\s*$/.test(retryAfter)) return 1000 * Number(retryAfter);
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** attempt, LONGEST_PAUSE_MILLISECONDS);
}
