/**
 * Pseudo-relevance feedback: what the best passages say beyond the question is likely to be said by others
 * that answer it.
 *
 *   weight(t)   = idf(t) · Σ_d∈best relevance(d) · tf(t,d) / |d|        the 20 heaviest terms
 *   feedback(d) = Σ_t∈d weight(t)                                       0 for the best themselves
 *
 * Source: V. Lavrenko, W. B. Croft, "Relevance-based language models", 2001, with idf for the background.
 */
import type { Pool } from './pool.js';

const TERMS = 20;

/**
 * None across namespaces: what one tenant's passages say is nothing to go by for those of another.
 *
 * @param relevance a first impression, 0..1, of each passage.
 */
export function feedback(pool: Pool, relevance: Float64Array): Float64Array | undefined {
  const { passages, asked, size } = pool;
  if (passages.some(({ namespace }) => namespace !== passages[0]?.namespace)) return undefined;
  const best = new Set(
    Array.from(relevance.keys())
      .sort((a, b) => (relevance[b] as number) - (relevance[a] as number) || a - b)
      .slice(0, Math.min(5, 2 + Math.round(size / 50))),
  );
  const weights = new Map<string, number>();
  for (const place of best) {
    const { terms = [] } = passages[place] ?? {};
    const share = (relevance[place] as number) / terms.length;
    for (const term of terms) if (!asked.has(term)) weights.set(term, (weights.get(term) ?? 0) + share);
  }
  const found = passages.map(({ terms }) => new Set(terms.filter((term) => weights.has(term))));
  const frequencies = new Map<string, number>();
  for (const terms of found) {
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const expansion: (readonly [term: string, weight: number])[] = [];
  for (const [term, weight] of weights) {
    const df = frequencies.get(term) as number;
    // A word of most passages says nothing, however often the best have it.
    if (df <= size / 2) expansion.push([term, weight * pool.inverseFrequency(df)]);
  }
  expansion.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const heaviest = expansion.slice(0, TERMS);
  return Float64Array.from(found, (terms, place) => {
    let sum = 0;
    if (!best.has(place)) for (const [term, weight] of heaviest) if (terms.has(term)) sum += weight;
    return sum;
  });
}
