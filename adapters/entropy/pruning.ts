/** Prunes by entropy alone: keeps the chunks with the highest scores within a budget, and reports the others. */
import * as z from 'zod/mini';
import { type Chunk, type Eviction, estimateTokens, type TokenCounter } from '../../src/index.js';
import { CHUNK_TEXTS, checkItems, lazily, parseOptions, readyTokenCounter } from '../../src/internal.js';
import { scoreChunk } from './score.js';

export interface PruneOptions {
  /** Hard cap on the tokens of the kept chunks together. Absent: no cap. */
  maxTokens?: number | null | undefined;
  /** Chunks with a score below this value are evicted, 0..1. Default 0: none. */
  minEntropy?: number | undefined;
  /** Counts the tokens of a text. Default: `estimateTokens`. A budget holds only for the counter that is used. */
  tokenizer?: TokenCounter | undefined;
}

export interface PruneResult<T extends Chunk = Chunk> {
  /** The given chunks that stay, highest score first. */
  chunks: T[];
  /** Each chunk once, kept or evicted. */
  report: {
    /** In the order of `chunks`. `index` is the index in the input, from 0; `entropyScore` is `scoreChunk` of the text. */
    kept: { id: string; index: number; tokens: number; entropyScore: number }[];
    /** In input order. */
    evicted: Eviction[];
    /** Tokens of all chunks and of the kept chunks, and the cap. */
    tokens: { input: number; output: number; budget: number | null };
  };
}

const schema = lazily(() =>
  z.strictObject({
    maxTokens: z.nullish(z.int().check(z.gte(1))),
    minEntropy: z._default(z.number().check(z.gte(0), z.lte(1)), 0),
    tokenizer: z._default(
      z.custom<TokenCounter>((value) => typeof value === 'function', {
        error: 'must be a function from text to a number',
      }),
      () => estimateTokens,
    ),
  }),
);

/**
 * Keeps the chunks with the highest score within the budget. If scores are equal, the chunk that is earlier in the input
 * comes first. A chunk that does not fit is skipped, and packing continues with the next. The tokens of a chunk are those
 * of `rendered`, or else of `text`.
 *
 * Do not use it for retrieved chunks: an order by entropy keeps no more answers than a random order (see `scoreChunk`).
 *
 * @throws ContextShapingError `invalid-options`; `invalid-input`, naming the chunk.
 */
export function pruneToBudget<T extends Chunk>(
  chunks: readonly T[],
  options: PruneOptions = {},
): PruneResult<T> {
  const { maxTokens, minEntropy, tokenizer } = parseOptions(schema(), options);
  const countTokens = readyTokenCounter(tokenizer);
  checkItems(chunks, 'chunks', CHUNK_TEXTS, {
    list: 'Give the chunks as an array; an empty one is fine.',
    item: 'Give each chunk as { id, text }.',
  });
  const all = chunks.map(({ id, text, rendered }, index) => ({
    ...{ id, index, tokens: countTokens(rendered ?? text), entropyScore: scoreChunk(text) },
  }));
  const kept: typeof all = [];
  const evicted: Eviction[] = [];
  let output = 0;
  for (const entry of all.toSorted((a, b) => b.entropyScore - a.entropyScore || a.index - b.index)) {
    const { entropyScore: entropy, ...about } = entry;
    if (entropy < minEntropy) {
      evicted.push({ ...about, stage: 'annotate', reason: 'low-entropy', entropy, minEntropy });
    } else if (output + about.tokens > (maxTokens ?? Number.POSITIVE_INFINITY)) {
      evicted.push({ ...about, stage: 'budget', reason: 'over-budget', limit: 'maxTokens' });
    } else {
      output += about.tokens;
      kept.push(entry);
    }
  }
  evicted.sort((a, b) => a.index - b.index);
  const input = all.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    chunks: kept.map(({ index }) => chunks[index] as T),
    report: { kept, evicted, tokens: { input, output, budget: maxTokens ?? null } },
  };
}
