import type { Order } from '../input/options.js';
import type { PipelineStage } from '../pipeline.js';
import { documentOf } from '../pool/candidate.js';
import { byRelevance } from '../pool/ranking.js';
import { groupBy } from '../runtime/group-by.js';
import type { Candidate } from '../types.js';

/**
 * Puts the chunks into the order of the result.
 *
 * | order | meaning |
 * |---|---|
 * | `relevance` | most relevant first |
 * | `input` | input order |
 * | `source` | chunks of one source together, by position; first the source with the most relevant chunk |
 * | `edges-first` | most relevant first, second most relevant last, and so on inwards, because models overlook the middle |
 *
 * Source of `edges-first`: N. F. Liu et al., "Lost in the Middle", TACL 2024.
 */
export function order(by: Order): PipelineStage {
  return {
    name: 'order',
    run: ({ candidates }) => ({
      kept: ARRANGE[by](candidates.toSorted(byRelevance)),
      evicted: [],
    }),
  };
}

/** Each function takes the candidates most relevant first. */
const ARRANGE: Readonly<Record<Order, (ranked: readonly Candidate[]) => readonly Candidate[]>> = {
  relevance: (ranked) => ranked,
  input: (ranked) => ranked.toSorted((a, b) => a.index - b.index),
  source: (ranked) => {
    const groups = groupBy(ranked, (candidate) => documentOf(candidate) ?? candidate.index);
    return [...groups.values()].flatMap((group) => group.toSorted(byPosition));
  },
  'edges-first': (ranked) => [
    ...ranked.filter((_, place) => place % 2 === 0),
    ...ranked.filter((_, place) => place % 2 === 1).toReversed(),
  ],
};

/** At the same position, or without positions, the more relevant candidate stays first, because the sort is stable. */
function byPosition(a: Candidate, b: Candidate): number {
  return (a.sources[0].position ?? Number.MAX_VALUE) - (b.sources[0].position ?? Number.MAX_VALUE);
}
