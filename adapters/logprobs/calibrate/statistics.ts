/**
 * How well scores rank relevant passages, and whether one ranking is better than another by more than chance.
 *
 * AUC = P(score of a relevant passage > score of another) + ½ P(equal): the Mann-Whitney statistic (Hanley &
 * McNeil, Radiology 1982).
 * F1 at k = 2 |relevant ∩ first k| / (k + |relevant|), with k = |relevant|: there it equals precision and recall.
 * 95 % interval of a mean of n differences: mean ± t s / √n, s the standard deviation with n − 1, t of Student's
 * distribution with n − 1 degrees of freedom by its expansion from the normal quantile (Cornish & Fisher 1938).
 * The unit is the question, since passages of one question are not independent.
 * Sign test: P(at least so many of the non-zero differences are positive), each with probability ½ (Arbuthnott 1710).
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

export interface Interval {
  mean: number;
  /** Bounds of the 95 % interval. */
  low: number;
  high: number;
}

/** Takes at least three values. */
export function intervalOf(values: readonly number[]): Interval {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = studentQuantile(values.length - 1) * Math.sqrt(squares / (values.length - 1) / values.length);
  return { mean, low: mean - half, high: mean + half };
}

/** The 97.5 % quantile; accurate to 2 % from 2 degrees of freedom on, to .01 % from 10 on. */
function studentQuantile(degrees: number): number {
  const z = 1.959964;
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  );
}

/** The probability that at least so many of the differences are positive by chance; 1 if all are 0. */
export function signTest(differences: readonly number[]): number {
  const positive = differences.filter((difference) => difference > 0).length;
  const trials = differences.filter((difference) => difference !== 0).length;
  let [sum, logChoose] = [0, 0];
  // Adds C(n, k) for k = n, n − 1, … down to the number of positive differences.
  for (let count = trials; count >= positive; count--) {
    sum += Math.exp(logChoose - trials * Math.LN2);
    logChoose += Math.log(count) - Math.log(trials - count + 1);
  }
  return Math.min(1, sum);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
