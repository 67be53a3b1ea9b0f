/**
 * Measures how far the predictions of a language model move when its context changes. The inputs are the lists of the
 * most probable tokens that services report.
 *
 * Kullback-Leibler divergence D(P ‖ Q) = Σ P(t) ln(P(t) / Q(t)) (Kullback & Leibler 1951). The lists are cut off. All
 * tokens that are not known on both sides therefore go into one bucket, "the rest". By the log-sum inequality (Cover &
 * Thomas, Elements of Information Theory, theorem 2.7.1) that can only lower D. So the result is a lower bound: no
 * probability is made up for a token that one list lacks. Kim ("Entropic Context Shaping", 2026) smooths missing tokens
 * with a small constant instead, 1e-10; that is off by 13 to 19 nats over eight tokens.
 *
 * The sampled token weighs most and is nearly always missing from the other list. If its exact probability in the other
 * list is known, the bound is close.
 */
import { logSumExp } from './logprobs.js';

/** Tokens, each with the natural logarithm of its probability. The map need not contain all tokens. */
export type KnownLogprobs = ReadonlyMap<string | number, number>;

/** A remaining probability below this is a rounding error. */
const ROUNDING = 1e-9;

/**
 * Returns a lower bound of D(P ‖ Q) in nats, at least 0. It is exact if both maps contain all tokens. Tokens that only
 * one map contains count as part of the rest.
 */
export function divergence(p: KnownLogprobs, q: KnownLogprobs): number {
  const shared = [...p.keys()].filter((token) => q.has(token));
  let sum = 0;
  for (const token of shared) {
    const logP = p.get(token) as number;
    if (logP > Number.NEGATIVE_INFINITY) sum += Math.exp(logP) * (logP - (q.get(token) as number));
  }
  const rest = (known: KnownLogprobs) =>
    -Math.expm1(logSumExp(shared.map((token) => known.get(token) as number)));
  const restOfP = rest(p);
  if (restOfP > ROUNDING) sum += restOfP * Math.log(restOfP / Math.max(rest(q), ROUNDING));
  return Math.max(0, sum);
}

/**
 * Returns the sum of the divergences along a path of tokens that was sampled from P, in nats. By the chain rule its
 * expectation over paths is the divergence of the distributions of whole texts.
 */
export function trajectoryDivergence(steps: Iterable<{ p: KnownLogprobs; q: KnownLogprobs }>): number {
  let sum = 0;
  for (const { p, q } of steps) sum += divergence(p, q);
  return sum;
}
