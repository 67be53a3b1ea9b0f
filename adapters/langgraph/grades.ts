import type { Chunk } from '../../src/index.js';
import type { KeptChunk, State } from './state.js';

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
