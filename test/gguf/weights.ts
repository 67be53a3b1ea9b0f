/** The weights and dimensions of a model of the llama architecture. */
import type { GgufFile } from './reader.js';

/** The dimensions of a model. */
export interface Dimensions {
  contextLength: number;
  /** The number of values that describe a token inside the layers. */
  width: number;
  layers: number;
  heads: number;
  /** The number of heads of keys and values; several heads of queries share one. */
  sharedHeads: number;
  headSize: number;
  /** The number of values of a head that are rotated by position. */
  rotated: number;
  rotationBase: number;
  hidden: number;
  epsilon: number;
}

/** Matrices row by row, one row per output. */
export interface Layer {
  attentionNorm: Float32Array;
  queries: Float32Array;
  keys: Float32Array;
  values: Float32Array;
  attentionOutput: Float32Array;
  networkNorm: Float32Array;
  gate: Float32Array;
  up: Float32Array;
  down: Float32Array;
}

export interface Weights {
  embeddings: Float32Array;
  layers: readonly Layer[];
  outputNorm: Float32Array;
  output: Float32Array;
  /** Radians per position, for each pair of rotated values. */
  frequencies: Float64Array;
}

export function dimensionsOf(file: GgufFile): Dimensions {
  const width = file.number('llama.embedding_length');
  const heads = file.number('llama.attention.head_count');
  const headSize = file.number('llama.attention.key_length', width / heads);
  return {
    contextLength: file.number('llama.context_length'),
    width,
    layers: file.number('llama.block_count'),
    heads,
    sharedHeads: file.number('llama.attention.head_count_kv', heads),
    headSize,
    rotated: file.number('llama.rope.dimension_count', headSize),
    rotationBase: file.number('llama.rope.freq_base', 10_000),
    hidden: file.number('llama.feed_forward_length'),
    epsilon: file.number('llama.attention.layer_norm_rms_epsilon'),
  };
}

export function weightsOf(file: GgufFile, { layers, rotated, rotationBase }: Dimensions): Weights {
  const embeddings = file.tensor('token_embd.weight');
  return {
    embeddings,
    layers: Array.from({ length: layers }, (_, layer): Layer => {
      const of = (name: string) => file.tensor(`blk.${layer}.${name}.weight`);
      return {
        attentionNorm: of('attn_norm'),
        queries: of('attn_q'),
        keys: of('attn_k'),
        values: of('attn_v'),
        attentionOutput: of('attn_output'),
        networkNorm: of('ffn_norm'),
        gate: of('ffn_gate'),
        up: of('ffn_up'),
        down: of('ffn_down'),
      };
    }),
    outputNorm: file.tensor('output_norm.weight'),
    output: file.tensors.has('output.weight') ? file.tensor('output.weight') : embeddings,
    frequencies: Float64Array.from(
      { length: rotated / 2 },
      (_, pair) => rotationBase ** ((-2 * pair) / rotated),
    ),
  };
}
