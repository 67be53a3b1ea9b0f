/** Prunes by entropy alone: keeps the chunks with the highest scores within a budget, and reports the others. */
import * as z from 'zod/mini';
import type { Chunk, Eviction, TokenCounter } from '../../src/index.js';
import {
  blendEntropy,
  CHUNK_TEXTS,
  checkItems,
  invalidInput,
  isAbsentOr,
  lazily,
  parseOptions,
  readyTokenCounter,
} from '../../src/internal.js';
import { calculateShannonEntropy, calculateTokenEntropy, scoreChunk } from './score.js';

export type AnnotatedChunk<T extends Chunk = Chunk> = T & {
  /** Tokens of `rendered`, or else of `text`. */
  tokens: number;
  /** `scoreChunk` of the text, 0..1. `pruneToBudget` orders chunks by it. */
  entropyScore: number;
  /** As in the pipeline's `signals.entropy`: bits per character, bits per word, and their blend in 0..1. */
  entropy: { character: number; token: number; blend: number };
};

export interface AnnotateOptions {
  /**
   * Counts tokens, like the shaper's option of the same name. An exact encoding must be loaded first: give it as a
   * function. Default `estimate`, as in the shaper. A budget holds only for the counter that is used. If it must hold for
   * the model itself, use an exact encoding.
   */
  tokenizer?: 'estimate' | 'characters/4' | TokenCounter | undefined;
}

export interface PruneOptions extends AnnotateOptions {
  /** Hard cap on the tokens of the kept chunks together. Absent: no cap. */
  maxTokens?: number | null | undefined;
  /** Chunks with an `entropyScore` below this value are evicted, 0..1. Default 0: none. */
  minEntropy?: number | undefined;
}

export interface EvictionReport {
  /** The kept chunks, in the order of the selection. `index` is the index in the input, from 0. */
  kept: { id: string; index: number; tokens: number; entropyScore: number }[];
  /** The evicted chunks, in input order. */
  evicted: Eviction[];
  /** Tokens of all chunks and of the kept chunks, and the cap. */
  tokens: { input: number; output: number; budget: number | null };
}

const schema = lazily(() =>
  z.strictObject({
    tokenizer: z._default(
      z.union([
        z.enum(['estimate', 'characters/4']),
        z.custom<TokenCounter>((value) => typeof value === 'function', {
          error: 'must be a function from text to a number',
        }),
      ]),
      'estimate',
    ),
    maxTokens: z.nullish(z.int().check(z.gte(1))),
    minEntropy: z._default(z.number().check(z.gte(0), z.lte(1)), 0),
  }),
);
type Bounds = Pick<z.output<ReturnType<typeof schema>>, 'maxTokens' | 'minEntropy'>;

/**
 * Measures chunks. The chunks keep their order, and the results are new objects. A value that a chunk already has stays,
 * so your own score can replace `entropyScore`.
 *
 * @throws ContextShapingError `invalid-options`; `invalid-input`, naming the chunk.
 */
export function annotateChunks<T extends Chunk>(
  chunks: readonly T[],
  options: AnnotateOptions = {},
): AnnotatedChunk<T>[] {
  const countTokens = readyTokenCounter(parseOptions(schema(), options).tokenizer);
  checkChunks(chunks, 'chunks');
  return chunks.map((chunk) => {
    const { text, rendered, tokens, entropyScore, entropy } = chunk as Chunk & Partial<AnnotatedChunk>;
    const [character, token] = [calculateShannonEntropy(text), calculateTokenEntropy(text)];
    return {
      ...chunk,
      tokens: tokens ?? countTokens(rendered ?? text),
      entropyScore: entropyScore ?? scoreChunk(text),
      entropy: entropy ?? { character, token, blend: blendEntropy(character, token) },
    };
  });
}

/**
 * Keeps the chunks with the highest `entropyScore` within the budget, highest first. If scores are equal, the chunk
 * that is earlier in the input comes first. A chunk that does not fit is skipped, and packing continues with the
 * next. The kept chunks never exceed the budget. Chunks without measurements are measured first.
 *
 * Do not use it for retrieved chunks: an order by entropy keeps no more answers than a random order (see `scoreChunk`).
 *
 * @returns the kept chunks, measured, highest score first.
 * @throws ContextShapingError `invalid-options`; `invalid-input`, naming the chunk.
 */
