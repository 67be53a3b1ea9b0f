/** The place of a chunk among the others, and the kept chunks that had an advantage over it. */
import type { ShapingReport } from '../../src/index.js';
import type { Counterfactuals } from './counterfactuals.js';
import type { Found } from './subject.js';
import type { Explanation, Rival } from './types.js';

/** The parts of a ledger's entry that kept and evicted chunks share. */
interface Measured {
  readonly id: string;
  readonly index: number;
  readonly relevance?: number | undefined;
  readonly features?: Readonly<Record<string, number>> | undefined;
}

const MOST_RIVALS = 3;
const MOST_FEATURES = 3;

/** The place among all chunks with a measured relevance. Ties go to the earlier chunk of the input. */
export function rankOf(
  { kept, evicted }: ShapingReport,
  { entry, eviction }: Found,
): Pick<Explanation, 'relevance' | 'rank'> {
  const { relevance, index } = (entry ?? eviction) as Measured;
  if (relevance === undefined) return {};
  const all: Measured[] = [...kept, ...evicted];
  const measured = all.filter((each) => each.relevance !== undefined);
  const better = measured.filter(
    (each) => (each.relevance as number) > relevance || (each.relevance === relevance && each.index < index),
  );
  return { relevance, rank: { place: better.length + 1, of: measured.length } };
}

/**
 * The chunks that had an advantage over an evicted one: the one that stands in for it or supersedes it, kept ones whose
 * absence would bring it back, and the next more relevant kept one.
 */
export function rivalsOf(
  report: ShapingReport,
  { eviction }: Found,
  absence: Counterfactuals['absence'] = [],
): Rival[] {
  if (eviction === undefined) return [];
  const own: Measured = eviction;
  const sought =
    'keptId' in eviction ? eviction.keptId : eviction.reason === 'superseded' ? eviction.by : undefined;
  const standIn =
    sought === undefined ? undefined : [...report.kept, ...report.evicted].find(({ id }) => id === sought);
  const decisive = report.kept.filter(({ index }) => absence.some((each) => each.index === index));
  const above = report.kept
    .filter(({ relevance }) => (relevance ?? -1) >= (own.relevance ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => (a.relevance as number) - (b.relevance as number) || b.index - a.index);
  const found: Measured[] = [
    ...(standIn === undefined ? [] : [standIn]),
    ...decisive.sort((a, b) => (a.relevance ?? 0) - (b.relevance ?? 0) || b.index - a.index),
    ...above.slice(0, 1),
  ];
  return [...new Map(found.map((each) => [each.index, each])).values()]
    .slice(0, MOST_RIVALS)
    .map((each) => rivalry(own, each, report));
}

function rivalry(
  own: Measured,
  { id, index, relevance, features = {} }: Measured,
  { kept }: ShapingReport,
): Rival {
  const isMeasured = relevance !== undefined && own.relevance !== undefined;
  const by = isMeasured ? relevance - (own.relevance as number) : undefined;
  const sign = (by ?? 0) < 0 ? -1 : 1;
  const names = [...new Set([...Object.keys(own.features ?? {}), ...Object.keys(features)])];
  const differences = names
    .map((name) => ({ name, own: own.features?.[name] ?? 0, theirs: features[name] ?? 0 }))
    .map((each) => ({ ...each, gain: sign * (each.theirs - each.own) }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || (a.name < b.name ? -1 : 1));
  return {
    id,
    index,
    isKept: kept.some((entry) => entry.index === index),
    ...(relevance === undefined ? {} : { relevance }),
    ...(by === undefined ? {} : { by }),
    features: isMeasured ? differences.slice(0, MOST_FEATURES).map(({ gain: _, ...each }) => each) : [],
  };
}
