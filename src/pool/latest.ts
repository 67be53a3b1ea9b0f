/** Values that the runs of a session share, because they meet the same candidates again and again. */
import type { Lexicon } from '../text/lexicon.js';
import type { Candidate } from '../types.js';

interface Latest {
  readonly candidates: readonly Candidate[];
  readonly settings: string;
  readonly value: unknown;
}

const latest = new WeakMap<Lexicon, Map<string, Latest>>();

/**
 * Returns the value that was last computed under this name, if it was computed from the same candidates with the same
 * settings; otherwise it computes the value. Ranks do not count: the value must not depend on them.
 */
export async function latestOf<T>(
  lexicon: Lexicon,
  name: string,
  { candidates, settings = '' }: { candidates: readonly Candidate[]; settings?: string },
  compute: () => T | Promise<T>,
): Promise<T> {
  const values = latest.get(lexicon) ?? new Map<string, Latest>();
  latest.set(lexicon, values);
  const known = values.get(name);
  const isKnown =
    known?.settings === settings &&
    known.candidates.length === candidates.length &&
    known.candidates.every((each, place) => isSame(each, candidates[place] as Candidate));
  if (isKnown) return known.value as T;
  const value = await compute();
  values.set(name, { candidates, settings, value });
  return value;
}

/** Whether two candidates differ in their ranks at most. A stage that changes relevance also makes new features. */
const isSame = (one: Candidate, other: Candidate) =>
  one === other ||
  (one.sources === other.sources &&
    one.signals.features === other.signals.features &&
    one.signals.relevance === other.signals.relevance);
