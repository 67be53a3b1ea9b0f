/** Features of relevance as a caller sees them: alone, through the options. */
import { type Chunk, createShaper } from 'context-shaping';
import type { FEATURES } from '../../src/input/options.js';
import { weightsOf } from '../support.js';

/** A text, with its metadata if it has any. */
export type Given = string | readonly [text: string, metadata: Record<string, unknown>];

export const chunksOf = (pool: readonly Given[]): Chunk[] =>
  pool.map((given, index) => {
    const [text, metadata] = typeof given === 'string' ? [given, {}] : given;
    return { id: `c${index}`, text, metadata };
  });

/** Relevance of each by this feature alone, in the order given; undefined where there is nothing to go by. */
export async function valuesOf(
  feature: (typeof FEATURES)[number],
  query: string,
  pool: readonly Given[],
): Promise<(number | undefined)[]> {
  const { chunks } = await createShaper({
    exactDedup: false,
    semanticDedup: false,
    relevance: { weights: weightsOf({ [feature]: 1 }) },
    order: 'input',
  }).shape({ query, chunks: chunksOf(pool) });
  return chunks.map(({ relevance }) => relevance);
}