export function pruneToBudget<T extends Chunk>(
  chunks: readonly T[],
  options: PruneOptions = {},
): AnnotatedChunk<T>[] {
  const { tokenizer, ...bounds } = parseOptions(schema(), options);
  const all = annotateChunks(chunks, { tokenizer });
  return pack(all, bounds).map((index) => all[index] as AnnotatedChunk<T>);
}

/**
 * Reports which chunks were evicted and why, in the form of the pipeline's evictions. Each chunk is in the report once,
 * kept or evicted.
 *
 * @param chunks the chunks given to `pruneToBudget`.
 * @param selected the chunks that `pruneToBudget` returned.
 * @param options the options given to `pruneToBudget`: a chunk that is not below their `minEntropy` had no room.
 * @throws ContextShapingError `invalid-options`; `invalid-input`, if a selected chunk is not one of the chunks.
 */
export function evictionReport(
  chunks: readonly Chunk[],
  selected: readonly Chunk[],
  options: PruneOptions,
): EvictionReport {
  const { tokenizer, ...bounds } = parseOptions(schema(), options);
  const { maxTokens, minEntropy } = bounds;
  const all = annotateChunks(chunks, { tokenizer });
  checkChunks(selected, 'selected');
  const places = new Map<string, number[]>();
  const key = ({ id, text, rendered }: Chunk) => JSON.stringify([id, text, rendered ?? text]);
  // Last first, so that pop() takes the first of several copies.
  for (const [index, chunk] of [...all.entries()].reverse()) {
    const copies = places.get(key(chunk));
    if (copies === undefined) places.set(key(chunk), [index]);
    else copies.push(index);
  }
  const entries = all.map(({ id, tokens, entropyScore }, index) => ({ id, index, tokens, entropyScore }));
  const kept = selected.map((chunk, at) => {
    const index = places.get(key(chunk))?.pop();
    if (index !== undefined) return entries[index] as (typeof entries)[number];
    const remedy = 'Give the chunks that were pruned, and the result of pruneToBudget for them.';
    throw invalidInput(`selected[${at}]`, chunk.id, 'is not one of the chunks', remedy);
  });
  const stays = new Set(kept);
  const evicted = entries
    .filter((entry) => !stays.has(entry))
    .map(
      ({ id, index, tokens, entropyScore: entropy }): Eviction =>
        entropy < minEntropy
          ? { id, index, stage: 'annotate', tokens, reason: 'low-entropy', entropy, minEntropy }
          : { id, index, stage: 'budget', tokens, reason: 'over-budget', limit: 'maxTokens' },
    );
  return {
    kept,
    evicted,
    tokens: { input: sum(entries), output: sum(kept), budget: maxTokens ?? null },
  };
}

/** Packs the chunks. Returns the indices of the kept ones, highest score first. */
function pack(chunks: readonly AnnotatedChunk[], { maxTokens, minEntropy }: Bounds): number[] {
  const score = (index: number) => chunks[index]?.entropyScore ?? 0;
  const line = [...chunks.keys()]
    .filter((index) => score(index) >= minEntropy)
    .sort((a, b) => score(b) - score(a) || a - b);
  let used = 0;
  return line.filter((index) => {
    const tokens = chunks[index]?.tokens ?? 0;
    if (used + tokens > (maxTokens ?? Number.POSITIVE_INFINITY)) return false;
    used += tokens;
    return true;
  });
}

const sum = (entries: readonly { tokens: number }[]): number =>
  entries.reduce((total, { tokens }) => total + tokens, 0);

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
/** The fields that are read. */
const PARTS: Parameters<typeof checkItems>[2] = [
  ...CHUNK_TEXTS,
  ['tokens', isAbsentOr(isCount), 'must be a whole number, at least 0', 'Leave it out to have them counted.'],
  ['entropyScore', isAbsentOr(Number.isFinite), 'must be a finite number', 'Leave it out to have one.'],
];

/** @throws ContextShapingError `invalid-input`, naming the chunk. */
const checkChunks = (chunks: readonly Chunk[], field: string): void =>
  checkItems(chunks, field, PARTS, {
    list: 'Give the chunks as an array; an empty one is fine.',
    item: 'Give each chunk as { id, text }.',
  });
