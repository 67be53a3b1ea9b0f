/**
 * A tiny reranker in GGUF format: a BERT of two layers with the pooling “rank”, for programs that run llama.cpp. Its
 * weights are pseudo-random, so its scores mean nothing, but they are the same on every machine and differ between texts.
 */
import { ggufOf, type TensorSource, type Value } from './writer.js';

const WIDTH = 32;
const HIDDEN = 64;
const LAYERS = 2;
const CONTEXT = 128;

/** “▁” begins a word. */
const CHARACTERS = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter(
  (character) => !/[A-Z]/.test(character),
);
const TOKENS = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  ...CHARACTERS.map((character) => `\u2581${character}`),
  ...CHARACTERS,
  ...'the of is in and to a what was who where capital river berlin paris'
    .split(' ')
    .filter((word) => word.length > 1)
    .map((word) => `\u2581${word}`),
];

const METADATA: Record<string, Value> = {
  'general.architecture': 'bert',
  'general.name': 'tiny reranker',
  'bert.context_length': CONTEXT,
  'bert.embedding_length': WIDTH,
  'bert.feed_forward_length': HIDDEN,
  'bert.block_count': LAYERS,
  'bert.attention.head_count': 2,
  'bert.attention.layer_norm_epsilon': 1e-5,
  'bert.attention.causal': false,
  // “rank”
  'bert.pooling_type': 4,
  'tokenizer.ggml.model': 'bert',
  'tokenizer.ggml.pre': 'jina-v2-en',
  'tokenizer.ggml.token_type_count': 2,
  'tokenizer.ggml.tokens': TOKENS,
  'tokenizer.ggml.token_type': TOKENS.map((_, id) => (id < 4 ? 3 : 1)),
  'tokenizer.ggml.padding_token_id': 0,
  'tokenizer.ggml.unknown_token_id': 1,
  'tokenizer.ggml.bos_token_id': 2,
  'tokenizer.ggml.eos_token_id': 3,
  'tokenizer.ggml.seperator_token_id': 3,
};

export function tinyReranker(): Uint8Array {
  const random = generator();
  const tensors: Record<string, TensorSource> = {};
  const put = (name: string, sizes: number[], value: () => number) => {
    const length = sizes.reduce((product, size) => product * size, 1);
    tensors[name] = { sizes, values: Array.from({ length }, value) };
  };
  const weights = (name: string, ...sizes: number[]) => {
    const scale = Math.sqrt(3 / (sizes[0] as number));
    put(`${name}.weight`, sizes, () => 2 * scale * random());
  };
  const linear = (name: string, from: number, to: number) => {
    weights(name, from, to);
    put(`${name}.bias`, [to], () => random() / 10);
  };
  const norm = (name: string) => {
    put(`${name}.weight`, [WIDTH], () => 1);
    put(`${name}.bias`, [WIDTH], () => 0);
  };
  put('token_embd.weight', [WIDTH, TOKENS.length], random);
  put('token_types.weight', [WIDTH, 2], random);
  put('position_embd.weight', [WIDTH, CONTEXT], () => random() / 4);
  norm('token_embd_norm');
  for (let layer = 0; layer < LAYERS; layer++) {
    const at = `blk.${layer}`;
    for (const part of ['attn_q', 'attn_k', 'attn_v', 'attn_output']) linear(`${at}.${part}`, WIDTH, WIDTH);
    norm(`${at}.attn_output_norm`);
    linear(`${at}.ffn_up`, WIDTH, HIDDEN);
    linear(`${at}.ffn_down`, HIDDEN, WIDTH);
    norm(`${at}.layer_output_norm`);
  }
  linear('cls', WIDTH, WIDTH);
  linear('cls.output', WIDTH, 1);
  return ggufOf(METADATA, tensors);
}

/**
 * Numbers from -1 to 1, always the same ones.
 *
 * Source: G. Marsaglia, "Xorshift RNGs", 2003: x ^= x << 13, x ^= x >> 17, x ^= x << 5.
 */
function generator(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state | 0) / 2 ** 31;
  };
}
