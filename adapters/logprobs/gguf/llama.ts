import { ContextShapingError } from '../../../src/index.js';
import { logSoftmax, multiply, normalise } from './arithmetic.js';
import { Layers } from './layers.js';
import { GgufFile } from './reader.js';
import { Tokenizer } from './tokenizer.js';
import { type Measures, measuresOf, type Weights, weightsOf } from './weights.js';

/** A language model of the llama architecture that remembers the last tokens it saw. */
export class Llama {
  /** Tokens that were run through the network so far. */
  evaluated = 0;
  /** Tokens that were asked for and known already. */
  reused = 0;
  readonly #layers: Layers;
  /** The tokens that the layers have taken in. */
  readonly #remembered: number[] = [];

  /**
   * @param bytes of a GGUF file of the llama architecture with a `llama-bpe` tokenizer, F32 or F16.
   * @throws ContextShapingError `invalid-input`, naming what is malformed or not supported.
   */
  static parse(bytes: Uint8Array): Llama {
    const file = new GgufFile(bytes);
    const tokenizer = new Tokenizer(file);
    const measures = measuresOf(file, tokenizer.pieces.length);
    return new Llama(tokenizer, measures, weightsOf(file, measures));
  }

  private constructor(
    readonly tokenizer: Tokenizer,
    readonly measures: Measures,
    readonly weights: Weights,
  ) {
    this.#layers = new Layers(measures, weights);
  }

  /** The most tokens that the model looks at. */
  get contextLength(): number {
    return this.measures.contextLength;
  }

  /** How many of these tokens need not be run again, since they begin like those before. */
  known(tokens: readonly number[]): number {
    let common = 0;
    // The last is always run: what comes after it is not remembered.
    while (common < tokens.length - 1 && tokens[common] === this.#remembered[common]) common++;
    return common;
  }

  /**
   * Runs at most so many of the tokens that {@link logprobs} would have to: for callers who pause in between.
   *
   * @returns is only the last one left?
   */
  prepare(tokens: readonly number[], most: number): boolean {
    this.#check(tokens);
    const known = this.known(tokens);
    const end = Math.min(tokens.length - 1, known + most);
    for (let place = known; place < end; place++) this.#run(tokens, place);
    return end === tokens.length - 1;
  }

  /**
   * Natural logarithms of the probabilities of all tokens after these. What these begin with in common with
   * the tokens before is not computed again, which does not change a bit of the result.
   *
   * @param tokens at least one, the one that begins every text included.
   * @throws ContextShapingError `invalid-input`, if there are none, too many, or one that does not exist.
   */
  logprobs(tokens: readonly number[]): Float64Array {
    this.#check(tokens);
    const known = this.known(tokens);
    this.reused += known;
    const last = tokens.length - 1;
    for (let place = known; place < last; place++) this.#run(tokens, place);
    const stream = this.#run(tokens, last);
    const normalised = new Float64Array(stream.length);
    normalise(stream, this.weights.outputNorm, this.measures.epsilon, normalised);
    const logits = new Float64Array(this.measures.vocabulary);
    multiply(this.weights.output, normalised, logits);
    logSoftmax(logits);
    return logits;
  }

  #run(tokens: readonly number[], place: number): Float64Array {
    const token = tokens[place] as number;
    // What came after another token at this place does not hold any more.
    if (this.#remembered[place] !== token) this.#remembered.length = place;
    const stream = this.#layers.run(token, place);
    this.#remembered[place] = token;
    this.evaluated++;
    return stream;
  }

  #check(tokens: readonly number[]): void {
    const { contextLength, vocabulary } = this.measures;
    const wrong = (field: string, value: unknown, is: string, remedy: string) =>
      new ContextShapingError('invalid-input', { field, value, is, remedy });
    if (tokens.length === 0 || tokens.length > contextLength) {
      const is = `must be at least one and at most ${contextLength}, the context of the model`;
      throw wrong('tokens', tokens.length, is, 'Ask for less text at once.');
    }
    for (const [place, token] of tokens.entries()) {
      if (!Number.isInteger(token) || token < 0 || token >= vocabulary) {
        throw wrong(`tokens[${place}]`, token, 'is no token of the model', `Give 0 to ${vocabulary - 1}.`);
      }
    }
  }
}
