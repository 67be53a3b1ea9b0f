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

/** `output = matrix · input`, with one row of `matrix` for each number of `output`. */
export function multiply(matrix: Float32Array, input: Float64Array, output: Float64Array): void {
  const width = input.length;
  const inFours = output.length - (output.length % 4);
  // Four rows at once: 1.4 thousand million products a second. One row at a time: 0.8, since every addition waits for
  // the one before.
  for (let row = 0; row < inFours; row += 4) {
    const first = row * width;
    const second = first + width;
    const third = second + width;
    const fourth = third + width;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let index = 0; index < width; index++) {
      const value = input[index] as number;
      a += (matrix[first + index] as number) * value;
      b += (matrix[second + index] as number) * value;
      c += (matrix[third + index] as number) * value;
      d += (matrix[fourth + index] as number) * value;
    }
    output[row] = a;
    output[row + 1] = b;
    output[row + 2] = c;
    output[row + 3] = d;
  }
  for (let row = inFours; row < output.length; row++) {
    let sum = 0;
    for (let index = 0; index < width; index++) {
      sum += (matrix[row * width + index] as number) * (input[index] as number);
    }
    output[row] = sum;
  }
}

export function normalise(
  input: Float64Array,
  weights: Float32Array,
  epsilon: number,
  output: Float64Array,
): void {
  let squares = 0;
  for (const value of input) squares += value * value;
  const scale = 1 / Math.sqrt(squares / input.length + epsilon);
  for (let index = 0; index < input.length; index++) {
    output[index] = (input[index] as number) * scale * (weights[index] as number);
  }
}

/** Rotates the first numbers of each head, in place. */
export function rotate(
  heads: Float64Array,
  headSize: number,
  frequencies: Float64Array,
  position: number,
): void {
  for (let pair = 0; pair < frequencies.length; pair++) {
    const angle = position * (frequencies[pair] as number);
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    for (let at = 2 * pair; at < heads.length; at += headSize) {
      const [a, b] = [heads[at] as number, heads[at + 1] as number];
      heads[at] = a * cosine - b * sine;
      heads[at + 1] = a * sine + b * cosine;
    }
  }
}

/** Softmax, in place. */
export function softmax(values: Float64Array): void {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  let sum = 0;
  for (let index = 0; index < values.length; index++) {
    const value = Math.exp((values[index] as number) - most);
    values[index] = value;
    sum += value;
  }
  for (let index = 0; index < values.length; index++) values[index] = (values[index] as number) / sum;
}

/** The logarithm of the softmax, in place; values that rounding would lift above 0 become 0. */
export function logSoftmax(values: Float64Array): void {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  let sum = 0;
  for (const value of values) sum += Math.exp(value - most);
  const logarithm = Math.log(sum);
  for (let index = 0; index < values.length; index++) {
    values[index] = Math.min(0, (values[index] as number) - most - logarithm);
  }
}

/** `target += change`. */
export function add(target: Float64Array, change: Float64Array): void {
  for (let index = 0; index < target.length; index++) {
    target[index] = (target[index] as number) + (change[index] as number);
  }
}
