import type { ResolvedOptions } from '../../src/index.js';
import { loadTokenCounter } from '../../src/internal.js';

/** Counts the tokens of each text. */
export type CountTokens = (texts: readonly string[]) => Promise<number[]>;

/** A counter that counts as a shaper with this `tokenizer` does. */
export function tokenCounter(tokenizer: ResolvedOptions['tokenizer']): CountTokens {
  return async (texts) => {
    const countTokens = await loadTokenCounter(tokenizer);
    return texts.map((text) => countTokens(text));
  };
}
