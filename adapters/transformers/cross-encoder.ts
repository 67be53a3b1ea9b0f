/**
 * Cross-encoders: one pass through the model for each pair of a query and a text.
 *
 * The score is the log-odds of the relevant label: its logit where there is one label; among several, from logits x,
 *
 *   x(relevant) − ln Σ exp x(other),  which with two labels is x(relevant) − x(other)
 *
 * Source: R. Nogueira, K. Cho, "Passage Re-ranking with BERT", 2019.
 */
import * as z from 'zod';
import type { Failed, Reranker } from '../../src/index.js';
import { messageOf, orAborted, parseOptions, rethrowControlFlow } from '../../src/internal.js';
import { freedBy, type InMemory, invalidOption, serviceError, turns } from '../model-calls/index.js';
import { type OpenModel, openModel, type Tokenizer, type TransformersModule } from './open-model.js';

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
  const open = await openModel(id, loading, transformers);
  const relevant = await relevantOf(open, relevantLabel);
  const maxLength = Math.min(parsed.maxLength ?? open.maxLength, open.maxLength);
  const tokensOf = pairTokens(open.tokenizer);
  const inTurn = turns();
  let freed: Promise<void> | undefined;
  let isFree = false;

  async function rerank(query: string, texts: readonly string[], signal: AbortSignal | undefined) {
    const scores = new Array<number | Failed>(texts.length);
    if (maxLength - tokensOf(query, '').ids.length < 1) {
      const failure = `The query leaves no room for a text; the model takes ${maxLength} tokens.`;
      return { scores: scores.fill({ failure }), usage: { requests: 0, tokens: 0 } };
    }
    const pairs = texts.map((text) => truncated(open.tokenizer, tokensOf(query, text), maxLength));
    let requests = 0;
    for (const places of batchesOf(pairs, batchSize)) {
      signal?.throwIfAborted();
      const rows = await logitsOf(
        open,
        places.map((place) => pairs[place] as Tokens),
      );
      requests++;
      for (const [row, place] of places.entries()) {
        const logits = rows[row] as number[];
        const score = logOdds(logits, relevant);
        scores[place] = Number.isFinite(score)
          ? score
          : { failure: `The model gave the logits ${logits.join(', ')}.` };
      }
    }
    return { scores, usage: { requests, tokens: pairs.reduce((sum, { ids }) => sum + ids.length, 0) } };
  }

  return {
    specificationVersion: 'v1',
    provider: 'transformers.js',
    modelId: open.modelId,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      // Two labels of one model are two rerankers.
      return `${await orAborted(open.identify(), signal)}${relevantLabel === undefined ? '' : `:${relevantLabel}`}`;
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
          throw serviceError('@huggingface/transformers', messageOf(cause), 'cannot evaluate', remedy, cause);
        }
      }, signal),
    ...freedBy(() => {
      freed ??= inTurn(async () => {
        isFree = true;
        await open.model.dispose();
      });
      return freed;
    }),
  };
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

/** Longest texts first, so that batches have little padding, and one that does not fit into memory fails at once. */
function batchesOf(pairs: readonly Tokens[], size: number): number[][] {
  // Texts of one length by their tokens: the batches do not depend on the order of the texts.
  const order = [...pairs.keys()].sort((a, b) => {
    const [one, other] = [(pairs[a] as Tokens).ids, (pairs[b] as Tokens).ids];
    if (one.length !== other.length) return other.length - one.length;
    const at = one.findIndex((id, place) => id !== other[place]);
    return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
  });
  return Array.from({ length: Math.ceil(order.length / size) }, (_, nth) =>
    order.slice(nth * size, (nth + 1) * size),
  );
}

/** The logits of each pair of a batch, the longest first. Shorter ones are padded at their end. */
async function logitsOf(
  { tokenizer, model, tensor }: OpenModel,
  batch: readonly Tokens[],
): Promise<number[][]> {
  const length = (batch[0] as Tokens).ids.length;
  const filled = (row: (tokens: Tokens, at: number) => number) => {
    const data = batch.flatMap((tokens) => Array.from({ length }, (_, at) => BigInt(row(tokens, at))));
    return tensor(BigInt64Array.from(data), [batch.length, length]);
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
async function relevantOf({ model }: OpenModel, asked: string | undefined): Promise<number> {
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
