/**
 * Models that prune passages: an encoder reads question and passage together and gives each token i two logits, drop and
 * keep. The probability that a sentence is needed is the mean over its tokens:
 *
 *   p = 1/n Σ exp keep(i) / (exp keep(i) + exp drop(i))
 *
 * Sources: N. Chirkova et al., "Provence: efficient and robust context pruning for retrieval-augmented generation", ICLR
 * 2025; Y. Tateno, OpenProvence, 2025. As in OpenProvence, the parts of a passage are tokenised apart and joined, so it is
 * known to which sentence each token belongs.
 */
import * as z from 'zod';
import type { Failed, SentenceRequest, SentenceScorer, SentenceScores } from '../../src/index.js';
import { logistic, orAborted, parseOptions } from '../../src/internal.js';
import type { InMemory } from '../model-calls/index.js';
import { inBatches, type Tokens, tokensOf } from './batches.js';
import type { Tensor, Tokenizer } from './engine.js';
import { type OpenModel, openModel } from './open-model.js';
import { COMMON_OPTIONS, type TransformersOptions } from './options.js';
import { plainText } from './plain-text.js';

const OUTPUT = 'pruning_logits';

const optionsSchema = z.strictObject({ ...COMMON_OPTIONS, batchSize: z.int().min(1).default(16) });

export interface SentencePrunerOptions extends TransformersOptions {
  /** The number of windows of text of one pass through the model. A pass cannot be aborted. Default 16. */
  batchSize?: number | undefined;
}

/** A scorer of sentences in this process. */
export interface SentencePruner extends SentenceScorer, InMemory {}

/**
 * A scorer of sentences in this process: a model of OpenProvence's shape through the optional package
 * `@huggingface/transformers` (4.3 or later), in Node or a browser. The ONNX file must have the output `pruning_logits`
 * [texts, tokens, 2], where the second logit is that of keeping.
 *
 * A passage that is too long for the model is read in several windows, each with the question. A window ends between
 * sentences, unless a sentence alone is too long. A sentence without tokens gets 0. If the question leaves no room for a
 * passage, its request fails. Concurrent calls run one at a time, and an abort is heard between batches: in Node, a
 * batch blocks the thread.
 *
 * @throws ContextShapingError `missing-dependency`, with the package to install; `invalid-input`, if the model is not
 *   found, lacks a file, or has no output `pruning_logits`; `invalid-options`; `service`, if it cannot be loaded otherwise.
 */
export async function sentencePruner(options: SentencePrunerOptions): Promise<SentencePruner> {
  const parsed = parseOptions(optionsSchema, options);
  const open = await openModel(parsed, 'sentencePruner', 'AutoModel', [OUTPUT]);
  const most = Math.min(open.maxLength, lengthInConfig(open));
  return {
    ...open.common,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      // Other windows give other probabilities.
      return `${await orAborted(open.identify(), signal)}:${most}`;
    },
    score: (requests, { signal } = {}) =>
      open.inTurn(async () => {
        const windows = requests.map((request) => windowsOf(open, request, most));
        const flat = windows.flatMap((each) => each ?? []);
        // The sum of each sentence's probabilities, and the number of its tokens.
        const sums = requests.map(({ sentences }) => sentences.map((): [number, number] => [0, 0]));
        const owners = windows.flatMap((each, at) => (each ?? []).map(() => at));
        const broken = new Set<number>();
        const { batches, tokens } = await inBatches(
          open,
          flat.map((window) => window.tokens),
          parsed.batchSize,
          signal,
          ({ places, outputs, length }) => {
            const logits = (outputs[OUTPUT] as Tensor).to('float32');
            for (const [row, place] of places.entries()) {
              const request = owners[place] as number;
              for (const [at, sentence] of (flat[place] as Window).sentences.entries()) {
                if (sentence === undefined) continue;
                const from = 2 * (row * length + at);
                const [drop, keep] = [logits.data[from] as number, logits.data[from + 1] as number];
                if (logits.dims.at(-1) !== 2 || !Number.isFinite(keep - drop)) broken.add(request);
                const sum = sums[request]?.[sentence] as [number, number];
                sum[0] += logistic(keep - drop);
                sum[1]++;
              }
            }
          },
        );
        const results = sums.map((own, at): SentenceScores | Failed => {
          if (windows[at] === undefined)
            return { failure: `The question leaves no room for a passage; the model takes ${most} tokens.` };
          if (broken.has(at)) return { failure: 'The model gave no two finite logits for each token.' };
          return { scores: own.map(([sum, count]) => (count === 0 ? 0 : Math.min(1, sum / count))) };
        });
        return { results, usage: { requests: batches, tokens } };
      }, signal),
  };
}

