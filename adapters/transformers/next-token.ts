/**
 * Log-probabilities of the next token from logits x, over the whole vocabulary, in double precision and nats:
 *
 *   ln p(t) = x(t) − max x − ln Σ exp(x − max x)
 *
 * Source: P. Blanchard, D. Higham, N. Higham, "Accurately computing the log-sum-exp and softmax functions", IMA J.
 * Numer. Anal. 2021.
 */
import type { NextToken } from '../model-calls/index.js';

export function nextTokenOf(logits: Float32Array): NextToken {
  let most = Number.NEGATIVE_INFINITY;
  for (const logit of logits) most = Math.max(most, logit);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - most);
  const total = most + Math.log(sum);
  const logitOf = (id: number) => logits[id] as number;
  const logprobOf = (id: number) => logitOf(id) - total;
  return {
    logprobOf,
    top(count) {
      const best: number[] = [];
      for (const [id, logit] of logits.entries()) {
        if (best.length === count && !(logit > logitOf(best[count - 1] as number))) continue;
        if (best.length === count) best.pop();
        let at = best.length;
        while (at > 0 && logit > logitOf(best[at - 1] as number)) at--;
        best.splice(at, 0, id);
      }
      return best.map((id) => [id, logprobOf(id)]);
    },
  };
}
