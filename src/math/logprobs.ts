/**
 * Computes with natural logarithms of probabilities, without converting them to probabilities.
 *
 * log-sum-exp: ln Σ exp(x) = m + ln Σ exp(x − m), with m the greatest x (Blanchard, Higham & Higham, "Accurately
 * computing the log-sum-exp and softmax functions", IMA J. Numer. Anal. 2021).
 */
import { exp, log } from './elementary.js';

/** Returns ln Σ exp(x): the logarithm of a sum of probabilities. It is −Infinity for an empty sequence. */
export function logSumExp(values: Iterable<number>): number {
  const all = [...values];
  const greatest = all.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (greatest === Number.NEGATIVE_INFINITY) return greatest;
  return greatest + log(all.reduce((sum, value) => sum + exp(value - greatest), 0));
}

/** Returns the logistic function 1 / (1 + exp(−x)). It turns log-odds in nats into a probability. */
export function logistic(logOdds: number): number {
  return logOdds >= 0 ? 1 / (1 + exp(-logOdds)) : exp(logOdds) / (1 + exp(logOdds));
}
