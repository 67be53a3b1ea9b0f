import { isForeseeable, type Limits, type RoomLimit, Tally } from '../../limits.js';
import type { Candidate, Eviction } from '../../types.js';
import { factsOf } from './stages.js';

/**
 * Computes the limit at which a chunk is certainly kept whole: enough for all candidates that de-duplication left, because
 * then no stage acts for lack of room.
 */
export class RoomToKeep {
  readonly #total: Tally;
  /** By source alone, because an eviction does not have its namespace. */
  readonly #bySource = new Map<string, number>();
  #hasClusters = false;

  private constructor(readonly limits: Limits) {
    this.#total = new Tally(limits);
  }

  /**
   * Counts the candidates.
   *
   * @param evicted by all stages before.
   */
  static of(candidates: readonly Candidate[], evicted: readonly Eviction[], limits: Limits): RoomToKeep {
    const room = new RoomToKeep(limits);
    const clusters = new Set<number | undefined>();
    const addCandidate = (candidate: Candidate) => {
      const { cluster, tokens } = candidate.signals;
      room.#total.add(candidate);
      room.#addToSource(candidate.sources[0].source, tokens);
      if (cluster !== undefined && clusters.has(cluster)) room.#hasClusters = true;
      clusters.add(cluster);
    };
    const addEvicted = ({ stage, reason, source, tokens }: Eviction) => {
      if (factsOf(stage)?.acts !== 'under-pressure') return;
      room.#total.count++;
      room.#total.tokens += tokens;
      room.#addToSource(source, tokens);
      if (reason === 'cluster-member') room.#hasClusters = true;
    };
    for (const candidate of candidates) addCandidate(candidate);
    for (const eviction of evicted) addEvicted(eviction);
    return room;
  }

  /** Whether clustering could evict candidates for `k` alone. */
  get hasClusters(): boolean {
    return this.#hasClusters;
  }

  #addToSource(source: string | undefined, tokens: number): void {
    if (source !== undefined) this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + tokens);
  }

  /** The needed value of that limit. Null if `k`, the other limit or a cap could also exclude the chunk. */
  of({ sources, signals }: Candidate, limit: RoomLimit): number | null {
    if (!isForeseeable(limit, this.limits)) return null;
    const { k = Number.POSITIVE_INFINITY, available, perSource, reserve } = this.limits;
    // The first `k` selected chunks stay, unless clustering changes the candidates for selection.
    const isFirst = !this.#hasClusters && signals.rank !== undefined && signals.rank < k;
    if (this.#total.count > k && !isFirst) return null;
    const ofSource = this.#bySource.get(sources[0].source ?? '') ?? 0;
    if (limit === 'maxTokens')
      return ofSource > (perSource ?? Number.POSITIVE_INFINITY) ? null : this.#total.tokens + reserve;
    return this.#total.tokens > (available ?? Number.POSITIVE_INFINITY) ? null : ofSource;
  }
}
