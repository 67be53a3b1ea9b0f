/** Builds small GGUF files for tests, and one with a model of the llama architecture. */

export type Value = number | boolean | string | readonly string[] | readonly number[];

export interface TensorSource {
  /** The length of a row first. */
  sizes: readonly number[];
  values: readonly number[];
  /** The type of the format: 0 for F32, 1 for F16 (then `values` are bits), others for quantised numbers. Default 0. */
  type?: number;
}

const ALIGNMENT = 32;

/**
 * Numbers are written as 32 bits: whole ones unsigned, in lists signed, as llama.cpp expects them; others floating. Tensors
 * follow one another, aligned.
 */
export function ggufOf(metadata: Record<string, Value>, tensors: Record<string, TensorSource>): Uint8Array {
  const table: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [name, { sizes, values, type = 0 }] of Object.entries(tensors)) {
    table.push(text(name), uint32(sizes.length), ...sizes.map(uint64), uint32(type), uint64(offset));
    const numbers = padded(Buffer.concat(values.map(type === 1 ? uint16 : float32)));
    data.push(numbers);
    offset += numbers.length;
  }
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(Object.keys(tensors).length),
    uint64(Object.keys(metadata).length),
    ...Object.entries(metadata).flatMap(([key, value]) => [text(key), ...typed(value)]),
    ...table,
  ]);
  return new Uint8Array(Buffer.concat([padded(head), ...data]));
}

export const text = (value: string) => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);
export const uint32 = (value: number) => written(4, (buffer) => buffer.writeUInt32LE(value));
export const uint64 = (value: number | bigint) =>
  written(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)));
const uint16 = (value: number) => written(2, (buffer) => buffer.writeUInt16LE(value));
const float32 = (value: number) => written(4, (buffer) => buffer.writeFloatLE(value));

function written(bytes: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}

const padded = (buffer: Buffer) =>
  Buffer.concat([buffer, Buffer.alloc((ALIGNMENT - (buffer.length % ALIGNMENT)) % ALIGNMENT)]);

function typed(value: Value): Buffer[] {
  if (typeof value === 'string') return [uint32(8), text(value)];
  if (typeof value === 'boolean') return [uint32(7), Buffer.from([value ? 1 : 0])];
  if (typeof value === 'number') {
    return Number.isInteger(value) ? [uint32(4), uint32(value)] : [uint32(6), float32(value)];
  }
  const items = value.map((each) => (typeof each === 'string' ? text(each) : uint32(each)));
  return [uint32(9), uint32(typeof value[0] === 'string' ? 8 : 5), uint64(value.length), ...items];
}

/** The letters of GPT-2 for the bytes 0 to 255, by their own rule: those that print, then the rest from U+0100. */
export const LETTERS: readonly string[] = (() => {
  const printed = [...range(33, 126), ...range(161, 172), ...range(174, 255)];
  const rest = range(0, 255).filter((byte) => !printed.includes(byte));
  const letters = new Map([...printed, ...rest].map((byte, place) => [byte, place]));
  return range(0, 255).map((byte) =>
    String.fromCodePoint(
      printed.includes(byte) ? byte : 256 + (letters.get(byte) as number) - printed.length,
    ),
  );
})();

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, place) => from + place);
}

/** A text in these letters, the form of the vocabulary. */
export const inLetters = (value: string) => Array.from(Buffer.from(value), (byte) => LETTERS[byte]).join('');

/** Byte n is token n; 256 begins every text, 257 ends it; then come these words. */
export function tokenizerOf(words: readonly string[] = [], merges: readonly string[] = ['\u0120 t']) {
  return {
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'llama-bpe',
    'tokenizer.ggml.tokens': [...LETTERS, '<|begin|>', '<|end|>', ...words.map(inLetters)],
    'tokenizer.ggml.token_type': [...LETTERS.map(() => 1), 3, 3, ...words.map(() => 1)],
    'tokenizer.ggml.merges': merges,
    'tokenizer.ggml.bos_token_id': 256,
    'tokenizer.ggml.eos_token_id': 257,
  };
}

export interface Shape {
  width: number;
  heads: number;
  sharedHeads: number;
  headSize: number;
  hidden: number;
  layers: number;
  contextLength: number;
}

export const SMALL: Shape = {
  width: 4,
  heads: 2,
  sharedHeads: 1,
  headSize: 2,
  hidden: 3,
  layers: 1,
  contextLength: 16,
};

export function metadataOf(shape: Shape): Record<string, Value> {
  return {
    'general.architecture': 'llama',
    'llama.context_length': shape.contextLength,
    'llama.embedding_length': shape.width,
    'llama.block_count': shape.layers,
    'llama.feed_forward_length': shape.hidden,
    'llama.attention.head_count': shape.heads,
    'llama.attention.head_count_kv': shape.sharedHeads,
    'llama.attention.key_length': shape.headSize,
    'llama.attention.layer_norm_rms_epsilon': 1e-5,
    'llama.rope.freq_base': 100.5,
  };
}

/** All tensors of a model, filled by name and index. The norms are ones, unless `fill` gives others. */
export function tensorsOf(
  shape: Shape,
  vocabulary: number,
  fill: (name: string, place: number) => number,
): Record<string, TensorSource> {
  const { width, heads, sharedHeads, headSize, hidden } = shape;
  const tensors: Record<string, TensorSource> = {};
  const put = (name: string, ...sizes: number[]) => {
    const length = sizes.reduce((product, size) => product * size, 1);
    tensors[name] = { sizes, values: Array.from({ length }, (_, place) => fill(name, place)) };
  };
  put('token_embd.weight', width, vocabulary);
  for (let layer = 0; layer < shape.layers; layer++) {
    put(`blk.${layer}.attn_norm.weight`, width);
    put(`blk.${layer}.attn_q.weight`, width, heads * headSize);
    put(`blk.${layer}.attn_k.weight`, width, sharedHeads * headSize);
    put(`blk.${layer}.attn_v.weight`, width, sharedHeads * headSize);
    put(`blk.${layer}.attn_output.weight`, heads * headSize, width);
    put(`blk.${layer}.ffn_norm.weight`, width);
    put(`blk.${layer}.ffn_gate.weight`, width, hidden);
    put(`blk.${layer}.ffn_up.weight`, width, hidden);
    put(`blk.${layer}.ffn_down.weight`, hidden, width);
  }
  put('output_norm.weight', width);
  put('output.weight', width, vocabulary);
  return tensors;
}
