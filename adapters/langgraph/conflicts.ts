/** Conflicts among the kept chunks. */
import type { Chunk, Conflict, Shaper } from '../../src/index.js';
import { concerns } from '../../src/internal.js';
import type { State } from './state.js';

/**
 * Conflicts among the kept chunks, with the statements of their sides, which a report without previews lacks. They are
 * found by words, as in semantic de-duplication, in the whole texts. Their indices are places.
 */
export async function conflictsAmong(
  places: readonly number[],
  chunks: readonly Chunk[],
  { question }: Pick<State, 'question'>,
  { comparing, config: { signal } }: { comparing?: Shaper | undefined; config: { signal?: AbortSignal } },
): Promise<Conflict[]> {
  if (comparing === undefined) return [];
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

/** Whether the conflict is sure and about the question, and two of its sides are in the context. */
export function makesAmbiguous(conflict: Conflict, question: string, kept: ReadonlySet<number>): boolean {
  const { level, about, sides } = conflict;
  const shown = sides.filter(({ indices }) => indices.some((place) => kept.has(place)));
  if (level !== 'sure' || shown.length < 2) return false;
  const texts = [about, ...shown.map(({ excerpt }) => excerpt)].filter((text) => text !== undefined);
  // A conflict that only vectors find has no texts, and may be about the question.
  return texts.length === 0 || concerns(texts.join('\n'), question);
}
