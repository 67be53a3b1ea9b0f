import type { RoomLimit } from '../../limits.js';
import { documentOf, isBlank } from '../../pool/candidate.js';
import type { Candidate, EvictionReason } from '../../types.js';

type Evidence = Pick<Extract<EvictionReason, { reason: 'over-budget' }>, 'lastKept' | 'margin'>;

/** The least relevant candidate, or part of one, that was kept for its relevance: in all, and for each source and tier. */
export class LastKept {
  readonly #last = new Map<string, { id: string; relevance: number }>();

  /**
   * Records a candidate that is kept, or a part of it.
   *
   * @param relevance of the candidate or of the part. Absent: not measured, so the candidate does not count.
   */
  add(candidate: Candidate, relevance: number | undefined): void {
    if (relevance === undefined || candidate.pinned || isBlank(candidate)) return;
    for (const limit of ['maxTokens', 'perSource', 'trust'] as const) {
      const key = groupOf(candidate, limit);
      const last = this.#last.get(key);
      if (last === undefined || relevance <= last.relevance)
        this.#last.set(key, { id: candidate.id, relevance });
    }
  }

  /**
   * The evidence of an eviction for lack of room.
   *
   * @param relevance of the candidate or of its best part. Absent: not measured.
   */
  evidence(candidate: Candidate, limit: RoomLimit, relevance: number | undefined): Evidence {
    const last = this.#last.get(groupOf(candidate, limit));
    if (last === undefined || candidate.pinned) return {};
    return {
      lastKept: { ...last },
      ...(relevance === undefined ? {} : { margin: last.relevance - relevance }),
    };
  }
}

/** The candidates with which this one shares the room that the limit leaves. */
function groupOf(candidate: Candidate, limit: RoomLimit): string {
  if (limit === 'maxTokens') return '';
  return limit === 'trust' ? `tier ${candidate.tier}` : `source ${documentOf(candidate)}`;
}
