/** Compares the outcomes of chunks in two reports. */
import type { Eviction, KeptEntry, ShapingReport } from '../../../src/index.js';
import type { ChunkChange, ChunkOutcome } from './types.js';

const MOST_FEATURES = 3;

/** A key for each chunk of a list of ids: the id, and for a repeated one its number among those with this id. */
export function keysOf(ids: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return ids.map((id) => {
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    return times === 0 ? id : `${id}\n${times}`;
  });
}

type Entry = (KeptEntry | Eviction) & { key: string; place?: number };

function entriesOf({ input, kept, evicted }: ShapingReport): Map<string, Entry> {
  const keys = keysOf(input);
  const entries = [
    ...kept.map((entry, place): Entry => ({ ...entry, key: keys[entry.index] as string, place })),
    ...evicted.map((entry): Entry => ({ ...entry, key: keys[entry.index] as string })),
  ];
  return new Map(entries.map((entry) => [entry.key, entry]));
}

export type KeyedChange = Omit<ChunkChange, 'causes'> & { key: string };

/** The chunks with another outcome, and the number of those with the same outcome and other measurements. */
export function compareOutcomes(
  from: ShapingReport,
  to: ShapingReport,
): { changes: KeyedChange[]; remeasured: number } {
  const [before, after] = [entriesOf(from), entriesOf(to)];
  const both = [...after.values()].filter(
    ({ key, place }) => place !== undefined && before.get(key)?.place !== undefined,
  );
  const stayed = longestAscent(both, ({ key }) => before.get(key)?.place as number);
  const changeOf = (own: Entry | undefined, now: Entry | undefined): ChunkChange['change'] | undefined => {
    const [was, is] = [own?.place !== undefined, now?.place !== undefined];
    if (was !== is) return is ? 'came' : 'went';
    if (own === undefined || now === undefined) return undefined;
    if (!is) return why(own) === why(now) ? undefined : 'evicted';
    if (partsOf(own) !== partsOf(now)) return 'cut';
    return stayed.has(now) ? undefined : 'moved';
  };
  const changes: KeyedChange[] = [];
  let remeasured = 0;
  for (const key of new Set([...after.keys(), ...before.keys()])) {
    const [own, now] = [before.get(key), after.get(key)];
    const change = changeOf(own, now);
    if (change === undefined) {
      if (own !== undefined && now !== undefined && measured(own) !== measured(now)) remeasured += 1;
      continue;
    }
    changes.push({
      key,
      id: (now ?? own)?.id as string,
      change,
      ...(own === undefined ? {} : { from: outcomeOf(own) }),
      ...(now === undefined ? {} : { to: outcomeOf(now) }),
      features: featuresOf(own, now),
    });
  }
  return { changes, remeasured };
}

const why = (entry: Entry) => ('reason' in entry ? `${entry.stage}: ${entry.reason}` : '');
const partsOf = (entry: Entry) => ('excerpts' in entry ? JSON.stringify(entry.excerpts) : '');
const measured = ({ tokens, relevance, features, utility }: Entry) =>
  JSON.stringify([tokens, relevance, features, utility]);

function outcomeOf(entry: Entry): ChunkOutcome {
  const { place, tokens, relevance } = entry;
  return {
    ...(place === undefined ? {} : { place }),
    tokens,
    ...('reason' in entry ? { stage: entry.stage, reason: entry.reason } : {}),
    ...(relevance === undefined ? {} : { relevance }),
  };
}

function featuresOf(own: Entry | undefined, now: Entry | undefined): ChunkChange['features'] {
  const [before, after] = [own?.features, now?.features];
  if (before === undefined || after === undefined) return [];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, from: before[name] ?? 0, to: after[name] ?? 0 }))
    .filter(({ from, to }) => from !== to)
    .sort((one, other) => Math.abs(other.to - other.from) - Math.abs(one.to - one.from))
    .slice(0, MOST_FEATURES);
}

/**
 * The items of a longest subsequence with ascending places: the chunks that did not move. If there are several, it is
 * the one that patience sorting finds.
 *
 * Source: C. Schensted, "Longest increasing and decreasing subsequences", Canadian Journal of Mathematics 13, 1961.
 */
function longestAscent<T>(items: readonly T[], placeOf: (item: T) => number): Set<T> {
  const tops: { item: T; place: number }[] = [];
  const below = new Map<T, T | undefined>();
  for (const item of items) {
    const place = placeOf(item);
    const pile = tops.findIndex((top) => top.place > place);
    const at = pile < 0 ? tops.length : pile;
    const under = tops[at - 1]?.item;
    below.set(item, under);
    tops[at] = { item, place };
  }
  const found = new Set<T>();
  for (let item = tops.at(-1)?.item; item !== undefined; item = below.get(item)) found.add(item);
  return found;
}
