/** Pruning by entropy alone: what says most for itself stays, within a budget, and a report says what went. */

import * as z from 'zod/mini';
import { invalidInput } from '../errors.js';
import { parseOptions } from '../input/parse-options.js';
import { lazily } from '../runtime/lazily.js';
import type { Chunk, Eviction } from '../types.js';
import {
  type AnnotatedChunk,
  type AnnotateOptions,
  annotateChunks,
  annotateSchema,
  checkChunks,
} from './annotation.js';

export interface PruneOptions extends AnnotateOptions {
  /** Hard cap on the sum of the kept chunks' tokens. Absent: no cap. */
  maxTokens?: number | null | undefined;
  /** Chunks whose `entropyScore` is below this go, 0..1. Default 0: none. */
  minEntropy?: number | undefined;
}

export interface EvictionReport {
  /** In the order of the selection. `index`: place in the input, from 0. */
  kept: { id: string; index: number; tokens: number; entropyScore: number }[];
  /** In input order. */
  evicted: Eviction[];
  /** Sums of all chunks and of the kept ones, and the cap. */
  tokens: { input: number; output: number; budget: number | null };
}

const pruneSchema = lazily(() =>
  z.extend(annotateSchema(), {
    maxTokens: z.nullish(z.int().check(z.gte(1))),
    minEntropy: z._default(z.number().check(z.gte(0), z.lte(1)), 0),
  }),
);
type Bounds = Pick<z.output<ReturnType<typeof pruneSchema>>, 'maxTokens' | 'minEntropy'>;

/** What a selection was made with: its report has to name the bound that a chunk fell short of. */
const optionsOf = new WeakMap<readonly Chunk[], PruneOptions>();

/**
 * Keeps the chunks with the highest `entropyScore` within the budget, highest first, equal ones in input order. What
 * does not fit is skipped, and packing goes on; never a token over. Chunks that were not measured are.
 *
 * Not for what a retriever found: ordered by entropy no more answers survive than in a random order (`scoreChunk`).
 * `createShaper({ preset: 'entropy' })` packs by the same rule with `entropy.blend` for a score. It evicts exact copies
 * first, settles ties by the retriever's score, and unless `allowEmpty` keeps one chunk, cut if need be, where this
 * keeps none.
 *
 * @throws ContextShapingError `invalid-options`; `invalid-input`, naming the chunk.
 */
export function pruneToBudget<T extends Chunk>(
  chunks: readonly T[],
  options: PruneOptions = {},
): AnnotatedChunk<T>[] {
  const { tokenizer, ...bounds } = parseOptions(pruneSchema(), options);
  const all = annotateChunks(chunks, { tokenizer });
  const selected = pack(all, bounds).kept.map((index) => all[index] as AnnotatedChunk<T>);
  optionsOf.set(selected, { tokenizer, ...bounds });
  return selected;
}

/**
 * What went and why, in the terms of the pipeline's evictions. Every chunk is in it once, kept or evicted.
 * `budgetToKeep` is a `maxTokens` at which the chunk stays, all else as it is.
 *
 * @param options what `pruneToBudget` was given; may be left out for the very array that it returned.
 * @throws ContextShapingError `invalid-options`; `invalid-input`, if a selected chunk is not one of the chunks, or one
 *   is missing that these options would keep.
 */
export function evictionReport(
  chunks: readonly Chunk[],
  selected: readonly Chunk[],
  options: PruneOptions = optionsOf.get(selected) ?? {},
): EvictionReport {
  const { tokenizer, ...bounds } = parseOptions(pruneSchema(), options);
  const { maxTokens, minEntropy } = bounds;
  const all = annotateChunks(chunks, { tokenizer });
  const places = placesOf(all, selected);
  const { kept, needs } = pack(all, bounds);
  const stays = new Set(places);
  const missing = kept.find((index) => !stays.has(index));
  if (missing !== undefined) {
    throw invalidInput(
      'selected',
      selected,
      `lacks chunks[${missing}], which is not below minEntropy and fits`,
      'Give all that pruneToBudget returned, and as the third argument what it was called with.',
    );
  }
  const entries = all.map(({ id, tokens, entropyScore }, index) => ({ id, index, tokens, entropyScore }));
  const output = places.map((index) => entries[index] as EvictionReport['kept'][number]);
  return {
    kept: output,
    evicted: entries
      .filter(({ index }) => !stays.has(index))
      .map(({ id, index, tokens, entropyScore: entropy }): Eviction => {
        const budgetToKeep = needs.get(index);
        return budgetToKeep === undefined
          ? { id, index, stage: 'annotate', tokens, reason: 'low-entropy', entropy, minEntropy }
          : { id, index, stage: 'budget', tokens, reason: 'over-budget', limit: 'maxTokens', budgetToKeep };
      }),
    tokens: { input: sum(entries), output: sum(output), budget: maxTokens ?? null },
  };
}

/** Places of those that stay, in their order, and for each that passes the gate the cap at which it surely does. */
function pack(chunks: readonly AnnotatedChunk[], { maxTokens, minEntropy }: Bounds) {
  const score = (index: number) => chunks[index]?.entropyScore ?? 0;
  const line = [...chunks.keys()]
    .filter((index) => score(index) >= minEntropy)
    .sort((a, b) => score(b) - score(a) || a - b);
  const kept: number[] = [];
  const needs = new Map<number, number>();
  let used = 0;
  let ahead = 0;
  for (const index of line) {
    const tokens = chunks[index]?.tokens ?? 0;
    ahead += tokens;
    needs.set(index, ahead);
    if (used + tokens > (maxTokens ?? Number.POSITIVE_INFINITY)) continue;
    used += tokens;
    kept.push(index);
  }
  return { kept, needs };
}

/** Where in the input the selected chunks are, by id and texts; of copies the first that is not yet taken. */
function placesOf(all: readonly Chunk[], selected: readonly Chunk[]): number[] {
  checkChunks(selected, 'selected');
  const places = new Map<string, number[]>();
  const key = ({ id, text, rendered }: Chunk) => JSON.stringify([id, text, rendered ?? text]);
  // The first at the end, from where they are taken.
  for (let index = all.length - 1; index >= 0; index--) {
    const chunk = key(all[index] as Chunk);
    const same = places.get(chunk);
    if (same === undefined) places.set(chunk, [index]);
    else same.push(index);
  }
  return selected.map((chunk, index) => {
    const place = places.get(key(chunk))?.pop();
    if (place !== undefined) return place;
    throw invalidInput(
      `selected[${index}]`,
      chunk.id,
      'is not one of the chunks',
      'Give the chunks that were pruned, and what pruneToBudget returned of them.',
    );
  });
}

const sum = (entries: readonly { tokens: number }[]): number =>
  entries.reduce((total, { tokens }) => total + tokens, 0);
