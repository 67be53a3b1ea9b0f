/** Log-probabilities in the answers of servers: 32-bit numbers, rounded, and of any size. */
import * as z from 'zod';

/** Natural logarithm of the smallest normal 32-bit number. Servers may round smaller probabilities to zero. */
export const LEAST_LOGPROB = -126 * Math.LN2;

/** Rounding lifts the logarithm of the probability 1 above 0 by at most this much. */
export const ROUNDING = 1e-3;

/** At most 0. Values below {@link LEAST_LOGPROB}, such as vLLM’s -9999, become that value, an upper bound. */
export const logprob = z
  .number()
  .max(ROUNDING)
  .transform((value) => (value < 0 ? Math.max(value, LEAST_LOGPROB) : 0));

/** Whether the value is the logarithm itself, and not an upper bound. */
export const isExact = (value: number): boolean => value > LEAST_LOGPROB;
