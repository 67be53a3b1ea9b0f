/**
 * Log-probabilities of the next token from logits x, over the whole vocabulary, in double precision and nats:
 *
 *   ln p(t) = x(t) − max x − ln Σ exp(x − max x)
 *
 * Source: P. Blanchard, D. Higham, N. Higham, "Accurately computing the log-sum-exp and softmax functions", IMA J.
 * Numer. Anal. 2021.
 */
import type { TokenLogprob } from '../model-calls/index.js';

export class NextToken {
  readonly #total: number;

  constructor(readonly logits: Float32Array) {
    let most = Number.NEGATIVE_INFINITY;
    for (const logit of logits) most = Math.max(most, logit);
    let sum = 0;
    for (const logit of logits) sum += Math.exp(logit - most);
    this.#total = most + Math.log(sum);
  }

  logprobOf(id: number): number {
    return (this.logits[id] as number) - this.#total;
  }

  /** The most probable tokens, best first; equally probable ones by their numbers. */
  top(count: number): TokenLogprob[] {
    const best: number[] = [];
    for (const [id, logit] of this.logits.entries()) {
      if (best.length === count && !(logit > (this.logits[best[count - 1] as number] as number))) continue;
      if (best.length === count) best.pop();
      let at = best.length;
      while (at > 0 && logit > (this.logits[best[at - 1] as number] as number)) at--;
      best.splice(at, 0, id);
    }
    return best.map((id) => [id, this.logprobOf(id)]);
  }
}
