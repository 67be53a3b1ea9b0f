/** How well probabilities tell what answers from what does not, and whether they are what they say. */

/**
 * Area under the receiver operating characteristic: how often what answers is graded above what does not; a tie
 * is half. NaN without one of both.
 *
 * Source: J. Hanley, B. McNeil, "The meaning and use of the area under a ROC curve", 1982.
 */
export function areaUnderCurve(right: readonly number[], wrong: readonly number[]): number {
  const all = [...right.map((grade) => [grade, 1] as const), ...wrong.map((grade) => [grade, 0] as const)];
  all.sort(([a], [b]) => a - b);
  let wins = 0;
  for (let start = 0, below = 0; start < all.length; ) {
    let end = start;
    let rightHere = 0;
    for (; end < all.length && all[end]?.[0] === all[start]?.[0]; end++) rightHere += all[end]?.[1] as number;
    const wrongHere = end - start - rightHere;
    wins += rightHere * (below + wrongHere / 2);
    below += wrongHere;
    start = end;
  }
  return wins / (right.length * wrong.length);
}

const BINS = 10;

/**
 * Expected calibration error: how far the mean probability is from the share that answers, in bins of a tenth, each
 * counting as much as its items together.
 *
 * Source: M. Naeini, G. Cooper, M. Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian Binning",
 * 2015.
 */
export function calibrationError(
  items: readonly (readonly [probability: number, answers: boolean, weight: number])[],
): number {
  const gaps = new Float64Array(BINS);
  let all = 0;
  for (const [probability, answers, weight] of items) {
    const bin = Math.min(BINS - 1, Math.floor(probability * BINS));
    gaps[bin] = (gaps[bin] as number) + weight * (probability - Number(answers));
    all += weight;
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / all;
}
