/**
 * The arithmetic of a transformer, in double precision over weights in single precision:
 *
 *   root mean square norm  y_i = w_i x_i / sqrt(mean(x^2) + epsilon)
 *   rotation by position   (a, b) -> (a cos t - b sin t, a sin t + b cos t), t = position * frequency, for
 *                          the numbers 2i and 2i + 1 of a head
 *   softmax                e^(x_i - max) / sum e^(x_j - max)
 *
 * Sources: B. Zhang, R. Sennrich, "Root Mean Square Layer Normalization", NeurIPS 2019; J. Su et al.,
 * "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021.
 */

/** `matrix · input`, with one row of `matrix` for each number of the result. */
export function product(matrix: Float32Array, input: Float64Array): Float64Array {
  const width = input.length;
  const output = new Float64Array(matrix.length / width);
  for (let row = 0, start = 0; row < output.length; row++, start += width) {
    let sum = 0;
    for (let index = 0; index < width; index++) {
      sum += (matrix[start + index] as number) * (input[index] as number);
    }
    output[row] = sum;
  }
  return output;
}

export function normalised(input: Float64Array, weights: Float32Array, epsilon: number): Float64Array {
  const squares = input.reduce((sum, value) => sum + value * value, 0);
  const scale = 1 / Math.sqrt(squares / input.length + epsilon);
  return input.map((value, index) => value * scale * (weights[index] as number));
}

/** Rotates the first numbers of each head, in place. */
export function rotate(
  heads: Float64Array,
  headSize: number,
  frequencies: Float64Array,
  position: number,
): void {
  for (const [pair, frequency] of frequencies.entries()) {
    const cosine = Math.cos(position * frequency);
    const sine = Math.sin(position * frequency);
    for (let at = 2 * pair; at < heads.length; at += headSize) {
      const [a, b] = [heads[at] as number, heads[at + 1] as number];
      heads[at] = a * cosine - b * sine;
      heads[at + 1] = a * sine + b * cosine;
    }
  }
}

/** The logarithm of the softmax; values that rounding would lift above 0 become 0. */
export function logSoftmax(values: Float64Array): Float64Array {
  const most = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const logarithm = Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
  return values.map((value) => Math.min(0, value - most - logarithm));
}

export const sumOf = (one: Float64Array, other: Float64Array): Float64Array =>
  one.map((value, index) => value + (other[index] as number));
