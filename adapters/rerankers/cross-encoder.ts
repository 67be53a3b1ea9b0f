/**
 * Cross-encoders in this process, by Transformers.js: one pass through the model for each pair of a query and a text.
 *
 * The score is the log-odds of the relevant label: its logit where there is one label; among several, from logits x,
 *
 *   x(relevant) − ln Σ exp x(other),  which with two labels is x(relevant) − x(other)
 *
 * Source: R. Nogueira, K. Cho, "Passage Re-ranking with BERT", 2019.
 */
import * as z from 'zod';
import { ContextShapingError, type Failed, type Reranker } from '../../src/index.js';
import {
  builtIns,
  importOptional,
  messageOf,
  orAborted,
  parseOptions,
  rethrowControlFlow,
} from '../../src/internal.js';
import {
  batchesOf,
  freedBy,
  type InMemory,
  invalidOption,
  serviceError,
  turns,
} from '../model-calls/index.js';

/** The module `@huggingface/transformers`, or one with the same classes. */
export interface TransformersModule {
  readonly AutoTokenizer: unknown;
  readonly AutoModelForSequenceClassification: unknown;
  readonly Tensor: unknown;
}

// The types are declared here, since the package may not be installed: all that this file uses of it.

interface Engine {
  readonly AutoTokenizer: Loader<Tokenizer>;
  readonly AutoModelForSequenceClassification: Loader<Model>;
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

interface Loader<T> {
  from_pretrained(model: string, options: object): Promise<T>;
}

interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
  /** `cpu`, unless the numbers are in the memory of a graphics card. */
  readonly location: string;
  to(type: 'float32'): Tensor;
  dispose(): void;
}

interface Tokenizer {
  (
    text: string,
    options: { text_pair: string; return_token_type_ids: true; return_tensor: false },
  ): {
    readonly input_ids: readonly number[];
    /** 1 for the second text of a pair. Absent if the tokenizer does not tell the texts apart. */
    readonly token_type_ids?: readonly number[];
  };
  readonly model_max_length: number;
  readonly pad_token_id?: number | undefined;
  readonly all_special_ids: readonly number[];
  readonly all_special_tokens: readonly string[];
}

interface Model {
  (inputs: Readonly<Record<string, Tensor>>): Promise<{ readonly logits: Tensor }>;
  readonly config: {
    readonly model_type?: string;
    readonly max_position_embeddings?: number;
    readonly pad_token_id?: number | null;
    readonly id2label?: Readonly<Record<string, string>>;
  };
  readonly sessions: Readonly<
    Record<string, { readonly outputNames: readonly string[]; readonly config?: { readonly dtype?: string } }>
  >;
  dispose(): Promise<unknown>;
}

const optionsSchema = z.strictObject({
  model: z.string().min(1),
  loading: z.record(z.string(), z.unknown()).default({}),
  maxLength: z.int().min(8).optional(),
  batchSize: z.int().min(1).default(16),
  relevantLabel: z.string().min(1).optional(),
  transformers: z
    .custom<TransformersModule>(
      (value) => typeof (value as { AutoTokenizer?: unknown } | null)?.AutoTokenizer === 'function',
      'must be the module @huggingface/transformers',
    )
    .optional(),
});

export interface CrossEncoderOptions {
  /**
   * A folder with `config.json`, `tokenizer.json`, `tokenizer_config.json` and `onnx/model.onnx`; or the id of a model on
   * the Hugging Face hub that has these files: `Xenova/ms-marco-MiniLM-L-6-v2`. A folder comes first. In a browser, a
   * folder is a path on the page's own server that begins with `/`, and needs `env.allowLocalModels = true`.
   */
  model: string;
  /**
   * How Transformers.js loads the model, in its own words for `from_pretrained`: `{ revision, dtype, device, cache_dir,
   * progress_callback, session_options }`. Only a commit as `revision` names fixed weights. Default: its defaults.
   */
  loading?: Readonly<Record<string, unknown>> | undefined;
  /** The largest number of tokens of a query and a text. Default, and at most: the limit of the model. */
  maxLength?: number | undefined;
  /** The number of texts of one pass through the model. A pass cannot be aborted. Default 16. */
  batchSize?: number | undefined;
  /**
   * The label of relevant pairs, for a model with several labels. Default: the one named `relevant`, `yes`, `true`,
   * `positive` or `LABEL_1`.
   */
  relevantLabel?: string | undefined;
  /** The module `@huggingface/transformers`. Give it where a bundler is used. Default: the installed package. */
  transformers?: TransformersModule | undefined;
}