/** OpenProvence writes the length of its windows into the configuration. */
function lengthInConfig({ model }: OpenModel): number {
  const { max_length } = model.config as { max_length?: unknown };
  return typeof max_length === 'number' && max_length > 0 ? max_length : Number.POSITIVE_INFINITY;
}

/** One input of the model, and to which sentence each of its tokens belongs. */
interface Window {
  readonly tokens: Tokens;
  readonly sentences: readonly (number | undefined)[];
}

/** The windows of a passage; none without sentences; undefined, if the question leaves no room. */
function windowsOf(
  open: OpenModel,
  { question, passage, sentences }: SentenceRequest,
  most: number,
): Window[] | undefined {
  if (sentences.length === 0) return [];
  const { before, after } = frameOf(open, question);
  const room = most - before.ids.length - after.ids.length;
  if (room < 1) return undefined;
  const segment = after.segments[0] ?? 0;
  return packed(partsOf(open.tokenizer, passage, sentences), room).map((parts) => {
    const ids = parts.flatMap((part) => part.ids);
    return {
      tokens: {
        ids: [...before.ids, ...ids, ...after.ids],
        segments: [...before.segments, ...ids.map(() => segment), ...after.segments],
      },
      sentences: [
        ...before.ids.map(() => undefined),
        ...parts.flatMap(({ ids: own, sentence }) => own.map(() => sentence)),
      ],
    };
  });
}

/** A text that every tokenizer knows. */
const STAND_IN = 'a';

/** The tokens around a passage: the question with the special tokens of a pair. */
function frameOf(open: OpenModel, question: string): { before: Tokens; after: Tokens } {
  const { ids, segments } = tokensOf(open, question, STAND_IN);
  const own = idsOf(open.tokenizer, STAND_IN);
  const special = new Set(open.tokenizer.all_special_ids);
  let end = ids.length;
  while (end > 0 && special.has(ids[end - 1] as number)) end--;
  const part = (from: number, to?: number) => ({
    ids: ids.slice(from, to),
    segments: segments.slice(from, to),
  });
  return { before: part(0, end - own.length), after: part(end) };
}

const idsOf = (tokenizer: Tokenizer, text: string): readonly number[] =>
  tokenizer(text, { add_special_tokens: false, return_tensor: false }).input_ids;

/** The tokens of a sentence, or of text between sentences. */
interface Part {
  readonly ids: readonly number[];
  readonly sentence: number | undefined;
}

/**
 * Tokenises the parts of a passage apart. White space belongs to the part after it, as it does in the tokens of most
 * tokenizers, so that the parts together have the tokens of the whole.
 */
export function partsOf(
  tokenizer: Tokenizer,
  passage: string,
  sentences: SentenceRequest['sentences'],
): Part[] {
  const plain = plainText(tokenizer);
  const parts: Part[] = [];
  let done = 0;
  const add = (end: number, sentence?: number) => {
    const ids = end > done ? idsOf(tokenizer, plain(passage.slice(done, end))) : [];
    if (ids.length > 0) parts.push({ ids, sentence });
    done = Math.max(done, end);
  };
  for (const [sentence, { start, end }] of sentences.entries()) {
    add(done + passage.slice(done, start).trimEnd().length);
    add(end, sentence);
  }
  add(passage.trimEnd().length);
  return parts;
}

/** Whole parts, as many as have room. A part that is longer than a window has several windows. */
function packed(parts: readonly Part[], room: number): Part[][] {
  const windows: Part[][] = [];
  let left = 0;
  for (const { ids, sentence } of parts) {
    for (let from = 0; from < ids.length; from += room) {
      const piece = { ids: ids.slice(from, from + room), sentence };
      if (piece.ids.length > left) {
        windows.push([]);
        left = room;
      }
      windows.at(-1)?.push(piece);
      left -= piece.ids.length;
    }
  }
  return windows;
}
