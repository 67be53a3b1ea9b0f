/**
 * Pseudo-relevance feedback: what the best passages say beyond the question is likely to be said by others
 * that answer it.
 *
 *   weight(t)   = idf(t) · Σ_d∈best relevance(d) · tf(t,d) / |d|        the 20 heaviest terms
 *   feedback(d) = Σ_t∈d weight(t)                                       0 for the best themselves
 *
 * Source: V. Lavrenko, W. B. Croft, "Relevance-based language models", 2001, with idf for the background.
 */
import type { Passage } from './passage.js';
import type { Pool } from './pool.js';
import { frequenciesOf, Slots } from './slots.js';

const TERMS = 20;

/**
 * None across namespaces: what one tenant's passages say is nothing to go by for those of another.
 *
 * @param relevance a first impression, 0..1, of each passage.
 */
export function feedback(pool: Pool, relevance: Float64Array): Float64Array | undefined {
  const { passages, asked, size, vocabulary } = pool;
  if (passages.some(({ namespace }) => namespace !== passages[0]?.namespace)) return undefined;
  const best = new Set(
    Array.from(relevance.keys())
      .sort((a, b) => (relevance[b] as number) - (relevance[a] as number) || a - b)
      .slice(0, Math.min(5, 2 + Math.round(size / 50))),
  );
  const slots = new Slots(vocabulary.size);
  const terms: number[] = [];
  const weights: number[] = [];
  for (const place of best) {
    const passage = passages[place] as Passage;
    const share = (relevance[place] as number) / passage.terms.length;
    for (const term of passage.terms) {
      if (asked.has(term)) continue;
      const slot = slots.add(term);
      terms[slot] = term;
      weights[slot] = (weights[slot] ?? 0) + share;
    }
  }
  const frequencies = frequenciesOf(slots, passages);
  const expansion: { term: number; weight: number }[] = [];
  for (const [slot, term] of terms.entries()) {
    const df = frequencies[slot] as number;
    // A word of most passages says nothing, however often the best have it.
    if (df <= size / 2)
      expansion.push({ term, weight: (weights[slot] as number) * pool.inverseFrequency(df) });
  }
  const isFirst = (a: number, b: number) => (vocabulary.wordOf(a) < vocabulary.wordOf(b) ? -1 : 1);
  expansion.sort((a, b) => b.weight - a.weight || isFirst(a.term, b.term));
  return sums(expansion.slice(0, TERMS), pool).map((sum, place) => (best.has(place) ? 0 : sum));
}

/** Per passage the weight of the terms that it has, the heaviest first. */
function sums(
  heaviest: readonly { term: number; weight: number }[],
  { passages, vocabulary }: Pool,
): Float64Array {
  const slots = new Slots(vocabulary.size);
  for (const { term } of heaviest) slots.add(term);
  return Float64Array.from(passages, ({ terms }) => {
    const isHere = new Uint8Array(slots.size);
    for (let at = 0; at < terms.length; at++) {
      const slot = slots.of(terms[at] as number);
      if (slot >= 0) isHere[slot] = 1;
    }
    let sum = 0;
    for (const [slot, { weight }] of heaviest.entries()) if (isHere[slot] === 1) sum += weight;
    return sum;
  });
}