/** A reranker in this process. */
export interface CrossEncoder extends Reranker, InMemory {}

/** Typed as `string`, so that compilers and bundlers do not resolve the package. */
const PACKAGE: string = '@huggingface/transformers';

/**
 * A reranker in this process: a cross-encoder through the optional package `@huggingface/transformers` (4.3 or later), in
 * Node or a browser. Scores are log-odds in nats (`scale: 'logit'`).
 *
 * If query and text are longer than `maxLength`, the end of the text is cut off. If the query leaves no room for a
 * text, all scores are failures. Concurrent calls run one at a time, and an abort is heard between batches: in Node, a
 * batch blocks the thread.
 *
 * @throws ContextShapingError `missing-dependency`, with the package to install; `invalid-input`, if the model is not
 *   found, cannot be loaded, or does not classify pairs; `invalid-options`; when asked `service`, if the engine fails.
 */
export async function crossEncoder(options: CrossEncoderOptions): Promise<CrossEncoder> {
  const {
    model: id,
    loading,
    batchSize,
    relevantLabel,
    transformers,
    ...parsed
  } = parseOptions(optionsSchema, options);
  const load = async () => (await import(PACKAGE)) as TransformersModule;
  const engine = (transformers ??
    (await importOptional(load, 'crossEncoder', `npm install ${PACKAGE}`))) as Engine;
  const folder = await folderOf(id);
  const { tokenizer, model } = await loaded(engine, folder ?? id, loading).catch((cause) => {
    rethrowControlFlow(cause);
    throw wrongModel(id, messageOf(cause), 'cannot be loaded', cause);
  });
  const [session] = Object.values(model.sessions);
  if (session?.outputNames.includes('logits') !== true) {
    await model.dispose();
    throw wrongModel(id, session?.outputNames.join(', '), 'has no output logits');
  }
  const relevant = await relevantOf(model, relevantLabel);
  const limit = maxLengthOf(tokenizer, model);
  const maxLength = Math.min(parsed.maxLength ?? limit, limit);
  const tokensOf = pairTokens(tokenizer);
  const dtype = session.config?.dtype ?? String(loading.dtype ?? 'fp32');
  const inTurn = turns();
  let name: Promise<string> | undefined;
  let freed: Promise<void> | undefined;
  let isFree = false;

  /** The name of the weights: the id, revision and number format, or a digest of the files of a folder. */
  async function nameOf(): Promise<string> {
    if (folder === undefined) return `transformers.js:${id}@${loading.revision ?? 'main'}:${dtype}`;
    // A file that cannot be read now may be readable later.
    name ??= digestOf(folder, dtype).catch((error) => {
      name = undefined;
      throw error;
    });
    return name;
  }

  async function rerank(query: string, texts: readonly string[], signal: AbortSignal | undefined) {
    const scores = new Array<number | Failed>(texts.length);
    if (maxLength - tokensOf(query, '').ids.length < 1) {
      const failure = `The query leaves no room for a text; the model takes ${maxLength} tokens.`;
      return { scores: scores.fill({ failure }), usage: { requests: 0, tokens: 0 } };
    }
    const pairs = texts.map((text) => truncated(tokenizer, tokensOf(query, text), maxLength));
    const batches = batchesOf(longestFirst(pairs), batchSize);
    for (const places of batches) {
      signal?.throwIfAborted();
      const batch = places.map((place) => pairs[place] as Tokens);
      for (const [row, logits] of (await logitsOf(engine, tokenizer, model, batch)).entries()) {
        const score = logOdds(logits, relevant);
        const failure = `The model gave the logits ${logits.join(', ')}.`;
        scores[places[row] as number] = Number.isFinite(score) ? score : { failure };
      }
    }
    const tokens = pairs.reduce((sum, { ids }) => sum + ids.length, 0);
    return { scores, usage: { requests: batches.length, tokens } };
  }

  return {
    specificationVersion: 'v1',
    provider: 'transformers.js',
    modelId: folder?.split(/[/\\]/).findLast((part) => part !== '') ?? id,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      // Two labels of one model are two rerankers.
      return `${await orAborted(nameOf(), signal)}${relevantLabel === undefined ? '' : `:${relevantLabel}`}`;
    },
    rerank: (query, texts, { signal } = {}) =>
      inTurn(async () => {
        try {
          if (isFree) throw new Error('The model was disposed of.');
          return { scale: 'logit', ...(await rerank(query, texts, signal)) };
        } catch (cause) {
          rethrowControlFlow(cause, signal);
          const remedy =
            'Give a smaller batchSize or maxLength if memory is short; do not use a model after dispose().';
          throw serviceError(PACKAGE, messageOf(cause), 'cannot evaluate', remedy, cause);
        }
      }, signal),
    ...freedBy(() => {
      freed ??= inTurn(async () => {
        isFree = true;
        await model.dispose();
      });
      return freed;
    }),
  };
}

