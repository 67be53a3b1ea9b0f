/** Measures the tokens and entropies of chunks, for pruning by entropy alone. */
import * as z from 'zod/mini';
import { invalidInput } from '../errors.js';
import { parseOptions } from '../input/parse-options.js';
import { blendEntropy } from '../math/entropy.js';
import type { TokenCounter } from '../ports.js';
import { lazily } from '../runtime/lazily.js';
import { readyTokenCounter } from '../tokens/ready-counters.js';
import type { Chunk } from '../types.js';
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

export const annotateSchema = lazily(() =>
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
  }),
);

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
  const countTokens = readyTokenCounter(parseOptions(annotateSchema(), options).tokenizer);
  checkChunks(chunks, 'chunks');
  return chunks.map((chunk) => {
    const { text, rendered, tokens, entropyScore, entropy } = chunk as Chunk & Partial<AnnotatedChunk>;
    return {
      ...chunk,
      tokens: tokens ?? countTokens(rendered ?? text),
      entropyScore: entropyScore ?? scoreChunk(text),
      entropy: entropy ?? entropyOf(text),
    };
  });
}

function entropyOf(text: string): AnnotatedChunk['entropy'] {
  const character = calculateShannonEntropy(text);
  const token = calculateTokenEntropy(text);
  return { character, token, blend: blendEntropy(character, token) };
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

/** The fields that are read: a check of each, and the texts of its error. */
const FIELDS: readonly [name: string, isValid: (value: unknown) => boolean, is: string, remedy: string][] = [
  [
    'id',
    (id) => typeof id === 'string' && id !== '',
    'must be a non-empty string',
    'Give each chunk an id: the report identifies chunks by it.',
  ],
  [
    'text',
    (text) => typeof text === 'string',
    'must be a string',
    'Give the passage as a string; an empty one is fine.',
  ],
  [
    'rendered',
    (rendered) => rendered == null || typeof rendered === 'string',
    'must be a string',
    'Give the text as the model will see it, or leave it out.',
  ],
  [
    'tokens',
    (tokens) => tokens == null || isCount(tokens),
    'must be a whole number, at least 0',
    'Leave it out to have the tokens counted.',
  ],
  [
    'entropyScore',
    (score) => score == null || Number.isFinite(score),
    'must be a finite number',
    'Leave it out to have the text scored.',
  ],
];

/**
 * Checks the fields of chunks.
 *
 * @param field path of the array, for errors.
 * @throws ContextShapingError `invalid-input`, naming the chunk.
 */
export function checkChunks(chunks: readonly Chunk[], field: string): void {
  if (!Array.isArray(chunks)) {
    throw invalidInput(
      field,
      chunks,
      'must be an array',
      'Give the chunks as an array; an empty one is fine.',
    );
  }
  for (const [index, chunk] of (chunks as readonly unknown[]).entries()) {
    const path = `${field}[${index}]`;
    if (typeof chunk !== 'object' || chunk === null) {
      throw invalidInput(path, chunk, 'must be an object', 'Give each chunk as { id, text }.');
    }
    for (const [name, isValid, is, remedy] of FIELDS) {
      const value = (chunk as Record<string, unknown>)[name];
      if (!isValid(value)) throw invalidInput(`${path}.${name}`, value, is, remedy);
    }
  }
}
