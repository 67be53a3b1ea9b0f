/**
 * Maximal marginal relevance: repeatedly pick the item that is most relevant and least like what has
 * been picked already.
 *
 *   next = argmax_{i not in S}  λ · relevance(i) − (1 − λ) · max_{j in S} similarity(i, j)
 *
 * Incremental: each item remembers its greatest similarity to the picks so far, so a pick costs one row
 * of similarities and one scan, O(n) per pick and O(n k) in all.
 *
 * Source: J. Carbonell, J. Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering
 * Documents and Producing Summaries", SIGIR 1998.
 */
export interface MmrInput {
  /** Of each item; 0..1. */
  relevance: ArrayLike<number>;
  /** Similarities of a picked item to all items; 0..1. Its own entry is not read. */
  similarityRow: (item: number) => ArrayLike<number>;
  /** 0..1: 1 picks by relevance alone, 0 by diversity alone. */
  lambda: number;
  /** The most items to pick. Default: all. */
  k?: number;
  /** The first so many items are picked ahead of all others, in order. Default 0. */
  forced?: number;
  /** Asked after each pick: go on? Default: yes. */
  more?: (picked: number) => boolean;
}

/**
 * @returns `picks`: items in the order of picking. On equal values the lower index goes first, so give
 *   items in the order that ties should follow. `values`: of picked items their marginal relevance when
 *   they were picked, of the others what it would be next.
 */
export function maximalMarginalRelevance(input: MmrInput): { picks: number[]; values: Float64Array } {
  const { relevance, similarityRow, lambda, forced = 0, more = () => true } = input;
  const n = relevance.length;
  const k = Math.min(input.k ?? n, n);
  const values = Float64Array.from({ length: n }, (_, i) => lambda * (relevance[i] as number));
  const nearest = new Float64Array(n);
  const open = Array.from({ length: n }, (_, i) => i);
  const picks: number[] = [];
  while (picks.length < k) {
    let best = 0;
    if (picks.length >= forced) {
      for (let at = 1; at < open.length; at++) {
        if ((values[open[at] as number] as number) > (values[open[best] as number] as number)) best = at;
      }
    }
    const [item] = open.splice(best, 1) as [number];
    picks.push(item);
    if (!more(item)) break;
    if (lambda === 1 || picks.length === k) continue;
    const row = similarityRow(item);
    for (const other of open) {
      if ((row[other] as number) <= (nearest[other] as number)) continue;
      nearest[other] = row[other] as number;
      values[other] = lambda * (relevance[other] as number) - (1 - lambda) * (nearest[other] as number);
    }
  }
  return { picks, values };
}