/** Ids of the hub: a name, or an owner and a name. */
const HUB_ID = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/;

/**
 * The absolute path of a folder; undefined for an id. Transformers.js takes a relative path for an id. In a browser it
 * takes a path that begins with a slash for one of the page's server.
 */
async function folderOf(model: string): Promise<string | undefined> {
  const builtin = builtIns();
  if (builtin === undefined) return undefined;
  const { stat } = builtin('node:fs/promises');
  const isFolder = await stat(model).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return builtin('node:path').resolve(model);
  if (HUB_ID.test(model)) return undefined;
  throw wrongModel(model, model, 'is neither a folder nor the id of a model');
}

async function loaded(
  { AutoTokenizer, AutoModelForSequenceClassification }: Engine,
  path: string,
  loading: object,
) {
  const tokenizer = await AutoTokenizer.from_pretrained(path, loading);
  return { tokenizer, model: await AutoModelForSequenceClassification.from_pretrained(path, loading) };
}

function wrongModel(field: string, value: unknown, is: string, cause?: unknown): ContextShapingError {
  const files = 'config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx';
  const remedy = `Give a folder, or the id of a model on the hub, that classifies pairs and has ${files}, or the file that loading.dtype names.`;
  return new ContextShapingError('invalid-input', { field, value, is, remedy, cause });
}

/** In these architectures, positions are counted from the number after that of padding. */
const POSITIONS_AFTER_PADDING = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet']);

/** The largest number of tokens of a pair, including those that the tokenizer adds. */
function maxLengthOf({ model_max_length }: Tokenizer, { config }: Model): number {
  const { model_type = '', max_position_embeddings = Number.POSITIVE_INFINITY, pad_token_id } = config;
  const reserved = POSITIONS_AFTER_PADDING.has(model_type) ? (pad_token_id ?? 0) + 1 : 0;
  return Math.min(max_position_embeddings - reserved, model_max_length);
}

/** The end of the name of the ONNX file, for each number format that does not name itself there. */
const SUFFIXES: Readonly<Record<string, string>> = { fp32: '', q8: '_quantized' };

/**
 * A digest of the files in a folder that decide the scores, each after its name, in the order of the names.
 *
 * @throws ContextShapingError `service`, naming the file that can no longer be read.
 */
async function digestOf(folder: string, dtype: string): Promise<string> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const { createReadStream } = process.getBuiltinModule('node:fs');
  const { readdir } = process.getBuiltinModule('node:fs/promises');
  const { join } = process.getBuiltinModule('node:path');
  const weights = `model${SUFFIXES[dtype] ?? `_${dtype}`}.onnx`;
  const digest = createHash('sha256');
  let path = folder;
  try {
    // Weights of more than 2 GB are in files of their own: model.onnx_data, model.onnx_data_1.
    const parts = (await readdir(join(folder, 'onnx'))).filter(
      (name) => name === weights || name.startsWith(`${weights}_data`),
    );
    const texts = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
    for (const name of [...texts, ...parts.map((part) => `onnx/${part}`)].sort()) {
      path = join(folder, name);
      digest.update(`${name}\n`);
      for await (const bytes of createReadStream(path)) digest.update(bytes);
    }
  } catch (cause) {
    const remedy = 'Leave the files in the folder from which the model was loaded.';
    throw serviceError(path, messageOf(cause), 'cannot be read to identify the model', remedy, cause);
  }
  return `transformers.js:sha256:${digest.digest('hex')}`;
}

/** The tokens of a pair of texts, with those that the tokenizer adds, such as `[CLS]` and `[SEP]`. */
interface Tokens {
  readonly ids: readonly number[];
  /** 1 for tokens of the second text. */
  readonly segments: readonly number[];
}

