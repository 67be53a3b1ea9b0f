/**
 * Pseudo-relevance feedback: other passages that answer the question are likely to share words with the best passages,
 * beyond the words of the question.
 *
 *   weight(t)   = idf(t) · Σ_d∈best relevance(d) · tf(t,d) / |d|        for the 20 heaviest terms
 *   feedback(d) = Σ_t∈d weight(t)                                       0 for the best passages themselves
 *
 * Source: V. Lavrenko, W. B. Croft, "Relevance-based language models", 2001, with idf in place of a background model.
 */
import type { Passage } from './passage.js';
import { bestPlaces, type Pool } from './pool.js';

const TERMS = 20;

/**
 * Computes `feedback` for each passage. Returns undefined if the passages have more than one namespace: one tenant's
 * passages must not influence the ranking of another's.
 *
 * @param relevance preliminary relevance of each passage, 0..1.
 */
export function feedback(pool: Pool, relevance: Float64Array): Float64Array | undefined {
  const { passages, asked, size, vocabulary } = pool;
  if (passages.some(({ namespace }) => namespace !== passages[0]?.namespace)) return undefined;
  const passagesWith = pool.passagesWithTermsOfBest(relevance);
  const best = bestPlaces(relevance, Math.min(5, 2 + Math.round(size / 50)));
  const weights = new Map<number, number>();
  for (const place of best) {
    const { terms } = passages[place] as Passage;
    const share = (relevance[place] as number) / terms.length;
    for (const term of terms) if (!asked.has(term)) weights.set(term, (weights.get(term) ?? 0) + share);
  }
  const expansion: { term: number; weight: number }[] = [];
  for (const [term, weight] of weights) {
    const df = passagesWith(term).length;
    // A word of more than half of the passages does not distinguish passages, no matter how often the best contain
    // it.
    if (df <= size / 2) expansion.push({ term, weight: weight * pool.inverseFrequency(df) });
  }
  const isFirst = (a: number, b: number) => (vocabulary.wordOf(a) < vocabulary.wordOf(b) ? -1 : 1);
  expansion.sort((a, b) => b.weight - a.weight || isFirst(a.term, b.term));
  const sums = new Float64Array(size);
  for (const { term, weight } of expansion.slice(0, TERMS)) {
    for (const place of passagesWith(term)) sums[place] = (sums[place] as number) + weight;
  }
  for (const place of best) sums[place] = 0;
  return sums;
}
