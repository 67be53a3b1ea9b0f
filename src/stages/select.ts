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
    run({ candidates, lexicon }) {
      const sorted = candidates.toSorted(pinnedFirst(byRelevance));
      if (fits(candidates, limits)) {
        return { kept: sorted.map((candidate, rank) => withSignals(candidate, { rank })), evicted: [] };
      }
      const pinned = sorted.filter((candidate) => candidate.pinned).length;
      const k = Math.max(limits.k ?? sorted.length, pinned);
      const relevance = sorted.map((candidate) => candidate.signals.relevance ?? 0);
      const { picks, values } = maximalMarginalRelevance({
        relevance,
        similarityRow: redundancy(sorted, lexicon),
        lambda,
        k,
        forced: pinned,
        more: roomFor(sorted, limits),
      });
      const picked = new Set(picks);
      const byValue = (a: number, b: number) => (values[b] as number) - (values[a] as number) || a - b;
      const others = sorted
        .map((_, item) => item)
        .filter((item) => !picked.has(item))
        .toSorted(byValue);
      const order = [...picks, ...others];
      const last = values[order[Math.min(k, order.length) - 1] as number] ?? 0;
      return {
        kept: order
          .slice(0, k)
          .map((item, rank) =>
            picked.has(item) ? withSignals(sorted[item] as Candidate, { rank }) : (sorted[item] as Candidate),
          ),
        evicted: order.slice(k).map((item) =>
          evict(sorted[item] as Candidate, NAME, {
            reason: 'outranked',
            k,
            relevance: relevance[item] as number,
            margin: Math.max(0, last - (values[item] as number)),
          }),
        ),
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
function roomFor(candidates: readonly Candidate[], limits: Limits): (picked: number) => boolean {
  if (limits.available === undefined || candidates.length <= FULLY_RANKED) return () => true;
  const meter = new Meter(limits);
  const smallest = Math.min(...candidates.map((candidate) => candidate.signals.tokens));
  return (picked) => {
    meter.add(candidates[picked] as Candidate);
    return meter.used + smallest <= (limits.available as number);
  };
}
