import { evict, withSignals } from '../candidate.js';
import { fits, type Limits, Meter } from '../limits.js';
import { maximalMarginalRelevance } from '../math/mmr.js';
import type { Stage } from '../pipeline.js';
import { byRelevance, pinnedFirst } from '../ranking.js';
import { haveVectors, lexicalSimilarity, vectorSimilarity } from '../similarity.js';
import type { Candidate } from '../types.js';

const NAME = 'select';
/** Up to this many candidates all are ranked; of more, those that come after the budget is full are not. */
const FULLY_RANKED = 512;

/**
 * Orders candidates by maximal marginal relevance and evicts what comes after the first `k`. The
 * redundancy penalty is the larger of cosine and lexical similarity; between candidates in conflict there
 * is none, for the second of two contradicting statements is news. Pinned candidates come first and are
 * never evicted here. `lambda` 1 is top-k by relevance, exactly. When everything fits, nothing is evicted.
 *
 * Candidates leave in the order in which the budget should take them.
 */
export function select({ lambda, limits }: { lambda: number; limits: Limits }): Stage {
  return {
    name: NAME,
    async run({ candidates, lexicon, pacer }) {
      const sorted = candidates.toSorted(pinnedFirst(byRelevance));
      if (fits(candidates, limits)) {
        return { kept: sorted.map((candidate, rank) => withSignals(candidate, { rank })), evicted: [] };
      }
      const pinned = sorted.filter((candidate) => candidate.pinned).length;
      const k = Math.min(sorted.length, Math.max(limits.k ?? sorted.length, pinned));
      const relevance = sorted.map((candidate) => candidate.signals.relevance ?? 0);
      const similarityRow = redundancy(sorted, lexicon);
      const hasRoom = roomFor(sorted, limits);
      const picked: Candidate[] = [];
      const open = new Set(sorted.keys());
      let margins: readonly number[] = [];
      for (const { item, values } of maximalMarginalRelevance({
        relevance,
        similarityRow,
        lambda,
        forced: pinned,
      })) {
        const candidate = sorted[item] as Candidate;
        open.delete(item);
        picked.push(withSignals(candidate, { rank: picked.length }));
        const isLast = picked.length === k || !hasRoom(candidate);
        if (isLast) margins = Array.from(values, (value) => (values[item] as number) - value);
        if (isLast) break;
        if (pacer.due()) await pacer.pause();
      }
      const others = [...open].sort((a, b) => (margins[a] as number) - (margins[b] as number) || a - b);
      const unranked = others.slice(0, k - picked.length).map((item) => sorted[item] as Candidate);
      return {
        kept: [...picked, ...unranked],
        evicted: others.slice(k - picked.length).map((item) => {
          const margin = Math.max(0, margins[item] as number);
          return evict(sorted[item] as Candidate, NAME, {
            reason: 'outranked',
            k,
            relevance: relevance[item] as number,
            margin,
          });
        }),
      };
    },
  };
}

/** Rows of the penalty: similarity by vector or by words, whichever is larger; none between conflicts. */
function redundancy(candidates: readonly Candidate[], lexicon: Parameters<typeof lexicalSimilarity>[1]) {
  const lexical = lexicalSimilarity(candidates, lexicon, 'jaccard');
  const vector = haveVectors(candidates) ? vectorSimilarity(candidates) : undefined;
  const placeOf = new Map(candidates.map((candidate, place) => [candidate.index, place]));
  return (item: number): Float64Array => {
    const row = lexical.row(item);
    for (const [other, similarity] of vector?.row(item).entries() ?? [])
      row[other] = Math.max(row[other] as number, similarity);
    for (const index of (candidates[item] as Candidate).conflicts) {
      const other = placeOf.get(index);
      if (other !== undefined) row[other] = 0;
    }
    return row;
  };
}

/**
 * Says, pick by pick, whether another could still fit the budget. Past that point order decides nothing but
 * how exactly the ledger can say what each would have needed, which is not worth n² similarities in large pools.
 */
function roomFor(candidates: readonly Candidate[], limits: Limits): (picked: Candidate) => boolean {
  if (limits.available === undefined || candidates.length <= FULLY_RANKED) return () => true;
  const meter = new Meter(limits);
  const smallest = Math.min(...candidates.map((candidate) => candidate.signals.tokens));
  return (picked) => {
    meter.add(picked);
    return meter.used + smallest <= (limits.available as number);
  };
}
