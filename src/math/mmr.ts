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
  const { similarityRow, lambda, forced = 0 } = input;
  const relevance = Float64Array.from(input.relevance);
  const n = relevance.length;
  const later = new Uint8Array(n);
  const values = relevance.map((each) => lambda * each);
  const nearest = new Float64Array(n);
  const open = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    later[i] = Number(input.later?.[i] === 1);
    open[i] = i;
  }
  for (let left = n, at = bestOf(open, n, values, later); left > 0; ) {
    if (n - left < forced) at = 0;
    const item = open[at] as number;
    open.copyWithin(at, at + 1, left);
    left--;
    yield { item, values };
    if (lambda === 1) at = bestOf(open, left, values, later);
    else {
      const row = similarityRow(item);
      let best = 0;
      for (at = 0; at < left; at++) {
        const other = open[at] as number;
        const similarity = row[other] as number;
        if (similarity > (nearest[other] as number)) {
          nearest[other] = similarity;
          values[other] = lambda * (relevance[other] as number) - (1 - lambda) * similarity;
        }
        if (isBefore(other, open[best] as number, values, later)) best = at;
      }
      at = best;
    }
  }
}

/** The place of the best of the first `left` open items. */
function bestOf(open: Int32Array, left: number, values: Float64Array, later: Uint8Array): number {
  let best = 0;
  for (let at = 1; at < left; at++) {
    if (isBefore(open[at] as number, open[best] as number, values, later)) best = at;
  }
  return best;
}

/** Whether an item with a higher index is picked before another. */
function isBefore(item: number, other: number, values: Float64Array, later: Uint8Array): boolean {
  const turn = (later[other] as number) - (later[item] as number);
  return turn > 0 || (turn === 0 && (values[item] as number) > (values[other] as number));
}
