import type { Chunk } from '../../src/index.js';
import { normalise } from '../../src/internal.js';
import type { Pins, Round } from './state.js';

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
