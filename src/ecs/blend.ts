/**
 * Blends utility into relevance, with the weight s = `share`.
 *
 *   answer, judge:  relevance' = (1 − s) · relevance + s · logistic(utility)
 *   question:                   relevance' = logistic(m + d · ((1 − s) · z(log-odds of relevance) + s · z(utility)))
 *
 * Belief in an answer has a natural zero: a chunk without influence. The probability of the question has none, because
 * every chunk about its subject makes it more probable. So its differences within the pool count: standard scores z over
 * the measured chunks. m and d are the mean and the deviation of their log-odds.
 */
import { logistic } from '../math/logprobs.js';
import { momentsOf } from '../math/moments.js';
import { logOddsOf } from '../relevance/model.js';
import { medianOf } from './utility.js';

/** The relevance before, and the utility that ranks; undefined if it was not measured. */
export interface Blended {
  readonly relevance: number;
  readonly utility: number | undefined;
}

/** The least deviation of log-odds, in nats. Smaller differences would decide as much as large ones. */
const LEAST_DEVIATION = 1;

/**
 * Returns the relevance of each chunk after the blend. A chunk that was not measured counts as the median of the measured
 * ones; by probability, as one without influence if that is less.
 *
 * @param chunks at least one is measured.
 */
export function blend(chunks: readonly Blended[], share: number, method: string): number[] {
  const known = chunks.map(({ utility }) => utility).filter((utility) => utility !== undefined);
  const median = medianOf(known) as number;
  if (method !== 'question') {
    const unmeasured = Math.min(0, median);
    return chunks.map(
      ({ relevance, utility = unmeasured }) => (1 - share) * relevance + share * logistic(utility),
    );
  }
  const odds = chunks.map(({ relevance }) => logOddsOf(relevance));
  const { mean, deviation } = momentsOf(odds.filter((_, at) => chunks[at]?.utility !== undefined));
  const width = Math.max(LEAST_DEVIATION, deviation);
  const ofUtility = momentsOf(known);
  return chunks.map(({ utility = median }, at) => {
    const place = ((odds[at] as number) - mean) / width;
    const gain = ofUtility.deviation === 0 ? 0 : (utility - ofUtility.mean) / ofUtility.deviation;
    return logistic(mean + width * ((1 - share) * place + share * gain));
  });
}
