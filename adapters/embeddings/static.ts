/**
 * Static embeddings: the vector of a text is the mean of its tokens' vectors,
 * `1/n · Σ weight(t) · row(mapping(t))`, then of length 1 if the model says so.
 *
 * Source: S. Tulkens and T. van Dongen, "Model2Vec: Fast State-of-the-Art Static Embeddings", 2024,
 * https://github.com/MinishLab/model2vec.
 */
import * as z from 'zod';
import type { Embedder } from '../../src/index.js';
import { isObject, parseOptions } from '../../src/internal.js';
import { bertTokenizer } from './bert-tokenizer.js';
import { malformed } from './malformed.js';
import { readTensors } from './static-tensors.js';

const optionsSchema = z.strictObject({
  maxTokens: z
    .custom<number>(
      (value) => value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) > 0),
      {
        error: 'must be a whole number of at least 1, or Infinity',
      },
    )
    .default(512),
});

export interface StaticEmbedderOptions {
  /**
   * How many tokens of a text count, from its start; `Infinity`: all. Default 512, as in model2vec, which
   * besides reads only this many times the median length of a token: about 3,000 characters.
   */
  maxTokens?: number | undefined;
}

/** A model of the model2vec format, as its files hold it. */
export interface StaticModelFiles {
  /** `model.safetensors`. */
  safetensors: Uint8Array;
  /** `tokenizer.json`, parsed. */
  tokenizer: unknown;
  /** `config.json`, parsed. `normalize`: whether vectors get length 1; without it they do not. */
  config?: unknown;
}

/** An {@link Embedder} that also goes wherever LangChain takes `Embeddings`. */
export interface StaticEmbedder extends Embedder {
  /** Length of the vectors. */
  readonly dimension: number;
  embedQuery(text: string): Promise<number[]>;
  embedDocuments(texts: string[]): Promise<number[][]>;
}

/** Between two turns of the event loop: some ten milliseconds of work on texts of ordinary length. */
const TEXTS_PER_TURN = 256;

/**
 * An embedder from the files of a model, without file system or network. Queries and passages are embedded
 * alike. A text without a known token has a vector of zeros.
 *
 * @param files tensors `embeddings` (or `embedding.weight`), [rows x dimension], of type F64, F32, F16, BF16
 *   or I8, and where the vocabulary was quantised `weights` and `mapping`, one number per token each; a BERT
 *   tokenizer (WordPiece). They are copied, not changed.
 * @throws ContextShapingError `invalid-input`, naming what is malformed or not supported;
 *   `invalid-options`, naming the option that is wrong.
 */
export function staticEmbedder(files: StaticModelFiles, options: StaticEmbedderOptions = {}): StaticEmbedder {
  const { maxTokens } = parseOptions(optionsSchema, options);
  const normalize = readNormalize(files.config);
  const tokenizer = bertTokenizer(files.tokenizer);
  const { rows, dimension, weights, mapping } = readTensors(files.safetensors, tokenizer.idCount);
  const sum = new Float64Array(dimension);

  function vectorOf(text: string): Float32Array {
    const ids = tokenizer.ids(head(text, maxTokens * tokenizer.medianLength)).slice(0, maxTokens);
    sum.fill(0);
    for (const id of ids) {
      const weight = weights === undefined ? 1 : (weights[id] as number);
      const start = dimension * (mapping === undefined ? id : (mapping[id] as number));
      for (let place = 0; place < dimension; place += 1) {
        sum[place] = (sum[place] as number) + weight * (rows[start + place] as number);
      }
    }
    const length = normalize ? lengthOf(sum) : ids.length;
    const vector = new Float32Array(dimension);
    if (length > 0)
      for (let place = 0; place < dimension; place += 1) vector[place] = (sum[place] as number) / length;
    return vector;
  }

  async function embed(texts: readonly string[], { signal }: { signal?: AbortSignal } = {}) {
    const vectors: Float32Array[] = [];
    for (const [place, text] of texts.entries()) {
      if (place > 0 && place % TEXTS_PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      signal?.throwIfAborted();
      if (typeof text !== 'string')
        throw malformed(`texts[${place}]`, text, 'must be a string', 'Give texts.');
      vectors.push(vectorOf(text));
    }
    return vectors;
  }

  return {
    specificationVersion: 'v1',
    provider: 'model2vec',
    dimension,
    embed,
    embedDocuments: async (texts) => (await embed(texts)).map((vector) => Array.from(vector)),
    embedQuery: async (text) => Array.from((await embed([text]))[0] as Float32Array),
  };
}

/** The first so many characters (code points) of a text. */
function head(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = 0;
  for (let count = 0; count < characters && end < text.length; count += 1) {
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

function readNormalize(config: unknown): boolean {
  if (config === undefined) return false;
  if (!isObject(config)) throw malformed('config.json', config, 'must be an object');
  const { normalize } = config;
  if (normalize !== undefined && typeof normalize !== 'boolean') {
    throw malformed('config.json: normalize', normalize, 'must be true or false');
  }
  return normalize ?? false;
}

function lengthOf(vector: Float64Array): number {
  let squares = 0;
  for (let place = 0; place < vector.length; place += 1) squares += (vector[place] as number) ** 2;
  return Math.sqrt(squares);
}
