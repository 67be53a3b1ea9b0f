import { logSoftmax, normalised, product } from './arithmetic.js';
import { Layers } from './layers.js';
import { GgufFile } from './reader.js';
import { Tokenizer } from './tokenizer.js';
import { type Dimensions, dimensionsOf, type Weights, weightsOf } from './weights.js';

/** A language model of the llama architecture that remembers the last tokens. */
export class Llama {
  readonly #layers: Layers;
  /** The tokens that the layers have run. */
  readonly #remembered: number[] = [];

  /** @param bytes of a GGUF file of the llama architecture with a `llama-bpe` tokenizer, F32 or F16. */
  static parse(bytes: Uint8Array): Llama {
    const file = new GgufFile(bytes);
    const tokenizer = new Tokenizer(file);
    const dimensions = dimensionsOf(file);
    return new Llama(tokenizer, dimensions, weightsOf(file, dimensions));
  }

  private constructor(
    readonly tokenizer: Tokenizer,
    readonly dimensions: Dimensions,
    readonly weights: Weights,
  ) {
    this.#layers = new Layers(dimensions, weights);
  }

  /** The largest number of tokens that the model attends to. */
  get contextLength(): number {
    return this.dimensions.contextLength;
  }

  /** The number of first tokens that are in the memory and need not be run again. */
  known(tokens: readonly number[]): number {
    let common = 0;
    // The last token is always run, since its prediction is not remembered.
    while (common < tokens.length - 1 && tokens[common] === this.#remembered[common]) common++;
    return common;
  }

  /**
   * Natural logarithms of the probabilities of all possible next tokens. The common start with the remembered tokens is
   * not computed again; the result has the same bits as without memory.
   *
   * @param tokens at least one, including the token that begins every text.
   */
  logprobs(tokens: readonly number[]): Float64Array {
    const known = this.known(tokens);
    const last = tokens.length - 1;
    for (let index = known; index < last; index++) this.#run(tokens, index);
    const stream = this.#run(tokens, last);
    const { output, outputNorm } = this.weights;
    return logSoftmax(product(output, normalised(stream, outputNorm, this.dimensions.epsilon)));
  }

  #run(tokens: readonly number[], index: number): Float64Array {
    const token = tokens[index] as number;
    // Another token was at this position: the memory after it is invalid.
    if (this.#remembered[index] !== token) this.#remembered.length = index;
    const stream = this.#layers.run(token, index);
    this.#remembered[index] = token;
    return stream;
  }
}
