/**
 * Maximal marginal relevance: repeatedly picks the item that is most relevant and least similar to the items picked so
 * far.
 *
 *   next = argmax_{i not in S}  λ · relevance(i) − (1 − λ) · max_{j in S} similarity(i, j)
 *
 * The computation is incremental: each item keeps its greatest similarity to the picks so far. So a pick costs one row
 * of similarities and one scan, O(n) per pick and O(n k) in all.
 *
 * Source: J. Carbonell, J. Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering
 * Documents and Producing Summaries", SIGIR 1998.
 */
export interface MmrInput {
  /** Relevance of each item, 0..1. */
  relevance: ArrayLike<number>;
  /**
   * Returns the similarities of a picked item to all items, 0..1. The item's own entry is not read. The array is not
   * read after the next call.
   */
  similarityRow: (item: number) => ArrayLike<number>;
  /** 0..1: 1 picks by relevance alone, 0 by diversity alone. */
  lambda: number;
  /** This many of the first items are picked before all others, in order. Default 0. */
  forced?: number;
  /** Items whose entry is 1 are picked after all others, except for forced items. Default: none. */
  later?: ArrayLike<number>;
}

/** A picked item, given by its index. */
export interface MmrPick {
  item: number;
  /**
   * Marginal relevance of every item at this pick. The array is live: the next pick changes it. Items that were picked
   * before keep the value of their pick.
   */
  values: Float64Array;
}

/**
 * Picks items one by one, until the caller stops or all are picked. The similarities of a pick are computed only when
 * the next pick is requested: k picks cost k - 1 rows, and none if `lambda` is 1.
 *
 * Among equal values the lower index is picked first, so give the items in the order that ties should follow.
 */
export function* maximalMarginalRelevance(input: MmrInput): Generator<MmrPick, void> {
  const { relevance, similarityRow, lambda, forced = 0, later } = input;
  const n = relevance.length;
  const values = Float64Array.from(relevance, (each) => lambda * each);
  const nearest = new Float64Array(n);
  const open = Int32Array.from({ length: n }, (_, i) => i);
  for (let left = n; left > 0; ) {
    let best = 0;
    if (n - left >= forced) {
      for (let at = 1; at < left; at++) {
        const [item, other] = [open[at] as number, open[best] as number];
        const turn = (later?.[other] ?? 0) - (later?.[item] ?? 0);
        if (turn > 0 || (turn === 0 && (values[item] as number) > (values[other] as number))) best = at;
      }
    }
    const item = open[best] as number;
    open.copyWithin(best, best + 1, left);
    left--;
    yield { item, values };
    if (lambda === 1) continue;
    const row = similarityRow(item);
    for (let at = 0; at < left; at++) {
      const other = open[at] as number;
      if ((row[other] as number) <= (nearest[other] as number)) continue;
      nearest[other] = row[other] as number;
      values[other] = lambda * (relevance[other] as number) - (1 - lambda) * (nearest[other] as number);
    }
  }
}
