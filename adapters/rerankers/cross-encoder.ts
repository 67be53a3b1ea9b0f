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
import type { Failed, Reranker } from '../../src/index.js';
import { messageOf, parseOptions, rethrowControlFlow } from '../../src/internal.js';
import { batchesOf, invalidOption, serviceError, turns } from '../model-calls/index.js';

// The parts of Transformers.js that this file uses. The package may not be installed.

type TensorClass = new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;

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
  readonly sessions: Readonly<Record<string, { readonly outputNames: readonly string[] }>>;
}

const isFunction = (value: unknown) => typeof value === 'function';
const optionsSchema = z.strictObject({
  name: z.string().min(1),
  tokenizer: z.custom<Tokenizer>(isFunction, 'must be a tokenizer of Transformers.js'),
  model: z.custom<Model>(isFunction, 'must be a model of Transformers.js'),
  Tensor: z.custom<TensorClass>(isFunction, 'must be the class Tensor of Transformers.js'),
  maxLength: z.int().min(8).optional(),
  batchSize: z.int().min(1).default(16),
  relevantLabel: z.string().min(1).optional(),
});

export interface CrossEncoderOptions {
  /** A name for these weights, with their revision and number format: profiles know the model by it. */
  name: string;
  /** The result of `AutoTokenizer.from_pretrained` of Transformers.js. */
  tokenizer: object;
  /** The result of `AutoModelForSequenceClassification.from_pretrained`. You own it, and free its memory. */
  model: object;
  /** The class `Tensor` of Transformers.js. */
  Tensor: unknown;
  /** The largest number of tokens of a query and a text. Default, and at most: the limit of the model. */
  maxLength?: number | undefined;
  /** The number of texts of one pass through the model. A pass cannot be aborted. Default 16. */
  batchSize?: number | undefined;
  /**
   * The label of relevant pairs, for a model with several labels. Default: the one named `relevant`, `yes`, `true`,
   * `positive` or `LABEL_1`.
   */
  relevantLabel?: string | undefined;
}

/**
 * A reranker in this process: a cross-encoder that `@huggingface/transformers` (4.3 or later) loaded, in Node or a
 * browser. Scores are log-odds in nats (`scale: 'logit'`).
 *
 * If query and text are longer than `maxLength`, the end of the text is cut off. If the query leaves no room for a
 * text, all scores are failures. Concurrent calls run one at a time, and an abort is heard between batches: in Node, a
 * batch blocks the thread.
 *
 * @throws ContextShapingError `invalid-options`, also if the model does not classify pairs; when asked `service`, if the
 *   engine fails.
 */
export function crossEncoder(options: CrossEncoderOptions): Reranker {
  const { name, batchSize, relevantLabel, ...parsed } = parseOptions(optionsSchema, options);
  const { tokenizer, model, Tensor } = parsed;
  const outputs = Object.values(model.sessions ?? {})[0]?.outputNames ?? [];
  if (!outputs.includes('logits')) {
    const remedy =
      'Load it by AutoModelForSequenceClassification, from files that were exported for this task.';
    throw invalidOption('model', outputs.join(), 'has no output logits', remedy);
  }
  const relevant = relevantOf(model, relevantLabel);
  const limit = maxLengthOf(tokenizer, model);
  const maxLength = Math.min(parsed.maxLength ?? limit, limit);
  const tokensOf = pairTokens(tokenizer);
  const inTurn = turns();

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
      const rows = await logitsOf({ Tensor, tokenizer, model }, batch);
      for (const [row, logits] of rows.entries()) {
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
    modelId: name,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      // Two labels of one model are two rerankers.
      return `transformers.js:${name}${relevantLabel === undefined ? '' : `:${relevantLabel}`}`;
    },
    rerank: (query, texts, { signal } = {}) =>
      inTurn(async () => {
        try {
          return { scale: 'logit', ...(await rerank(query, texts, signal)) };
        } catch (cause) {
          rethrowControlFlow(cause, signal);
          const remedy =
            'Give a smaller batchSize or maxLength if memory is short; do not use a model after its dispose().';
          throw serviceError('transformers.js', messageOf(cause), 'cannot evaluate', remedy, cause);
        }
      }, signal),
  };
}

/** In these architectures, positions are counted from the number after that of padding. */
const POSITIONS_AFTER_PADDING = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet']);

/** The largest number of tokens of a pair, including those that the tokenizer adds. */
function maxLengthOf({ model_max_length }: Tokenizer, { config }: Model): number {
  const { model_type = '', max_position_embeddings = Number.POSITIVE_INFINITY, pad_token_id } = config;
  const reserved = POSITIONS_AFTER_PADDING.has(model_type) ? (pad_token_id ?? 0) + 1 : 0;
  return Math.min(max_position_embeddings - reserved, model_max_length);
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
  { Tensor, tokenizer, model }: { Tensor: TensorClass; tokenizer: Tokenizer; model: Model },
  batch: readonly Tokens[],
): Promise<number[][]> {
  const length = (batch[0] as Tokens).ids.length;
  const filled = (row: (tokens: Tokens, at: number) => number) => {
    const data = batch.flatMap((tokens) => Array.from({ length }, (_, at) => BigInt(row(tokens, at))));
    return new Tensor('int64', BigInt64Array.from(data), [batch.length, length]);
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
function relevantOf(model: Model, asked: string | undefined): number {
  const labels = Object.entries(model.config.id2label ?? { 0: 'LABEL_0', 1: 'LABEL_1' })
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, label]) => label);
  if (labels.length === 1 && asked === undefined) return 0;
  const found = [...labels.keys()].filter((number) =>
    asked === undefined ? RELEVANT.test(labels[number] as string) : labels[number] === asked,
  );
  if (found.length === 1) return found[0] as number;
  throw invalidOption(
    'relevantLabel',
    asked,
    asked === undefined ? 'is missing, and no label is named for relevance' : 'is not a label of the model',
    `Give one of: ${labels.join(', ')}.`,
  );
}
