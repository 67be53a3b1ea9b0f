/** Counters of shaping, the same for the service and for the workers of a queue. */
import type { Facts } from './jobs.js';

/** A counter of Prometheus, as far as it is used. */
interface CounterLike {
  inc(labels: Readonly<Record<string, string>>, value?: number): void;
}

/**
 * Counters of chunks, tokens, evictions, degradations and flags.
 *
 * @param counter makes a counter with one label.
 * @returns a function that counts the facts of a request.
 */
export function countShaping(
  counter: (what: string, help: string, label: string) => CounterLike,
): (facts: Facts) => void {
  const chunks = counter('chunks_total', 'Chunks received and returned.', 'direction');
  const tokens = counter('tokens_total', 'Tokens received and returned.', 'direction');
  const evictions = counter('evictions_total', 'Evicted chunks.', 'reason');
  const degradations = counter('degradations_total', 'Degradations: fallbacks that were used.', 'code');
  const flags = counter('flags_total', 'Flagged chunks.', 'kind');
  return (facts) => {
    chunks.inc({ direction: 'in' }, facts.chunksIn);
    chunks.inc({ direction: 'out' }, facts.chunksOut);
    tokens.inc({ direction: 'in' }, facts.tokensIn);
    tokens.inc({ direction: 'out' }, facts.tokensOut);
    for (const [reason, count] of Object.entries(facts.evictions)) evictions.inc({ reason }, count);
    for (const code of facts.degradations) degradations.inc({ code });
    for (const kind of facts.flags) flags.inc({ kind });
  };
}
