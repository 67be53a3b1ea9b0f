import { createShaper, type ShapingOptions } from '../../src/index.js';

/** Tokens of each text. */
export type CountTokens = (texts: readonly string[]) => Promise<number[]>;

/** A counter that counts as a shaper with this `tokenizer` does: it is one, with everything else off. */
export function tokenCounter(tokenizer: ShapingOptions['tokenizer']): CountTokens {
  const counting = createShaper({
    tokenizer,
    annotate: false,
    exactDedup: false,
    semanticDedup: false,
    relevance: false,
    cluster: false,
    select: false,
    extract: false,
    order: false,
  });
  return async (texts) => {
    const chunks = texts.map((text, place) => ({ id: String(place), text }));
    return (await counting.shape({ query: '', chunks })).chunks.map(({ tokens }) => tokens);
  };
}
