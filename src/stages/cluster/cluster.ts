import type { Linkage, Representative } from '../../input/options.js';
import { fits, Ledger, type Limits } from '../../limits.js';
import { cosine } from '../../math/vectors.js';
import type { PipelineInput, PipelineStage } from '../../pipeline.js';
import { evict, withSignals } from '../../pool/candidate.js';
import { latestOf } from '../../pool/latest.js';
import { by, byRelevance } from '../../pool/ranking.js';
import { groupBy } from '../../runtime/group-by.js';
import type { ShapingQuery } from '../../stage.js';
import { disagree } from '../../text/facts/disagree.js';
import { factsOf } from '../../text/facts/reader.js';
import type { Candidate, Eviction } from '../../types.js';
import { clustersOf } from './clusters.js';

const NAME = 'cluster';
/**
 * The time of clustering grows with the square of the number of candidates. If there are more than this, only the most
 * relevant are clustered.
 */
const MAX_CLUSTERED = 1000;

interface ClusterOptions {
  maxDistance: number;
  linkage: Linkage;
  representative: Representative;
  maxPerCluster: number;
}

/**
 * Agglomerative clustering on cosine distance (of vectors, else of TF-IDF), within each namespace. It acts only under
 * pressure: as long as the candidates that could be kept do not fit `k` and the budget, members beyond `maxPerCluster` are
 * evicted, the least relevant of the pool first. The representative stays. So do pinned candidates, candidates that are
 * trusted more than the representative, candidates in conflict with another, and candidates that differ from the
 * representative in a fact.
 */
export function cluster(options: ClusterOptions): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      const { candidates, lexicon, limits } = input;
      if (candidates.length < 2 || fits(candidates, limits)) return { kept: candidates, evicted: [] };
      const settings = JSON.stringify(options);
      const { labelled, spare } = await latestOf(lexicon, NAME, { candidates, settings }, () =>
        clustered(options, input),
      );
      if (spare.size === 0) return { kept: labelled, evicted: [] };
      return relieve(labelled, spare, limits, disagreement(input));
    },
  };
}

/** A member beyond `maxPerCluster`. */
interface Spare {
  readonly representative: Candidate;
  readonly distance: number;
  readonly maxDistance: number;
}

/** The candidates with their clusters, and the spare members by place. No limit changes them. */
function clustered(
  options: ClusterOptions,
  input: PipelineInput,
): { labelled: readonly Candidate[]; spare: ReadonlyMap<number, Spare> } {
  const { candidates } = input;
  const labelled: Candidate[] = [...candidates];
  const spare = new Map<number, Spare>();
  let clusters = 0;
  for (const places of namespaces(candidates)) {
    const pool = places.map((place) => candidates[place] as Candidate);
    const { members: groups, distance, maxDistance } = clustersOf(pool, options, input);
    for (const members of groups) {
      const ranked = rank(members, pool, distance, { ...options, query: input.query });
      const representative = pool[ranked[0] as number] as Candidate;
      for (const [position, member] of ranked.entries()) {
        const place = places[member] as number;
        const candidate = pool[member] as Candidate;
        labelled[place] = withSignals(candidate, { cluster: clusters });
        const exempt =
          candidate.pinned || candidate.conflicts.length > 0 || isTrustedMore(candidate, representative);
        if (position < options.maxPerCluster || exempt) continue;
        spare.set(place, { representative, distance: distance(ranked[0] as number, member), maxDistance });
      }
      clusters++;
    }
  }
  return { labelled, spare };
}

const isTrustedMore = (one: Candidate, other: Candidate) => (one.tier ?? 0) < (other.tier ?? 0);

/** Returns a test whether one text replaces a statement of another with a different one. */
const disagreement =
  ({ lexicon }: PipelineInput) =>
  (one: Candidate, other: Candidate): boolean =>
    disagree(lexicon.found(one.text, factsOf), lexicon.found(other.text, factsOf));

/**
 * Evicts spare members, the least relevant first, as long as that makes room that others need. A member that disagrees with
 * its representative is not a repetition and stays.
 */
function relieve(
  candidates: readonly Candidate[],
  spare: ReadonlyMap<number, Spare>,
  limits: Limits,
  disagree: (one: Candidate, other: Candidate) => boolean,
) {
  const kept = new Set(candidates);
  // A candidate that fits no result needs no room.
  const wanted = new Ledger(limits);
  for (const each of candidates) if (wanted.couldHold(each)) wanted.add(each, each.signals.tokens);
  const evicted: Eviction[] = [];
  const queue = [...spare.keys()].sort((a, b) =>
    byRelevance(candidates[b] as Candidate, candidates[a] as Candidate),
  );
  for (const place of queue) {
    const candidate = candidates[place] as Candidate;
    if (!wanted.couldHold(candidate) || !wanted.isOver(candidate)) continue;
    const { representative, distance, maxDistance } = spare.get(place) as Spare;
    if (disagree(candidate, representative)) continue;
    wanted.add(candidate, -candidate.signals.tokens, -1);
    kept.delete(candidate);
    evicted.push(
      evict(candidate, NAME, {
        reason: 'cluster-member',
        keptId: representative.id,
        cluster: candidate.signals.cluster as number,
        distance,
        maxDistance,
      }),
    );
  }
  return { kept: [...kept], evicted };
}

/** Places of the candidates of each namespace, in input order. If there are too many, only the most relevant. */
function namespaces(candidates: readonly Candidate[]): number[][] {
  const places = groupBy(candidates.keys(), (place) => (candidates[place] as Candidate).namespace);
  const pools: number[][] = [];
  for (const group of places.values()) {
    if (group.length > MAX_CLUSTERED) {
      const ranked = group.toSorted((a, b) =>
        byRelevance(candidates[a] as Candidate, candidates[b] as Candidate),
      );
      pools.push(ranked.slice(0, MAX_CLUSTERED).sort((a, b) => a - b));
    } else pools.push(group);
  }
  return pools;
}

/** Orders the members of a cluster: the representative first, the others by relevance. */
function rank(
  members: readonly number[],
  pool: readonly Candidate[],
  distance: (a: number, b: number) => number,
  { representative, query }: { representative: Representative; query: ShapingQuery },
): readonly number[] {
  if (members.length === 1) return members;
  const candidateOf = (member: number) => pool[member] as Candidate;
  const value: Record<Representative, (member: number) => number | undefined> = {
    auto: (member) => candidateOf(member).signals.relevance,
    score: (member) => candidateOf(member).score,
    // The unit vector nearest to the mean has the least sum of cosine distances.
    centroid: (member) => -members.reduce((sum, other) => sum + distance(member, other), 0),
    'query-closest': (member) => {
      const { vector, signals } = candidateOf(member);
      return vector && query.vector ? cosine(vector, query.vector) : signals.relevance;
    },
    longest: (member) => Array.from(candidateOf(member).text).length,
  };
  const worth = new Map(members.map((member) => [candidateOf(member), value[representative](member)]));
  const compare = by((candidate) => worth.get(candidate));
  const [first, ...others] = members.toSorted((a, b) => compare(candidateOf(a), candidateOf(b)));
  return [first as number, ...others.sort((a, b) => byRelevance(candidateOf(a), candidateOf(b)))];
}
