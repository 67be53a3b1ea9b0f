/**
 * How well scores rank relevant passages.
 *
 * AUC = P(score of a relevant passage > score of another) + ½ P(equal): the Mann-Whitney statistic (Hanley &
 * McNeil, Radiology 1982).
 * F1 at k = 2 |relevant ∩ first k| / (k + |relevant|), with k = |relevant|: there it equals precision and recall.
 */

/** A passage with its score in a ranking, and its label. */
export interface Scored {
  score: number;
  relevant: boolean;
}

/** 0..1; .5 by chance. At least one passage must be relevant, and at least one not relevant. */
export function areaUnderCurve(passages: readonly Scored[]): number {
  let wins = 0;
  let pairs = 0;
  for (const one of passages) {
    if (!one.relevant) continue;
    for (const other of passages) {
      if (other.relevant) continue;
      pairs++;
      wins += one.score > other.score ? 1 : one.score === other.score ? 0.5 : 0;
    }
  }
  return wins / pairs;
}

/** 0..1; the mean over all orders of equal scores. At least one passage must be relevant. */
export function f1AtK(passages: readonly Scored[]): number {
  const k = passages.filter(({ relevant }) => relevant).length;
  const scores = [...new Set(passages.map(({ score }) => score))].sort((a, b) => b - a);
  let room = k;
  let hits = 0;
  for (const score of scores) {
    const group = passages.filter((each) => each.score === score);
    const taken = Math.min(room, group.length);
    hits += (taken * group.filter(({ relevant }) => relevant).length) / group.length;
    room -= taken;
  }
  return hits / k;
}