/** Names of control tokens in the texts are plain text. */
function pairTokens(tokenizer: Tokenizer): (query: string, text: string) => Tokens {
  const plain = plainText(tokenizer);
  return (query, text) => {
    const { input_ids, token_type_ids } = tokenizer(plain(query), {
      // The tokenizer takes an empty second text for none.
      text_pair: text === '' ? ' ' : plain(text),
      return_token_type_ids: true,
      return_tensor: false,
    });
    return { ids: input_ids, segments: token_type_ids ?? input_ids.map(() => 0) };
  };
}

/**
 * Makes texts plain: tokenizers read the name of a control token in a text as that token, so a passage could forge the
 * end of itself. A space after the first character breaks the name up.
 */
export function plainText({
  all_special_tokens,
}: Pick<Tokenizer, 'all_special_tokens'>): (text: string) => string {
  const names = all_special_tokens.filter((name) => name.length > 1);
  if (names.length === 0) return (text) => text;
  // Longer names first, since a name can begin with another one.
  const pattern = names
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|');
  const control = new RegExp(pattern, 'gu');
  return (text) => text.replace(control, (name) => `${name[0]} ${name.slice(1)}`);
}

/** Cuts the end of the text off, so that at most `most` tokens are left. The tokens that end every text stay. */
function truncated({ all_special_ids }: Tokenizer, { ids, segments }: Tokens, most: number): Tokens {
  if (ids.length <= most) return { ids, segments };
  const end = ids.findLastIndex((id) => !all_special_ids.includes(id)) + 1;
  const cut = (values: readonly number[]) => [
    ...values.slice(0, most - (ids.length - end)),
    ...values.slice(end),
  ];
  return { ids: cut(ids), segments: cut(segments) };
}

/**
 * The places of the longest texts first, so that batches have little padding, and one that does not fit into memory fails at
 * once. Texts of one length are sorted by their tokens: the batches do not depend on the order of the texts.
 */
const longestFirst = (pairs: readonly Tokens[]): number[] =>
  [...pairs.keys()].sort((a, b) => {
    const [one, other] = [(pairs[a] as Tokens).ids, (pairs[b] as Tokens).ids];
    if (one.length !== other.length) return other.length - one.length;
    const at = one.findIndex((id, place) => id !== other[place]);
    return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
  });

/** The logits of each pair of a batch, the longest first. Shorter ones are padded at their end. */
async function logitsOf(
  engine: Engine,
  tokenizer: Tokenizer,
  model: Model,
  batch: readonly Tokens[],
): Promise<number[][]> {
  const length = (batch[0] as Tokens).ids.length;
  const filled = (row: (tokens: Tokens, at: number) => number) => {
    const data = batch.flatMap((tokens) => Array.from({ length }, (_, at) => BigInt(row(tokens, at))));
    return new engine.Tensor('int64', BigInt64Array.from(data), [batch.length, length]);
  };
  const padding = tokenizer.pad_token_id ?? 0;
  const outputs = await model({
    input_ids: filled(({ ids }, at) => ids[at] ?? padding),
    attention_mask: filled(({ ids }, at) => (at < ids.length ? 1 : 0)),
    token_type_ids: filled(({ segments }, at) => segments[at] ?? 0),
  });
  const { data, dims } = outputs.logits.to('float32');
  const labels = dims.at(-1) as number;
  const rows = batch.map((_, row) => Array.from(data.subarray(row * labels, (row + 1) * labels)));
  for (const output of Object.values(outputs)) if (output.location !== 'cpu') output.dispose();
  return rows;
}

function logOdds(logits: readonly number[], relevant: number): number {
  const others = logits.filter((_, label) => label !== relevant);
  const score = logits[relevant] as number;
  if (others.length === 0) return score;
  const most = Math.max(...others);
  return score - most - Math.log(others.reduce((sum, logit) => sum + Math.exp(logit - most), 0));
}

const RELEVANT = /^(?:relevant|yes|true|positive|label_1)$/i;

/** The number of the relevant label. */
async function relevantOf(model: Model, asked: string | undefined): Promise<number> {
  const labels = Object.entries(model.config.id2label ?? { 0: 'LABEL_0', 1: 'LABEL_1' })
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, label]) => label);
  if (labels.length === 1 && asked === undefined) return 0;
  const found = [...labels.keys()].filter((number) =>
    asked === undefined ? RELEVANT.test(labels[number] as string) : labels[number] === asked,
  );
  if (found.length === 1) return found[0] as number;
  await model.dispose();
  throw invalidOption(
    'relevantLabel',
    asked,
    asked === undefined ? 'is missing, and no label is named for relevance' : 'is not a label of the model',
    `Give one of: ${labels.join(', ')}.`,
  );
}
