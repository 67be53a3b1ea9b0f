/** The weights and dimensions of a model of the llama architecture. */
import { malformed, unsupported } from './errors.js';
import type { GgufFile } from './reader.js';

/** The dimensions of a model. */
export interface Dimensions {
  contextLength: number;
  vocabulary: number;
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

/** @throws ContextShapingError `invalid-input`, if a dimension is missing, impossible, or not supported. */
export function dimensionsOf(file: GgufFile, vocabulary: number): Dimensions {
  const architecture = file.value('general.architecture');
  if (architecture !== 'llama') throw unsupported('general.architecture', architecture, 'must be llama');
  const width = file.count('llama.embedding_length', 1);
  const heads = file.count('llama.attention.head_count', 1);
  const sharedHeads = file.count('llama.attention.head_count_kv', 1, heads);
  if (heads % sharedHeads !== 0) {
    throw malformed('llama.attention.head_count_kv', sharedHeads, `must divide the ${heads} heads`);
  }
  const headSize = file.count('llama.attention.key_length', 1, width / heads);
  const rotated = file.count('llama.rope.dimension_count', 0, headSize);
  if (rotated > headSize || rotated % 2 !== 0) {
    throw malformed('llama.rope.dimension_count', rotated, `must be even and at most ${headSize}`);
  }
  const scaling = file.value('llama.rope.scaling.type') ?? 'none';
  if (scaling !== 'none') throw unsupported('llama.rope.scaling.type', scaling, 'is not supported');
  const experts = file.value('llama.expert_count') ?? 0;
  if (experts !== 0) throw unsupported('llama.expert_count', experts, 'is not supported');
  const positive = (key: string, otherwise?: number) => {
    const value = file.number(key, otherwise);
    if (value <= 0) throw malformed(key, value, 'must be more than 0');
    return value;
  };
  return {
    contextLength: file.count('llama.context_length', 1),
    vocabulary,
    width,
    layers: file.count('llama.block_count', 1),
    heads,
    sharedHeads,
    headSize,
    rotated,
    rotationBase: positive('llama.rope.freq_base', 10_000),
    hidden: file.count('llama.feed_forward_length', 1),
    epsilon: positive('llama.attention.layer_norm_rms_epsilon'),
  };
}

/** @throws ContextShapingError `invalid-input`, if a tensor is missing, malformed or quantised, or there is an unknown one. */
export function weightsOf(file: GgufFile, dimensions: Dimensions): Weights {
  const { width, vocabulary, heads, sharedHeads, headSize, hidden, rotated, rotationBase } = dimensions;
  const left = new Set(file.tensorNames);
  const take = (name: string, ...sizes: number[]) => {
    left.delete(name);
    return file.tensor(name, sizes);
  };
  const embeddings = take('token_embd.weight', width, vocabulary);
  const layers: Layer[] = [];
  for (let layer = 0; layer < dimensions.layers; layer++) {
    const of = (name: string, ...sizes: number[]) => take(`blk.${layer}.${name}.weight`, ...sizes);
    layers.push({
      attentionNorm: of('attn_norm', width),
      queries: of('attn_q', width, heads * headSize),
      keys: of('attn_k', width, sharedHeads * headSize),
      values: of('attn_v', width, sharedHeads * headSize),
      attentionOutput: of('attn_output', heads * headSize, width),
      networkNorm: of('ffn_norm', width),
      gate: of('ffn_gate', width, hidden),
      up: of('ffn_up', width, hidden),
      down: of('ffn_down', hidden, width),
    });
  }
  const outputNorm = take('output_norm.weight', width);
  const output = left.has('output.weight') ? take('output.weight', width, vocabulary) : embeddings;
  // Llama 3.1 and later divide some of the frequencies.
  const factors = left.has('rope_freqs.weight') ? take('rope_freqs.weight', rotated / 2) : undefined;
  const frequencies = Float64Array.from(
    { length: rotated / 2 },
    (_, pair) => rotationBase ** ((-2 * pair) / rotated) / (factors?.[pair] ?? 1),
  );
  for (const name of left) throw unsupported(name, name, 'is a tensor that is not supported');
  return { embeddings, layers, outputNorm, output, frequencies };
}
