/** Logarithms of probabilities as servers tell them: of 32-bit numbers, rounded, and of any size. */
import * as z from 'zod';

/** Natural logarithm of the smallest normal 32-bit number: below it probabilities may be flushed to zero. */
export const LEAST_LOGPROB = -126 * Math.LN2;

/** Above it no logarithm is one of a probability of 1 that was rounded. */
const ROUNDING = 1e-3;

/** At most 0. For all that is below {@link LEAST_LOGPROB}, such as vLLM’s -9999, that one, as an upper bound. */
export const logprob = z
  .number()
  .max(ROUNDING)
  .transform((value) => (value < 0 ? Math.max(value, LEAST_LOGPROB) : 0));

/** Is it the logarithm itself, and no upper bound? */
export const isExact = (value: number): boolean => value > LEAST_LOGPROB;
