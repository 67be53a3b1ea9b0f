/**
 * Logistic regression by Newton's method, with weights that may be kept at 0 or above.
 *
 *   L(w) = Σ_i share_i · (ln(1 + exp(z_i)) − y_i z_i) / Σ_i share_i + ½ λ |w|²,    z_i = w · x_i + b
 *
 * The base b is free and has no ridge. At the least, the gradient is 0 for weights above 0, and at least 0 for those at 0.
 *
 * Sources: D. Cox, "The regression analysis of binary sequences", 1958; D. Bertsekas, "Projected Newton methods for
 * optimization problems with simple constraints", 1982.
 */
import { logistic } from '../../../../src/math/logprobs.js';

/** λ. */
const RIDGE = 1e-4;
const STEPS = 100;
/** A step that changes no weight by more is the last. */
const STILL = 1e-7;
/** The longest step of a weight: far from the least, a whole step can go astray. */
const LONGEST = 3;

/** Rows to learn from. */
export class Rows {
  readonly values: number[] = [];
  readonly labels: number[] = [];
  readonly shares: number[] = [];

  constructor(readonly columns: readonly string[]) {}

  /** @param share how much the row counts. */
  add(row: readonly number[], label: boolean, share: number): void {
    for (const value of row) this.values.push(value);
    this.labels.push(Number(label));
    this.shares.push(share);
  }
}

/** Weights by column, and the base. */
export interface Fitted {
  readonly base: number;
  readonly weights: Readonly<Record<string, number>>;
}

/**
 * Learns the weights.
 *
 * @param isFree whether the weight of a column may be below 0.
 * @throws Error if it does not come to rest.
 */
export function logisticRegression(
  { columns, values, labels, shares }: Rows,
  isFree: (column: string) => boolean,
): Fitted {
  const width = columns.length + 1;
  const total = shares.reduce((sum, share) => sum + share, 0);
  const weights = new Float64Array(width);
  const mustNot = (at: number) => at < columns.length && !isFree(columns[at] as string);
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Float64Array(width);
    const hessian = new Float64Array(width * width);
    for (let at = 0; at < columns.length; at++) {
      gradient[at] = RIDGE * (weights[at] as number);
      hessian[at * width + at] = RIDGE;
    }
    const row = new Float64Array(width).fill(1);
    for (const [i, label] of labels.entries()) {
      let z = weights[width - 1] as number;
      for (let at = 0; at < width - 1; at++) {
        row[at] = values[i * (width - 1) + at] as number;
        z += (weights[at] as number) * (row[at] as number);
      }
      const p = logistic(z);
      const share = (shares[i] as number) / total;
      for (let at = 0; at < width; at++) {
        const value = row[at] as number;
        if (value === 0) continue;
        gradient[at] = (gradient[at] as number) + share * (p - label) * value;
        const scaled = share * p * (1 - p) * value;
        for (let other = 0; other < width; other++) {
          hessian[at * width + other] =
            (hessian[at * width + other] as number) + scaled * (row[other] as number);
        }
      }
    }
    const moving = [...weights.keys()].filter(
      (at) => !mustNot(at) || (weights[at] as number) > 0 || (gradient[at] as number) < 0,
    );
    const direction = solve(
      moving.map((i) => [...moving.map((j) => hessian[i * width + j] as number), gradient[i] as number]),
    );
    const scale = Math.min(1, LONGEST / Math.max(...direction.map(Math.abs)));
    let greatest = 0;
    for (const [place, at] of moving.entries()) {
      const next = (weights[at] as number) - scale * (direction[place] as number);
      const allowed = mustNot(at) ? Math.max(0, next) : next;
      greatest = Math.max(greatest, Math.abs(allowed - (weights[at] as number)));
      weights[at] = allowed;
    }
    if (greatest < STILL) {
      const named = columns.map((name, at) => [name, weights[at] as number] as const);
      return { base: weights[width - 1] as number, weights: Object.fromEntries(named) };
    }
  }
  throw new Error(`No weights found in ${STEPS} steps.`);
}

/** Gaussian elimination of rows with their right sides. A positive definite matrix needs no pivots. */
function solve(rows: number[][]): number[] {
  const width = rows.length;
  for (const [at, pivot] of rows.entries()) {
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] as number) / (pivot[at] as number);
      for (let column = at; column <= width; column++) {
        row[column] = (row[column] as number) - factor * (pivot[column] as number);
      }
    }
  }
  return rows.map((row, at) => (row[width] as number) / (row[at] as number));
}
