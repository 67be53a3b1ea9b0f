/** Conflicts among the kept chunks. */
import { type Chunk, type Conflict, createShaper } from '../../src/index.js';
import { concerns } from '../../src/internal.js';
import type { Run } from './run.js';

/** The most characters of a statement in a conflict, where the shaper’s option `preview` does not say it. */
const EXCERPT = 200;

/**
 * Conflicts among the kept chunks, with the statements of their sides, which a report without previews lacks. A shaper
 * that does nothing else finds them by words, as in semantic de-duplication, in the whole texts. Their indices are places.
 */
export async function conflictsAmong(
  places: readonly number[],
  chunks: readonly Chunk[],
  question: string,
  { shaper, config: { signal } }: Run,
): Promise<Conflict[]> {
  const { semanticDedup, namespace, fields, preview, trust, conflicts } = shaper.options;
  const comparing = createShaper({
    ...{ semanticDedup, namespace, fields, trust, conflicts: { ...conflicts, drop: false } },
    preview: preview === false ? EXCERPT : preview,
    ...{ exactDedup: false, relevance: false, cluster: false, select: false, extract: false, order: false },
  });
  const sorted = places.toSorted((one, other) => one - other);
  const compared = sorted.map((place) => chunks[place] as Chunk);
  const { report } = await comparing.shape({ query: question, chunks: compared, signal });
  return report.conflicts.map((conflict) => ({
    ...conflict,
    sides: conflict.sides.map((side) => ({
      ...side,
      indices: side.indices.map((index) => sorted[index] as number),
    })),
  }));
}

/** Whether the statements of a conflict have a word of the question. */
export const isAbout = (question: string, { about = '', sides }: Conflict): boolean =>
  concerns([about, ...sides.map(({ excerpt = '' }) => excerpt)].join('\n'), question);
