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
import { orAborted, parseOptions } from '../../src/internal.js';
import { type InMemory, invalidOption } from '../model-calls/index.js';
import { inBatches, type Tokens, tokensOf, truncated } from './batches.js';
import type { ModelConfig, Tensor } from './engine.js';
import { type OpenModel, openModel } from './open-model.js';
import { COMMON_OPTIONS, type TransformersOptions } from './options.js';

const optionsSchema = z.strictObject({
  ...COMMON_OPTIONS,
  batchSize: z.int().min(1).default(16),
  relevantLabel: z.string().min(1).optional(),
});

export interface CrossEncoderOptions extends TransformersOptions {
  /** The number of texts of one pass through the model. A pass cannot be aborted. Default 16. */
  batchSize?: number | undefined;
  /**
   * The label of relevant pairs, for a model with several labels. Default: the one named `relevant`, `yes`, `true`,
   * `positive` or `LABEL_1`.
   */
  relevantLabel?: string | undefined;
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
 *   found, lacks a file, or does not classify pairs; `invalid-options`; `service`, if it cannot be loaded otherwise.
 */
export async function crossEncoder(options: CrossEncoderOptions): Promise<CrossEncoder> {
  const parsed = parseOptions(optionsSchema, options);
  const open = await openModel(parsed, 'crossEncoder', 'AutoModelForSequenceClassification', ['logits']);
  const relevant = await relevantOf(open, parsed.relevantLabel);
  return {
    ...open.common,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      // Two labels of one model are two rerankers.
      const label = parsed.relevantLabel === undefined ? '' : `:${parsed.relevantLabel}`;
      return `${await orAborted(open.identify(), signal)}${label}`;
    },
    rerank: (query, texts, { signal } = {}) =>
      open.inTurn(async () => {
        const room = open.maxLength - tokensOf(open, query, '').ids.length;
        const scores = new Array<number | Failed>(texts.length);
        if (room < 1) {
          const failure = `The query leaves no room for a text; the model takes ${open.maxLength} tokens.`;
          return { scores: scores.fill({ failure }), scale: 'logit', usage: { requests: 0, tokens: 0 } };
        }
        const pairs: Tokens[] = texts.map((text) =>
          truncated(open, tokensOf(open, query, text), open.maxLength),
        );
        const { batches, tokens } = await inBatches(open, pairs, parsed.batchSize, signal, (batch) => {
          const logits = (batch.outputs.logits as Tensor).to('float32');
          const labels = logits.dims.at(-1) as number;
          for (const [row, place] of batch.places.entries()) {
            const of = Array.from(logits.data.subarray(row * labels, (row + 1) * labels) as Float32Array);
            const score = logOdds(of, relevant);
            scores[place] = Number.isFinite(score)
              ? score
              : { failure: `The model gave the logits ${of.join(', ')}.` };
          }
        });
        return { scores, scale: 'logit', usage: { requests: batches, tokens } };
      }, signal),
  };
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
async function relevantOf({ model, common }: OpenModel, asked: string | undefined): Promise<number> {
  const labels = labelsOf(model.config);
  if (labels.length === 1 && asked === undefined) return 0;
  const found = labels.flatMap((label, number) =>
    (asked === undefined ? RELEVANT.test(label) : label === asked) ? [number] : [],
  );
  if (found.length === 1) return found[0] as number;
  await common.dispose();
  throw invalidOption(
    'relevantLabel',
    asked,
    asked === undefined ? 'is missing, and no label is named for relevance' : 'is not a label of the model',
    `Give one of: ${labels.join(', ')}.`,
  );
}

const labelsOf = ({ id2label }: ModelConfig): string[] =>
  Object.entries(id2label ?? { 0: 'LABEL_0', 1: 'LABEL_1' })
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, label]) => label);
