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
import { add, multiply, normalise, rotate, softmax } from './arithmetic.js';
import type { Dimensions, Layer, Weights } from './weights.js';

/** Keys and values of one layer, for all tokens so far. */
interface Memory {
  keys: Float32Array;
  values: Float32Array;
}

const FEWEST_POSITIONS = 64;

export class Layers {
  readonly #dimensions: Dimensions;
  readonly #weights: Weights;
  readonly #buffers;
  #memories: Memory[];

  constructor(dimensions: Dimensions, weights: Weights) {
    const { width, heads, sharedHeads, headSize, hidden, layers } = dimensions;
    this.#dimensions = dimensions;
    this.#weights = weights;
    this.#buffers = {
      stream: new Float64Array(width),
      normalised: new Float64Array(width),
      change: new Float64Array(width),
      queries: new Float64Array(heads * headSize),
      attended: new Float64Array(heads * headSize),
      keys: new Float64Array(sharedHeads * headSize),
      values: new Float64Array(sharedHeads * headSize),
      gate: new Float64Array(hidden),
      up: new Float64Array(hidden),
    };
    this.#memories = Array.from({ length: layers }, () => ({
      keys: new Float32Array(),
      values: new Float32Array(),
    }));
  }

  /**
   * Runs a token at a position. All positions before it must have been run; a token that was run at this position
   * before is replaced.
   *
   * @returns the output of the last layer; the same array each time.
   */
  run(token: number, position: number): Float64Array {
    const { width, epsilon } = this.#dimensions;
    const { stream, normalised, change, gate, up } = this.#buffers;
    this.#makeRoom(position);
    stream.set(this.#weights.embeddings.subarray(token * width, (token + 1) * width));
    for (const [index, layer] of this.#weights.layers.entries()) {
      normalise(stream, layer.attentionNorm, epsilon, normalised);
      this.#attend(layer, this.#memories[index] as Memory, position);
      add(stream, change);
      normalise(stream, layer.networkNorm, epsilon, normalised);
      multiply(layer.gate, normalised, gate);
      multiply(layer.up, normalised, up);
      for (let unit = 0; unit < gate.length; unit++) {
        const value = gate[unit] as number;
        gate[unit] = (value / (1 + Math.exp(-value))) * (up[unit] as number);
      }
      multiply(layer.down, gate, change);
      add(stream, change);
    }
    return stream;
  }

  /** Writes the attention of the token to itself and all tokens before it into `change`. */
  #attend(layer: Layer, memory: Memory, position: number): void {
    const { heads, sharedHeads, headSize } = this.#dimensions;
    const { normalised, change, queries, keys, values, attended } = this.#buffers;
    const { frequencies } = this.#weights;
    multiply(layer.queries, normalised, queries);
    multiply(layer.keys, normalised, keys);
    multiply(layer.values, normalised, values);
    rotate(queries, headSize, frequencies, position);
    rotate(keys, headSize, frequencies, position);
    memory.keys.set(keys, position * keys.length);
    memory.values.set(values, position * values.length);
    const attention = new Float64Array(position + 1);
    attended.fill(0);
    for (let head = 0; head < heads; head++) {
      const from = head * headSize;
      const shared = Math.floor((head * sharedHeads) / heads) * headSize;
      for (let other = 0, at = shared; other <= position; other++, at += keys.length) {
        let sum = 0;
        for (let part = 0; part < headSize; part++) {
          sum += (queries[from + part] as number) * (memory.keys[at + part] as number);
        }
        attention[other] = sum / Math.sqrt(headSize);
      }
      softmax(attention);
      for (let other = 0, at = shared; other <= position; other++, at += values.length) {
        const weight = attention[other] as number;
        for (let part = 0; part < headSize; part++) {
          attended[from + part] =
            (attended[from + part] as number) + weight * (memory.values[at + part] as number);
        }
      }
    }
    multiply(layer.attentionOutput, attended, change);
  }

  /** Memory grows on demand, since few prompts are as long as the context of the model. */
  #makeRoom(position: number): void {
    const size = this.#buffers.keys.length;
    if ((this.#memories[0] as Memory).keys.length > position * size) return;
    const length = Math.min(this.#dimensions.contextLength, Math.max(FEWEST_POSITIONS, 2 * position)) * size;
    const grown = (from: Float32Array) => {
      const to = new Float32Array(length);
      to.set(from);
      return to;
    };
    this.#memories = this.#memories.map(({ keys, values }) => ({ keys: grown(keys), values: grown(values) }));
  }
}
