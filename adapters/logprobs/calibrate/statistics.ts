/**
 * How well scores rank what is relevant, and whether one ranking is better than another by more than chance.
 *
 * AUC = P(score of a relevant passage > score of another) + ½ P(equal): the Mann-Whitney statistic (Hanley &
 * McNeil, Radiology 1982).
 * F1 at k = 2 |relevant ∩ first k| / (k + |relevant|), with k = |relevant|: there it equals precision and recall.
 * 95 % interval of a mean of n differences: mean ± 1.96 s / √n, s the standard deviation with n − 1 (the normal
 * approximation: questions are the unit, for passages of one question are not independent).
 */

/** A passage: what a ranking gave it, and what it is. */
export interface Scored {
  score: number;
  relevant: boolean;
}

/** 0..1, .5 by chance. At least one passage must be relevant, and one not. */
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

/** 0..1. Of equal scores any order is as likely as another: the mean over them. At least one must be relevant. */
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

export interface Interval {
  mean: number;
  /** Bounds of the 95 % interval. */
  low: number;
  high: number;
}

/** Of at least two values. */
export function intervalOf(values: readonly number[]): Interval {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = 1.96 * Math.sqrt(squares / (values.length - 1) / values.length);
  return { mean, low: mean - half, high: mean + half };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
