/**
 * Vectors of texts, from the states h of their n tokens, without padding:
 *
 *   mean: Σ h(i) / n     cls: h(0)     normalised: v / |v|
 *
 * Source: N. Reimers, I. Gurevych, "Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks", EMNLP 2019.
 */
import * as z from 'zod';
import type { Embedder } from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
import type { InMemory } from '../model-calls/index.js';
import { inBatches, type Tokens, tokensOf, truncated } from './batches.js';
import type { Tensor } from './engine.js';
import { openModel } from './open-model.js';
import { COMMON_OPTIONS, type TransformersOptions } from './options.js';

const optionsSchema = z.strictObject({
  ...COMMON_OPTIONS,
  pooling: z.enum(['mean', 'cls']).default('mean'),
  normalize: z.boolean().default(true),
  queryPrefix: z.string().default(''),
  documentPrefix: z.string().default(''),
  batchSize: z.int().min(1).default(16),
});

export interface SentenceEncoderOptions extends TransformersOptions {
  /** The mean of the states of all tokens, or the state of the first token. The model's card says which. Default `mean`. */
  pooling?: 'mean' | 'cls' | undefined;
  /** Whether vectors get the length 1. Default `true`. */
  normalize?: boolean | undefined;
  /** A text before each query: `query: ` for E5. Default none. */
  queryPrefix?: string | undefined;
  /** A text before every other text: `passage: ` for E5. Default none. */
  documentPrefix?: string | undefined;
  /** The number of texts of one pass through the model. A pass cannot be aborted. Default 16. */
  batchSize?: number | undefined;
}

/** An embedder in this process. Its `modelId` names the weights and all options that change vectors. */
export interface SentenceEncoder extends Embedder, InMemory {
  readonly modelId: string;
}

const STATES = ['last_hidden_state', 'token_embeddings'] as const;

/**
 * An embedder in this process: a sentence encoder through the optional package `@huggingface/transformers` (4.3 or
 * later), in Node or a browser.
 *
 * The end of a text that is longer than `maxLength` is cut off. Concurrent calls run one at a time, and an abort is heard
 * between batches: in Node, a batch blocks the thread.
 *
 * @throws ContextShapingError `missing-dependency`, with the package to install; `invalid-input`, if the model is not
 *   found, lacks a file, or is no encoder; `invalid-options`; `service`, if it cannot be loaded otherwise.
 */
export async function sentenceEncoder(options: SentenceEncoderOptions): Promise<SentenceEncoder> {
  const parsed = parseOptions(optionsSchema, options);
  const open = await openModel(parsed, 'sentenceEncoder', 'AutoModel', STATES);
  const { pooling, normalize, queryPrefix, documentPrefix, maxLength } = parsed;
  const settings = JSON.stringify({ pooling, normalize, queryPrefix, documentPrefix, maxLength });
  return {
    ...open.common,
    modelId: `${await open.identify()}:${settings}`,
    embed: (texts, { queryIndex, signal }) =>
      open.inTurn(async () => {
        const tokens: Tokens[] = texts.map((text, place) => {
          const prefix = place === queryIndex ? queryPrefix : documentPrefix;
          return truncated(open, tokensOf(open, `${prefix}${text}`), open.maxLength);
        });
        const vectors = new Array<Float32Array>(texts.length);
        await inBatches(open, tokens, parsed.batchSize, signal, ({ places, outputs, length }) => {
          const name = STATES.find((each) => each in outputs) as string;
          const states = (outputs[name] as Tensor).to('float32');
          const width = states.dims.at(-1) as number;
          for (const [row, place] of places.entries()) {
            const count = pooling === 'cls' ? 1 : (tokens[place] as Tokens).ids.length;
            const from = row * length * width;
            const data = states.data.subarray(from, from + count * width) as Float32Array;
            vectors[place] = pooled(data, width, normalize);
          }
        });
        return vectors;
      }, signal),
  };
}

/** The mean of rows; `normalize` gives it the length 1. */
function pooled(rows: Float32Array, width: number, normalize: boolean): Float32Array {
  const sum = new Float64Array(width);
  for (const [at, value] of rows.entries()) sum[at % width] = (sum[at % width] as number) + value;
  const divisor = normalize ? Math.hypot(...sum) || 1 : rows.length / width;
  return Float32Array.from(sum, (value) => value / divisor);
}
