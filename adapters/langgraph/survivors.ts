import type { Degradation } from '../../src/index.js';
import { gradeOf, isVetoed } from './grades.js';
import type { Run } from './settings.js';
import type { KeptChunk, State } from './state.js';

export interface Survivors {
  chunks: KeptChunk[];
  /** The kept chunks with too low a grade. */
  low: KeptChunk[];
  degradation?: Degradation;
}

/**
 * The chunks of the result: those with a grade of at least `lower`, and pinned ones. If there are none and the last
 * search failed, all chunks stay. If there are none otherwise, the chunk with the best grade stays (the first of
 * equals), unless the shaper has `allowEmpty`.
 */
export function survivorsOf(state: State, { thresholds: { lower }, shaper }: Run): Survivors {
  if (state.refused) return { chunks: [], low: [] };
  const kept = state.kept.filter(({ place }) => !isVetoed(state, place));
  const chunks = kept.filter(({ place }) => gradeOf(state, place) >= lower);
  const low = kept.filter((chunk) => !chunks.includes(chunk));
  if (chunks.length > 0 || kept.length === 0) return { chunks, low };
  if (state.searches.at(-1)?.failure !== undefined) return { chunks: kept, low: [] };
  if (shaper.options.allowEmpty) return { chunks, low };
  const best = kept.reduce((one, other) =>
    gradeOf(state, other.place) > gradeOf(state, one.place) ? other : one,
  );
  return {
    chunks: [best],
    low: low.filter((chunk) => chunk !== best),
    degradation: {
      stage: 'grade',
      code: 'grade-gate-lifted',
      message: `No chunk reached the grade ${lower}. The chunk with the best grade, ${best.id}, was kept.`,
    },
  };
}
