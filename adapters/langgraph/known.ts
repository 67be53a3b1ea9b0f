import type { Eviction } from '../../src/index.js';
import type { Round } from './state.js';

export type Known = Pick<Eviction, 'source' | 'position' | 'relevance' | 'features' | 'utility'>;

/** By place: where a document is from, and what the shaping that saw it has measured. */
export function knownOf(rounds: readonly Round[]): ReadonlyMap<number, Known> {
  return new Map(
    rounds.flatMap(({ places, report: { kept, evicted } }) =>
      [...kept.map((entry) => ({ ...entry, ...entry.sources[0] })), ...evicted].map(
        (entry) => [places[entry.index] as number, only(entry)] as const,
      ),
    ),
  );
}

const only = ({ source, position, relevance, features, utility }: Known): Known => ({
  ...(source === undefined ? {} : { source }),
  ...(position === undefined ? {} : { position }),
  ...(relevance === undefined ? {} : { relevance }),
  ...(features === undefined ? {} : { features }),
  ...(utility === undefined ? {} : { utility }),
});

/** Refining does not measure it anew. */
export function utilityOf(known: ReadonlyMap<number, Known>, place: number): Pick<Known, 'utility'> {
  const { utility } = known.get(place) ?? {};
  return utility === undefined ? {} : { utility };
}
