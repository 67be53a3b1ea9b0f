import type { Eviction } from '../../src/index.js';
import type { Round } from './state.js';

export type EarlierSignals = Pick<
  Eviction,
  'source' | 'position' | 'relevance' | 'features' | 'utility' | 'preview'
>;

/** By place: the source and the preview of a document, and the signals that its last shaping measured. */
export function earlierSignals(rounds: readonly Round[]): ReadonlyMap<number, EarlierSignals> {
  return new Map(
    rounds.flatMap(({ places, report: { kept, evicted } }) =>
      [...kept.map((entry) => ({ ...entry, ...entry.sources[0] })), ...evicted].map(
        (entry) => [places[entry.index] as number, only(entry)] as const,
      ),
    ),
  );
}

const only = ({
  source,
  position,
  relevance,
  features,
  utility,
  preview,
}: EarlierSignals): EarlierSignals => ({
  ...(source === undefined ? {} : { source }),
  ...(position === undefined ? {} : { position }),
  ...(relevance === undefined ? {} : { relevance }),
  ...(features === undefined ? {} : { features }),
  ...(utility === undefined ? {} : { utility }),
  ...(preview === undefined ? {} : { preview }),
});

/** The utility of a document. Refining does not measure it again. */
export function utilityOf(
  signals: ReadonlyMap<number, EarlierSignals>,
  place: number,
): Pick<EarlierSignals, 'utility'> {
  const { utility } = signals.get(place) ?? {};
  return utility === undefined ? {} : { utility };
}
