/**
 * Arithmetic on natural logarithms of probabilities, without leaving the logarithms.
 *
 * log-sum-exp: ln Σ exp(x) = m + ln Σ exp(x − m), with m the greatest x (Blanchard, Higham & Higham, "Accurately
 * computing the log-sum-exp and softmax functions", IMA J. Numer. Anal. 2021).
 * log1m-exp: ln(1 − exp(x)) = ln(−expm1(x)) near 0, log1p(−exp(x)) further away (Mächler, "Accurately computing
 * log(1 − exp(−|a|))", 2012).
 */

/** ln Σ exp(x): the logarithm of a sum of probabilities. −Infinity of nothing. */
export function logSumExp(values: Iterable<number>): number {
  const all = [...values];
  const greatest = all.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (greatest === Number.NEGATIVE_INFINITY) return greatest;
  return greatest + Math.log(all.reduce((sum, value) => sum + Math.exp(value - greatest), 0));
}

/** ln(1 − exp(x)) for x ≤ 0: what is left of probability 1. −Infinity at 0 and, by rounding, above. */
export function log1mExp(value: number): number {
  if (value >= 0) return Number.NEGATIVE_INFINITY;
  return value > -Math.LN2 ? Math.log(-Math.expm1(value)) : Math.log1p(-Math.exp(value));
}

/**
 * The most that a token can have of which is known only that it is not among the most probable: no more than
 * the last of those, and no more than they leave.
 *
 * @param listed logarithms of the probabilities of the most probable, in any order. Of none: 0.
 */
export function boundOfUnlisted(listed: readonly number[]): number {
  return Math.min(0, ...listed, log1mExp(logSumExp(listed)));
}

/** The logistic function 1 / (1 + exp(−x)): from log-odds in nats to a probability. */
export function logistic(logOdds: number): number {
  return logOdds >= 0 ? 1 / (1 + Math.exp(-logOdds)) : Math.exp(logOdds) / (1 + Math.exp(logOdds));
}
