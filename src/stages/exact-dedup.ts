import { evict, inheritSources } from '../candidate.js';
import type { Stage } from '../pipeline.js';
import { byScore, pinnedFirst } from '../ranking.js';
import { normalise } from '../text/normalise.js';
import type { Candidate } from '../types.js';

const NAME = 'exact-dedup';

/**
 * Of texts that are the same but for case, punctuation, space and compatibility forms, one stays: a
 * pinned one, else the one with the best score, else the first. It inherits the sources of the others.
 */
export function exactDedup(): Stage {
  return {
    name: NAME,
    run({ candidates }) {
      const groups = new Map<string, Candidate[]>();
      for (const candidate of candidates) {
        const key = `${candidate.namespace}\u0000${normalise(candidate.text)}`;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [candidate]);
        else group.push(candidate);
      }
      const best = new Map<Candidate, Candidate>();
      for (const group of groups.values()) {
        const [keeper, ...copies] = group.toSorted(pinnedFirst(byScore)) as [Candidate, ...Candidate[]];
        const heir = inheritSources(keeper, copies);
        for (const member of group) best.set(member, member === keeper ? heir : keeper);
      }
      const kept: Candidate[] = [];
      const evicted = [];
      for (const candidate of candidates) {
        const { index, id } = best.get(candidate) as Candidate;
        if (index === candidate.index) kept.push(best.get(candidate) as Candidate);
        else evicted.push(evict(candidate, NAME, { reason: 'exact-duplicate', keptId: id }));
      }
      return { kept, evicted };
    },
  };
}
