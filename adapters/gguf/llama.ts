import { ContextShapingError } from '../../src/index.js';
import { logSoftmax, multiply, normalise } from './arithmetic.js';
import { Layers } from './layers.js';
import { GgufFile } from './reader.js';
import { Tokenizer } from './tokenizer.js';
import { type Dimensions, dimensionsOf, type Weights, weightsOf } from './weights.js';

/** A language model of the llama architecture that remembers the last tokens. */
export class Llama {
  /** The number of tokens that were run through the network so far. */
  evaluated = 0;
  /** The number of tokens that were in the memory already. */
  reused = 0;
  readonly #layers: Layers;
  /** The tokens that the layers have run. */
  readonly #remembered: number[] = [];

  /**
   * @param bytes of a GGUF file of the llama architecture with a `llama-bpe` tokenizer, F32 or F16.
   * @throws ContextShapingError `invalid-input`, naming the field that is malformed or not supported.
   */
  static parse(bytes: Uint8Array): Llama {
    const file = new GgufFile(bytes);
    const tokenizer = new Tokenizer(file);
    const dimensions = dimensionsOf(file, tokenizer.pieces.length);
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
   * Runs at most `most` of the tokens that {@link logprobs} would run, so that callers can pause in between.
   *
   * @returns whether only the last token is left.
   */
  prepare(tokens: readonly number[], most: number): boolean {
    this.#check(tokens);
    const known = this.known(tokens);
    const end = Math.min(tokens.length - 1, known + most);
    for (let index = known; index < end; index++) this.#run(tokens, index);
    return end === tokens.length - 1;
  }

  /**
   * Natural logarithms of the probabilities of all possible next tokens. The common start with the remembered tokens is
   * not computed again; the result has the same bits as without memory.
   *
   * @param tokens at least one, including the token that begins every text.
   * @throws ContextShapingError `invalid-input`, if there are none or too many, or a token does not exist.
   */
  logprobs(tokens: readonly number[]): Float64Array {
    this.#check(tokens);
    const known = this.known(tokens);
    this.reused += known;
    const last = tokens.length - 1;
    for (let index = known; index < last; index++) this.#run(tokens, index);
    const stream = this.#run(tokens, last);
    const normalised = new Float64Array(stream.length);
    normalise(stream, this.weights.outputNorm, this.dimensions.epsilon, normalised);
    const logits = new Float64Array(this.dimensions.vocabulary);
    multiply(this.weights.output, normalised, logits);
    logSoftmax(logits);
    return logits;
  }

  #run(tokens: readonly number[], index: number): Float64Array {
    const token = tokens[index] as number;
    // Another token was at this position: the memory after it is invalid.
    if (this.#remembered[index] !== token) this.#remembered.length = index;
    const stream = this.#layers.run(token, index);
    this.#remembered[index] = token;
    this.evaluated++;
    return stream;
  }

  #check(tokens: readonly number[]): void {
    const { contextLength, vocabulary } = this.dimensions;
    const wrong = (field: string, value: unknown, is: string, remedy: string) =>
      new ContextShapingError('invalid-input', { field, value, is, remedy });
    if (tokens.length === 0 || tokens.length > contextLength) {
      const is = `must be at least one and at most ${contextLength}, the context of the model`;
      throw wrong('tokens', tokens.length, is, 'Give fewer tokens.');
    }
    for (const [index, token] of tokens.entries()) {
      if (!Number.isInteger(token) || token < 0 || token >= vocabulary) {
        throw wrong(
          `tokens[${index}]`,
          token,
          'is not a token of the model',
          `Give a number from 0 to ${vocabulary - 1}.`,
        );
      }
    }
  }
}
