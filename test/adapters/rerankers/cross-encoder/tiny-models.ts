/** Folders of tiny models, as Transformers.js loads them: configuration, tokenizer, and the model as ONNX. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Encoder,
  type EncoderSize,
  encoderGraph,
  firstToken,
  randomEncoder,
  randomWeights,
} from './onnx-encoder.js';
import { Graph, type Linear } from './onnx-graph.js';

/** Writes a folder with a model. A value of `files` that is no bytes is written as JSON. */
export function writeModel(folder: string, files: Readonly<Record<string, unknown>>): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return folder;
}

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');
/** Words that are one token. */
const WORDS = [
  'query',
  'passage',
  'the',
  'bridge',
  'was',
  'opened',
  'in',
  'when',
  'cats',
  'sleep',
  'all',
  'day',
];
const VOCABULARY = [
  ...SPECIAL,
  ...'.,:;?!-\'"()',
  ...LETTERS,
  ...LETTERS.map((each) => `##${each}`),
  ...WORDS,
];
/** The number of each token of the tokenizer of {@link encoderFiles}. */
export const WORD_PIECES: ReadonlyMap<string, number> = new Map(VOCABULARY.map((word, id) => [word, id]));

export const TINY_ENCODER: EncoderSize = {
  vocabulary: VOCABULARY.length,
  positions: 64,
  width: 32,
  layers: 2,
  heads: 4,
  hidden: 64,
};
/** The size of MiniLM with six layers, but for its vocabulary. */
export const MINI_LM: EncoderSize = {
  ...TINY_ENCODER,
  positions: 512,
  width: 384,
  layers: 6,
  heads: 12,
  hidden: 1536,
};

const special = (content: string, id: number) => ({
  ...{ id, content, single_word: false, lstrip: false, rstrip: false },
  ...{ normalized: false, special: true },
});
const part = (id: string, kind: number) => ({ Sequence: { id, type_id: kind } });
const mark = (id: string, kind: number) => ({ SpecialToken: { id, type_id: kind } });

/** The files of an encoder but for its graph: words in lower case, split into pieces. */
export function encoderFiles(size: EncoderSize, config: object = {}): Record<string, unknown> {
  return {
    'config.json': {
      architectures: ['BertModel'],
      model_type: 'bert',
      vocab_size: size.vocabulary,
      hidden_size: size.width,
      num_hidden_layers: size.layers,
      num_attention_heads: size.heads,
      intermediate_size: size.hidden,
      max_position_embeddings: size.positions,
      type_vocab_size: 2,
      pad_token_id: 0,
      ...config,
    },
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      model_max_length: size.positions,
      ...{
        pad_token: '[PAD]',
        unk_token: '[UNK]',
        cls_token: '[CLS]',
        sep_token: '[SEP]',
        mask_token: '[MASK]',
      },
    },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: SPECIAL.map(special),
      normalizer: {
        type: 'BertNormalizer',
        ...{ clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [mark('[CLS]', 0), part('A', 0), mark('[SEP]', 0)],
        pair: [mark('[CLS]', 0), part('A', 0), mark('[SEP]', 0), part('B', 1), mark('[SEP]', 1)],
        special_tokens: Object.fromEntries(
          ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [WORD_PIECES.get(id)], tokens: [id] }]),
        ),
      },
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(WORD_PIECES),
      },
    },
  };
}

export interface CrossEncoderModel {
  encoder: Encoder;
  pooler: Linear;
  classifier: Linear;
}

/** Writes a cross-encoder with as many logits as `labels`. */
export function writeCrossEncoder(
  folder: string,
  {
    size = TINY_ENCODER,
    labels = ['LABEL_0'],
    seed = 7,
  }: { size?: EncoderSize; labels?: string[]; seed?: number } = {},
): CrossEncoderModel {
  const encoder = randomEncoder(size, seed);
  const { linear } = randomWeights(seed + 1);
  const [pooler, classifier] = [linear(size.width, size.width), linear(size.width, labels.length, 3)];
  const graph = new Graph();
  const first = firstToken(graph, encoderGraph(graph, encoder));
  const pooled = graph.apply('Tanh', [graph.linear(first, pooler)]);
  graph.output('logits', graph.linear(pooled, classifier), ['batch', labels.length]);
  writeModel(folder, {
    ...encoderFiles(size, {
      architectures: ['BertForSequenceClassification'],
      id2label: Object.fromEntries(labels.entries()),
      label2id: Object.fromEntries(labels.map((label, id) => [label, id])),
    }),
    'onnx/model.onnx': graph.file(),
  });
  return { encoder, pooler, classifier };
}

/** Writes an encoder of texts, which has no logits. */
export function writeSentenceEncoder(folder: string, { size = TINY_ENCODER, seed = 11 } = {}): Encoder {
  const encoder = randomEncoder(size, seed);
  const graph = new Graph();
  graph.output('last_hidden_state', encoderGraph(graph, encoder), ['batch', 'length', size.width]);
  writeModel(folder, { ...encoderFiles(size), 'onnx/model.onnx': graph.file() });
  return encoder;
}
