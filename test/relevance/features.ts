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

/** The value of this feature for each, in the order given; undefined where there is nothing to go by. */
export async function valuesOf(
  feature: (typeof FEATURES)[number],
  query: string,
  pool: readonly Given[],
): Promise<(number | undefined)[]> {
  const { report } = await createShaper({
    exactDedup: false,
    semanticDedup: false,
    relevance: { weights: weightsOf({ [feature]: 1 }) },
    order: 'input',
  }).shape({ query, chunks: chunksOf(pool) });
  // With the weight 1, the share in log-odds is the value.
  return report.kept.map(({ relevance, features }) =>
    relevance === undefined ? undefined : (features?.[feature] ?? 0),
  );
}
