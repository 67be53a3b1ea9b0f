/** The kept chunks: their grades, the documents that people pinned or vetoed, and the chunks of the result. */
import type { Chunk, Degradation } from '../../src/index.js';
import { normalise } from '../../src/internal.js';
import type { Run } from './run.js';
import type { KeptChunk, Pins, Round, State } from './state.js';

/** 0..1. A document that a person pinned has the grade 1; a document without a grade has 0. */
export const gradeOf = ({ grades, pins }: Pick<State, 'grades' | 'pins'>, place: number): number =>
  pins.pinned.includes(place) ? 1 : (grades[place]?.grade ?? 0);

export const isVetoed = ({ pins }: Pick<State, 'pins'>, place: number): boolean =>
  pins.vetoed.some((veto) => veto.place === place);

/** The tokens of the document in the last shaping that saw it; 0 if no shaping did. */
export function tokensOf(place: number, { rounds, kept }: Pick<State, 'rounds' | 'kept'>): number {
  const evictions = rounds.flatMap(({ places, report }) =>
    report.evicted.filter(({ index }) => places[index] === place),
  );
  return kept.find((chunk) => chunk.place === place)?.tokens ?? evictions.at(-1)?.tokens ?? 0;
}

/** Adds the pinned documents that shaping evicted, as whole texts. */
export function withPinned(
  kept: readonly KeptChunk[],
  pinned: readonly number[],
  chunks: readonly Chunk[],
  state: Pick<State, 'rounds'>,
): KeptChunk[] {
  const missing = pinned.filter((place) => kept.every((chunk) => chunk.place !== place));
  return [
    ...kept,
    ...missing.map((place): KeptChunk => {
      const { id, text } = chunks[place] as Chunk;
      const tokens = tokensOf(place, { ...state, kept: [] });
      return { place, id, text, sources: [{ id }], tokens, support: 0 };
    }),
  ];
}

/**
 * A veto applies to a text: to the copies that a search brings, and to those with another id. Copies are texts that
 * exact de-duplication takes for the same.
 */
export function withCopies(
  vetoed: Pins['vetoed'],
  pinned: readonly number[],
  chunks: readonly Chunk[],
): Pins['vetoed'] {
  if (vetoed.length === 0) return vetoed;
  const byText = new Map(vetoed.map((veto) => [normalise((chunks[veto.place] as Chunk).text), veto]));
  const places = new Set(vetoed.map(({ place }) => place));
  const copies = chunks.flatMap((chunk, place) => {
    const veto = byText.get(normalise(chunk.text));
    return veto === undefined || places.has(place) || pinned.includes(place) ? [] : [{ ...veto, place }];
  });
  return [...vetoed, ...copies];
}

/** Places of the documents that were evicted as duplicates of these. */
export function duplicatesOf(places: readonly number[], rounds: readonly Round[]): number[] {
  return rounds.flatMap(({ places: all, report }) => {
    const ids = new Set(all.flatMap((place, at) => (places.includes(place) ? [report.input[at]] : [])));
    return report.evicted.flatMap((eviction) =>
      (eviction.reason === 'exact-duplicate' || eviction.reason === 'semantic-duplicate') &&
      ids.has(eviction.keptId)
        ? [all[eviction.index] as number]
        : [],
    );
  });
}

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
