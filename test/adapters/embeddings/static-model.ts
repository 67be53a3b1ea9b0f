/** Builds small models of the model2vec format for tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TensorSource {
  dtype: 'F32' | 'I8';
  shape: number[];
  values: readonly number[];
}

/** The bytes of a safetensors file. */
export function safetensorsOf(tensors: Record<string, TensorSource>): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: { format: 'np' } };
  const data: Uint8Array[] = [];
  let from = 0;
  for (const [name, { dtype, shape, values }] of Object.entries(tensors)) {
    const bytes = Buffer.concat(values.map((value) => WRITERS[dtype](value)));
    header[name] = { dtype, shape, data_offsets: [from, from + bytes.length] };
    from += bytes.length;
    data.push(bytes);
  }
  return withHeader(JSON.stringify(header), Buffer.concat(data));
}

/** Any text as the header of a safetensors file, padded with spaces as the official writer does. */
export function withHeader(header: string, data: Uint8Array): Uint8Array {
  const text = Buffer.from(header.padEnd(Math.ceil(header.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return new Uint8Array(Buffer.concat([length, text, data]));
}

const written = (bytes: number, write: (buffer: Buffer) => void) => {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
};
const WRITERS: Record<TensorSource['dtype'], (value: number) => Buffer> = {
  F32: (value) => written(4, (buffer) => buffer.writeFloatLE(value)),
  I8: (value) => written(1, (buffer) => buffer.writeInt8(value)),
};

export interface TokenizerSource {
  normalizer?: object;
  model?: object;
  /** The ids come after those of the vocabulary, unless it has the token. */
  added?: { content: string; normalized: boolean }[];
}

/** A BERT tokenizer, as a `tokenizer.json`. The ids are indexes in `tokens`. */
export function tokenizerOf(tokens: readonly string[], source: TokenizerSource = {}) {
  const { added: wanted = [{ content: '[UNK]', normalized: false }] } = source;
  const all = [...new Set([...tokens, ...wanted.map(({ content }) => content)])];
  const added = wanted.map((token) => ({
    id: all.indexOf(token.content),
    single_word: false,
    lstrip: false,
    rstrip: false,
    special: false,
    ...token,
  }));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
      ...source.normalizer,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      ...source.model,
    },
  };
}

export interface ModelFiles {
  config: object;
  tokenizer: object;
  safetensors: Uint8Array;
}

/** A model in which each token has the vector next to it. */
export function modelOf(vectors: Record<string, readonly number[]>, config: object = {}): ModelFiles {
  const rows = Object.values(vectors);
  return {
    config,
    tokenizer: tokenizerOf(Object.keys(vectors)),
    safetensors: safetensorsOf({
      embeddings: { dtype: 'F32', shape: [rows.length, rows[0]?.length ?? 0], values: rows.flat() },
    }),
  };
}

/** Money in one direction, animals in the other. */
export const TINY = modelOf(
  {
    '[PAD]': [0, 0, 0.1],
    '[UNK]': [9, 9, 9],
    money: [1, 0, 0],
    refund: [0.9, 0.1, 0],
    paid: [0.8, 0, 0.1],
    cat: [0, 1, 0],
    dog: [0, 0.9, 0.2],
    '##s': [0, 0, 0.1],
    the: [0.1, 0.1, 0],
    '.': [0, 0, 0.1],
  },
  { model_type: 'model2vec', normalize: true },
);

/** The files of a model: names and bytes. */
function filesOf(model: ModelFiles): Record<string, Uint8Array> {
  return {
    'config.json': Buffer.from(JSON.stringify(model.config)),
    'tokenizer.json': Buffer.from(JSON.stringify(model.tokenizer)),
    'model.safetensors': model.safetensors,
  };
}

export function writeModel(folder: string, model: ModelFiles): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(filesOf(model))) writeFileSync(join(folder, name), bytes);
}
