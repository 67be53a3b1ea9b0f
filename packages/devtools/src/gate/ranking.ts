/**
 * How well scores rank relevant passages.
 *
 * nDCG@10 = Σ_{place=1..10} relevant(place) / log2(place + 1), divided by the same sum of the best ranking (Järvelin &
 * Kekäläinen, ACM TOIS 2002). Passages with equal scores share their places: it is the mean over all orders of them
 * (McSherry & Najork, ECIR 2008). The first places count most, as they do under a budget.
 */

/** A passage with its score in a ranking, and its label. */
export interface Scored {
  score: number;
  relevant: boolean;
}

const PLACES = 10;
const discountOf = (place: number) => (place < PLACES ? 1 / Math.log2(place + 2) : 0);

/** 0..1. At least one passage must be relevant. */
export function ndcg(passages: readonly Scored[]): number {
  const inOrder = passages.toSorted((a, b) => b.score - a.score);
  let [gain, best, from, seen] = [0, 0, 0, 0];
  while (from < inOrder.length) {
    const { score } = inOrder[from] as Scored;
    let [to, relevant, discounts] = [from, 0, 0];
    for (; inOrder[to]?.score === score; to++) {
      discounts += discountOf(to);
      if (inOrder[to]?.relevant) {
        relevant++;
        best += discountOf(seen++);
      }
    }
    gain += (relevant * discounts) / (to - from);
    from = to;
  }
  return gain / best;
}
