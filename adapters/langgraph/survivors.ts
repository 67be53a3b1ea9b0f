/** The documents that the model may see, by their grades or by a person. */
import type { Degradation } from '../../src/index.js';
import type { Run } from './run.js';
import type { Shaping, State } from './state.js';

export interface Survivors {
  places: number[];
  degradation?: Degradation;
}

/**
 * The documents that a person chose, else those with a grade of at least `lower`. If there are none and the last search
 * failed, all kept chunks stay. If there are none otherwise, the chunk with the best grade stays (the first of equals),
 * unless the shaper has `allowEmpty`.
 */
export function survivorsOf(state: State, { thresholds: { lower }, shaper }: Run): Survivors {
  const { chosen, grades, searches } = state;
  if (chosen !== null) return { places: chosen };
  // In the order of places.
  const all = Object.values(grades);
  const places = all.flatMap(({ index, grade }) => (grade >= lower ? [index] : []));
  if (places.length > 0 || all.length === 0) return { places };
  if (searches.at(-1)?.failure !== undefined)
    return { places: (state.shaping as Shaping).kept.map(({ index }) => index) };
  if (shaper.options.allowEmpty) return { places };
  const best = all.reduce((one, other) => (other.grade > one.grade ? other : one));
  return {
    places: [best.index],
    degradation: {
      stage: 'grade',
      code: 'grade-gate-lifted',
      message: `No chunk reached the grade ${lower}. The chunk with the best grade, ${best.id}, was kept.`,
    },
  };
}

/** All degradations up to now. */
export function degradationsOf({ shaping, grades, degradations }: State): Degradation[] {
  const all = Object.values(grades);
  const failed = all.filter(({ failure }) => failure !== undefined);
  return [
    ...(shaping?.report.degradations ?? []),
    ...failed.slice(0, 1).map(({ failure }) => ({
      stage: 'grade',
      code: 'grader-failed' as const,
      message: `The grader failed for ${failed.length} of ${all.length} chunks. They were graded by words alone. ${failure}`,
    })),
    ...degradations,
  ];
}
