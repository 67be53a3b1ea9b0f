/**
 * Static embeddings: the vector of a text is the mean of the vectors of its tokens,
 * `1/n · Σ row(t)`, normalised to length 1 if the model's configuration asks for it.
 *
 * Source: S. Tulkens and T. van Dongen, "Model2Vec: Fast State-of-the-Art Static Embeddings", 2024,
 * https://github.com/MinishLab/model2vec.
 */
import * as z from 'zod';
import { ContextShapingError, type Embedder } from '../../../src/index.js';
import { builtIns, isObject, messageOf, parseOptions, pause } from '../../../src/internal.js';
import { malformed, readRows, unreadable } from './model-files.js';
import { bertTokenizer } from './tokenizer.js';

const optionsSchema = z.strictObject({ maxTokens: z.int().min(1).default(512) });

export interface StaticEmbedderOptions {
  /** The number of tokens that are read from the start of a text. Default 512, as in model2vec. */
  maxTokens?: number | undefined;
}

/** The files of a model of the model2vec format. */
export interface StaticModelFiles {
  /** `model.safetensors`. */
  safetensors: Uint8Array;
  /** `tokenizer.json`, parsed. */
  tokenizer: unknown;
  /** `config.json`, parsed. `normalize`: whether vectors get length 1; default false. */
  config?: unknown;
}

/** An {@link Embedder} that also works as LangChain `Embeddings`. */
export interface StaticEmbedder extends Embedder {
  /** The length of the vectors. */
  readonly dimension: number;
  embedQuery(text: string): Promise<number[]>;
  embedDocuments(texts: string[]): Promise<number[][]>;
}

/** The work between two turns of the event loop: about ten milliseconds with texts of ordinary length. */
const TEXTS_PER_TURN = 256;

/**
 * An embedder from the files of a model, without file system or network. Queries and passages are embedded in the same
 * way. A text without a known token gets a vector of zeros.
 *
 * @param files the tensor `embeddings` (or `embedding.weight`), [tokens x dimension], of type F32 or I8; a BERT
 *   tokenizer (WordPiece). They are copied, not changed. A quantised vocabulary, in which tokens share rows, is refused.
 * @throws ContextShapingError `invalid-input`, naming the field that is malformed or not supported; `invalid-options`,
 *   naming the wrong option.
 */
export function staticEmbedder(files: StaticModelFiles, options: StaticEmbedderOptions = {}): StaticEmbedder {
  const { maxTokens } = parseOptions(optionsSchema, options);
  const normalize = readNormalize(files.config);
  const tokenizer = bertTokenizer(files.tokenizer);
  const { values, dimension } = readRows(files.safetensors, tokenizer.idCount);
  const sum = new Float64Array(dimension);

  function vectorOf(text: string): Float32Array {
    const ids = tokenizer.ids(text).slice(0, maxTokens);
    sum.fill(0);
    for (const id of ids) {
      const row = dimension * id;
      for (let at = 0; at < dimension; at++) {
        sum[at] = (sum[at] as number) + (values[row + at] as number);
      }
    }
    const length = normalize ? lengthOf(sum) : ids.length;
    const vector = new Float32Array(dimension);
    if (length > 0) for (let at = 0; at < dimension; at++) vector[at] = (sum[at] as number) / length;
    return vector;
  }

  async function embed(texts: readonly string[], { signal }: { signal?: AbortSignal } = {}) {
    const vectors: Float32Array[] = [];
    for (const [index, text] of texts.entries()) {
      if (index > 0 && index % TEXTS_PER_TURN === 0) await pause(0, signal);
      signal?.throwIfAborted();
      if (typeof text !== 'string')
        throw malformed(`texts[${index}]`, text, 'must be a string', 'Give strings.');
      vectors.push(vectorOf(text));
    }
    return vectors;
  }

  return {
    specificationVersion: 'v1',
    provider: 'model2vec',
    isStatic: true,
    dimension,
    embed,
    embedDocuments: async (texts) => (await embed(texts)).map((vector) => Array.from(vector)),
    embedQuery: async (text) => Array.from((await embed([text]))[0] as Float32Array),
  };
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
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  return Math.sqrt(squares);
}

/**
 * An embedder from a folder with a model of the model2vec format: `config.json`, `tokenizer.json` and
 * `model.safetensors`, as `hf download OWNER/MODEL config.json tokenizer.json model.safetensors --local-dir FOLDER` leaves
 * them. For Node, Bun and Deno; in other runtimes fetch the files and pass them to {@link staticEmbedder}.
 *
 * @throws ContextShapingError `invalid-input`, naming the file that is missing, malformed or not supported;
 *   `missing-dependency` where there is no file system.
 */
export async function loadStaticEmbedder(
  folder: string,
  options: StaticEmbedderOptions = {},
): Promise<StaticEmbedder> {
  const builtin = builtIns();
  if (builtin === undefined) {
    throw new ContextShapingError('missing-dependency', {
      field: 'loadStaticEmbedder',
      value: folder,
      is: 'needs a file system',
      remedy: 'Fetch the three files and pass them to staticEmbedder.',
    });
  }
  const { readFile } = builtin('node:fs/promises');
  const { basename, join, resolve } = builtin('node:path');
  const bytesOf = async (name: string) => {
    try {
      return await readFile(join(folder, name));
    } catch (cause) {
      throw unreadable(join(folder, name), cause);
    }
  };
  // One after the other, so that the error always names the same one of several missing files.
  const config = await bytesOf('config.json');
  const tokenizer = await bytesOf('tokenizer.json');
  const safetensors = await bytesOf('model.safetensors');
  const embedder = staticEmbedder(
    {
      config: parse(join(folder, 'config.json'), config),
      tokenizer: parse(join(folder, 'tokenizer.json'), tokenizer),
      safetensors,
    },
    options,
  );
  return { ...embedder, modelId: basename(resolve(folder)) };
}

function parse(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformed(path, `${bytes.length} bytes`, `is not JSON: ${messageOf(cause)}`);
  }
}
