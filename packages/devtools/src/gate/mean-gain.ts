/**
 * Whether the mean of bounded differences is above 0 by more than chance.
 *
 * Differences x_1, …, x_n are at least -1, as differences of two values of nDCG are. x_0 = -1 stands for the losses that were not
 * seen. With independent exponential E_j, p = P(Σ_{j=0..n} E_j x_j ≤ 0). This is the test of a bounded mean of Gaffke
 * ("Nonparametric one-sided testing for the mean and related extremum problems", 2004). It gives the bound of Learned-Miller
 * & Thomas (2019, arXiv 1905.06208). If a difference has two possible values, it is valid at every number of questions. In
 * general that is conjectured: no counterexample is known. Because of x_0, a gain that is even but small is no evidence,
 * since one rare loss could undo it.
 *
 * The transform of Q = Σ E_j x_j is L(t) = Π 1 / (1 + t x_j). For every c between 0 and the first pole,
 * P(Q ≤ 0) = (1/π) ∫_0^∞ Re [L(c + iy) / (c + iy)] dy.
 * c is the saddle point, where the integrand changes its sign least. With y = w sinh s the trapezoidal rule in s converges
 * exponentially (Trefethen & Weideman, SIAM Review 2014). The error is below 1e-5.
 *
 * The lower bound of the mean at the level α is the greatest m for which the differences x_j - m have p ≤ α.
 */

/** No difference is less. */
const WORST = -1;
/** Step of the integral in s. */
const STEP = 1 / 16;
/** The integral ends where its parts are below this share of the first. */
const NEGLIGIBLE = 1e-11;
/** Elementary functions differ in their last digits between engines. Verdicts must not. */
const DECIMALS = 1e6;

/** Mean difference, and the evidence that it is above 0. */
export interface Gain {
  mean: number;
  /** Lower bound of the mean, at the level at which the gain is tested. */
  low: number;
  /** Probability of at least as much evidence if the mean is 0. */
  p: number;
}

/**
 * @param differences at least one, each from -1 to 1. Their order does not count.
 * @param alpha the level of the lower bound.
 */
export function gainOf(differences: readonly number[], alpha: number): Gain {
  const sorted = differences.toSorted((a, b) => a - b);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { mean, low: lowerBound(sorted, mean, alpha), p: chanceOf(sorted) };
}

/** P(Σ E_j x_j ≤ 0) with x_0 = -1: the probability of at least as much evidence if the mean is 0. */
export function chanceOf(differences: readonly number[], shift = 0): number {
  // Sorted, so that sums do not depend on the order of the questions.
  const terms = [WORST, ...differences]
    .map((value) => value - shift)
    .filter((value) => value !== 0)
    .sort((a, b) => a - b);
  if (!terms.some((value) => value > 0)) return 1;
  if (!terms.some((value) => value < 0)) return 0;
  const c = saddle(terms);
  const width = 1 / Math.sqrt(terms.reduce((sum, x) => sum + (x / (1 + c * x)) ** 2, 1 / c ** 2));
  let [sum, first] = [0, 0];
  for (let place = 0; ; place++) {
    const y = width * Math.sinh(place * STEP);
    let angle = -Math.atan2(y, c);
    let logSize = -Math.log(Math.hypot(c, y));
    for (const x of terms) {
      angle -= Math.atan2(x * y, 1 + c * x);
      logSize -= Math.log(Math.hypot(1 + c * x, x * y));
    }
    const size = Math.exp(logSize) * width * Math.cosh(place * STEP);
    if (place === 0) first = size;
    sum += (place === 0 ? 0.5 : 1) * size * Math.cos(angle);
    if (size < first * NEGLIGIBLE) break;
  }
  const chance = (sum * STEP) / Math.PI;
  return Math.round(Math.min(1, Math.max(0, chance)) * DECIMALS) / DECIMALS;
}

function lowerBound(differences: readonly number[], mean: number, alpha: number): number {
  let [low, high] = [WORST, mean];
  for (let bits = 0; bits < 20; bits++) {
    const middle = (low + high) / 2;
    if (chanceOf(differences, middle) <= alpha) low = middle;
    else high = middle;
  }
  return low;
}

/** The c at which Σ ln(1 + c x_j) + ln c is greatest, between 0 and the pole of the least term. */
function saddle(terms: readonly number[]): number {
  let [low, high] = [0, -1 / Math.min(...terms)];
  for (let bits = 0; bits < 40; bits++) {
    const middle = (low + high) / 2;
    const slope = terms.reduce((sum, x) => sum + x / (1 + middle * x), 1 / middle);
    if (slope > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
