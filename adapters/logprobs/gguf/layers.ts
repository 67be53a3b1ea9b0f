/**
 * The layers of the llama architecture, one token after another. Each makes of the numbers x of a token
 *
 *   x += attention(norm(x)),  attention = softmax(q · k / sqrt(head size)) v over all tokens so far
 *   x += down(silu(gate(norm(x))) * up(norm(x))),  silu(z) = z / (1 + e^-z)
 *
 * where queries and keys are rotated by place, and several heads of queries may share one of keys and values.
 *
 * Sources: H. Touvron et al., "LLaMA: Open and Efficient Foundation Language Models", 2023; N. Shazeer, "GLU
 * Variants Improve Transformer", 2020; J. Ainslie et al., "GQA: Training Generalized Multi-Query Transformer
 * Models from Multi-Head Checkpoints", EMNLP 2023.
 */
import { add, multiply, normalise, rotate, softmax } from './arithmetic.js';
import type { Layer, Measures, Weights } from './weights.js';

/** Keys and values of one layer, of all tokens so far. */
interface Memory {
  keys: Float32Array;
  values: Float32Array;
}

const FEWEST_PLACES = 64;

export class Layers {
  readonly #measures: Measures;
  readonly #weights: Weights;
  readonly #buffers;
  #memories: Memory[];

  constructor(measures: Measures, weights: Weights) {
    const { width, heads, sharedHeads, headSize, hidden, layers } = measures;
    this.#measures = measures;
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
   * Takes in a token at a place: after all those before it were taken in at theirs, and instead of the one
   * that was there.
   *
   * @returns what the layers make of it; the same array each time.
   */
  run(token: number, place: number): Float64Array {
    const { width, epsilon } = this.#measures;
    const { stream, normalised, change, gate, up } = this.#buffers;
    this.#makeRoom(place);
    stream.set(this.#weights.embeddings.subarray(token * width, (token + 1) * width));
    for (const [index, layer] of this.#weights.layers.entries()) {
      normalise(stream, layer.attentionNorm, epsilon, normalised);
      this.#attend(layer, this.#memories[index] as Memory, place);
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

  /** Leaves in `change` what the token takes from those before it and from itself. */
  #attend(layer: Layer, memory: Memory, place: number): void {
    const { heads, sharedHeads, headSize } = this.#measures;
    const { normalised, change, queries, keys, values, attended } = this.#buffers;
    const { frequencies } = this.#weights;
    multiply(layer.queries, normalised, queries);
    multiply(layer.keys, normalised, keys);
    multiply(layer.values, normalised, values);
    rotate(queries, headSize, frequencies, place);
    rotate(keys, headSize, frequencies, place);
    memory.keys.set(keys, place * keys.length);
    memory.values.set(values, place * values.length);
    const attention = new Float64Array(place + 1);
    attended.fill(0);
    for (let head = 0; head < heads; head++) {
      const from = head * headSize;
      const shared = Math.floor((head * sharedHeads) / heads) * headSize;
      for (let other = 0, at = shared; other <= place; other++, at += keys.length) {
        let sum = 0;
        for (let part = 0; part < headSize; part++) {
          sum += (queries[from + part] as number) * (memory.keys[at + part] as number);
        }
        attention[other] = sum / Math.sqrt(headSize);
      }
      softmax(attention);
      for (let other = 0, at = shared; other <= place; other++, at += values.length) {
        const weight = attention[other] as number;
        for (let part = 0; part < headSize; part++) {
          attended[from + part] =
            (attended[from + part] as number) + weight * (memory.values[at + part] as number);
        }
      }
    }
    multiply(layer.attentionOutput, attended, change);
  }

  /** Memory grows with what is asked: few prompts are as long as the model allows. */
  #makeRoom(place: number): void {
    const size = this.#buffers.keys.length;
    if ((this.#memories[0] as Memory).keys.length > place * size) return;
    const length = Math.min(this.#measures.contextLength, Math.max(FEWEST_PLACES, 2 * place)) * size;
    const grown = (from: Float32Array) => {
      const to = new Float32Array(length);
      to.set(from);
      return to;
    };
    this.#memories = this.#memories.map(({ keys, values }) => ({ keys: grown(keys), values: grown(values) }));
  }
}
