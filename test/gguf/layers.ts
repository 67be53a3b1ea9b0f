/**
 * The layers of the llama architecture, one token after another. Each layer changes the numbers x of a token:
 *
 *   x += attention(norm(x)),  attention = softmax(q · k / sqrt(head size)) v over all tokens so far
 *   x += down(silu(gate(norm(x))) * up(norm(x))),  silu(z) = z / (1 + e^-z)
 *
 * Queries and keys are rotated by position, and several heads of queries may share one head of keys and values.
 *
 * Sources: H. Touvron et al., "LLaMA: Open and Efficient Foundation Language Models", 2023; N. Shazeer, "GLU
 * Variants Improve Transformer", 2020; J. Ainslie et al., "GQA: Training Generalized Multi-Query Transformer
 * Models from Multi-Head Checkpoints", EMNLP 2023.
 */
import { logSoftmax, normalised, product, rotate, sumOf } from './arithmetic.js';
import type { Dimensions, Layer, Weights } from './weights.js';

/** Keys and values of one layer, token by token. */
interface Memory {
  keys: Float32Array[];
  values: Float32Array[];
}

export class Layers {
  readonly #memories: readonly Memory[];

  constructor(
    readonly dimensions: Dimensions,
    readonly weights: Weights,
  ) {
    this.#memories = weights.layers.map(() => ({ keys: [], values: [] }));
  }

  /**
   * Runs a token at a position. All positions before it must have been run; a token that was run at this position
   * before is replaced.
   *
   * @returns the output of the last layer.
   */
  run(token: number, position: number): Float64Array {
    const { width, epsilon } = this.dimensions;
    let stream: Float64Array = Float64Array.from(
      this.weights.embeddings.subarray(token * width, (token + 1) * width),
    );
    for (const [index, layer] of this.weights.layers.entries()) {
      const attended = this.#attended(
        layer,
        this.#memories[index] as Memory,
        normalised(stream, layer.attentionNorm, epsilon),
        position,
      );
      stream = sumOf(stream, product(layer.attentionOutput, attended));
      const input = normalised(stream, layer.networkNorm, epsilon);
      const up = product(layer.up, input);
      const gate = product(layer.gate, input);
      const units = gate.map((value, unit) => (value / (1 + Math.exp(-value))) * (up[unit] as number));
      stream = sumOf(stream, product(layer.down, units));
    }
    return stream;
  }

  /** The attention of the token to itself and all tokens before it. */
  #attended(layer: Layer, { keys, values }: Memory, input: Float64Array, position: number): Float64Array {
    const { heads, sharedHeads, headSize } = this.dimensions;
    const queries = product(layer.queries, input);
    const key = product(layer.keys, input);
    for (const each of [queries, key]) rotate(each, headSize, this.weights.frequencies, position);
    keys[position] = Float32Array.from(key);
    values[position] = Float32Array.from(product(layer.values, input));
    const attended = new Float64Array(queries.length);
    for (let head = 0; head < heads; head++) {
      const from = head * headSize;
      const shared = Math.floor((head * sharedHeads) / heads) * headSize;
      const scores = new Float64Array(position + 1);
      for (let other = 0; other <= position; other++) {
        const its = keys[other] as Float32Array;
        let sum = 0;
        for (let part = 0; part < headSize; part++)
          sum += (queries[from + part] as number) * (its[shared + part] as number);
        scores[other] = sum / Math.sqrt(headSize);
      }
      for (const [other, logarithm] of logSoftmax(scores).entries()) {
        const its = values[other] as Float32Array;
        for (let part = 0; part < headSize; part++)
          attended[from + part] =
            (attended[from + part] as number) + Math.exp(logarithm) * (its[shared + part] as number);
      }
    }
    return attended;
  }
}
