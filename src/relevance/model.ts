/**
 * The model of relevance: the probability that a passage holds evidence for the question.
 *
 *   logOdds_e(i) = base_e + size_e · ln n + Σ_f weight_e(f) · value_f(i) + place_e · place(i) + cosine(i),   e = words, ranked
 *   P(i)         = π · logistic(logOdds_ranked(i)) + (1 − π) · logistic(logOdds_words(i))
 *   place(i)     = −ln(1 + r / 2),   r = rank in the list, from 0
 *
 * The expert `words` knows no order: its `place` is 0. The expert `ranked` believes the order of the list. The trust π in
 * that order mixes their probabilities, not their weights. So a good place helps, and a bad place costs at most the
 * factor 1 − π: it cannot bury the one passage that matches. `cosine` is the evidence of vectors (`similarity.ts`).
 *
 * Source: D. Cox, "The regression analysis of binary sequences", 1958 (logistic regression); R. Jacobs et al., "Adaptive
 * mixtures of local experts", 1991 (a mixture of probabilities).
 */
import { log } from '../math/elementary.js';
import { logistic } from '../math/logprobs.js';

/** One logistic model. */
export interface Expert {
  readonly base: number;
  readonly size: number;
  readonly place: number;
  /** Log-odds for each feature with the value 1. */
  readonly weights: Readonly<Record<string, number>>;
}

/** A probability, and the shares of its log-odds. */
export interface Relevance {
  readonly value: number;
  /** Shares in log-odds; their sum is the log-odds of `value`. Shares of 0 are left out, but not `base`. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Names of the shares that are no features: what every passage starts from, what the order adds, and what vectors add. */
export const BASE = 'base';
export const PLACE = 'place';
export const COSINE = 'cosine';

/** Nothing is certain: log-odds stay finite, and a later stage can still change a relevance of 0 or 1. */
const CERTAIN = 1e-6;
const HALF = 2;

export const placeValue = (rank: number): number => -log(1 + rank / HALF);

/** The log-odds of a probability, 0..1, within ±13.8. */
export function logOddsOf(probability: number): number {
  const within = Math.min(1 - CERTAIN, Math.max(CERTAIN, probability));
  return log(within / (1 - within));
}

/**
 * Computes the probability of one passage.
 *
 * @param values of the features at this passage, by name.
 * @param rank in the list, from 0. Undefined: the list has no order.
 * @param trust π, 0..1.
 * @param cosine the evidence of its vector, in log-odds.
 */
export function relevanceOf(
  { words, ranked }: { words: Expert; ranked: Expert },
  {
    size,
    values,
    rank,
    trust,
    cosine = 0,
  }: {
    size: number;
    values: readonly (readonly [string, number])[];
    rank: number | undefined;
    trust: number;
    cosine?: number | undefined;
  },
): Relevance {
  const parts: Record<string, number> = { [BASE]: words.base + words.size * log(size) };
  let byWords = parts[BASE] as number;
  let byRank = ranked.base + ranked.size * log(size);
  for (const [name, value] of values) {
    if (value === 0) continue;
    const part = (words.weights[name] ?? 0) * value;
    byRank += (ranked.weights[name] ?? 0) * value;
    if (part === 0) continue;
    parts[name] = part;
    byWords += part;
  }
  if (cosine !== 0) parts[COSINE] = cosine;
  byWords += cosine;
  byRank += cosine;
  if (rank === undefined || trust === 0) return { value: logistic(byWords), parts };
  const mixed = trust * logistic(byRank + ranked.place * placeValue(rank)) + (1 - trust) * logistic(byWords);
  parts[PLACE] = logOddsOf(mixed) - byWords;
  return { value: mixed, parts };
}

/**
 * The shares of a relevance that a stage changed: those before, and the difference in log-odds under the name of the stage.
 * Their sum is the log-odds of `changed`.
 */
export function changedParts(
  { features = {} }: { features?: Readonly<Record<string, number>> },
  name: string,
  changed: number,
): Readonly<Record<string, number>> {
  const before = Object.values(features).reduce((sum, part) => sum + part, 0);
  const own = features[name] ?? 0;
  return Object.freeze({ ...features, [name]: own + logOddsOf(changed) - before });
}
