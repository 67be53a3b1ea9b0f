import type { PipelineStage } from '../pipeline.js';
import { evict, inheritSources } from '../pool/candidate.js';
import { byScore, type Comparison, pinnedFirst, trustedFirst } from '../pool/ranking.js';
import { groupBy } from '../runtime/group-by.js';
import { fingerprint } from '../text/fingerprint.js';
import { hiddenIn } from '../text/hidden/hidden.js';
import type { Lexicon } from '../text/lexicon.js';
import { normalise } from '../text/normalise.js';
import type { Candidate } from '../types.js';

const NAME = 'exact-dedup';

/** A copy is inflated, for example with white space, if it has more than this many times the tokens of another copy. */
const INFLATED = 1.5;

/**
 * Evicts copies: texts that differ only in case, punctuation, white space, compatibility forms and invisible characters.
 * One copy stays. The choice goes by trust tier, then by pin, then by the fewest hidden characters, then by not being
 * inflated, then by score, then by input order. It inherits the sources of the others, and is pinned if one of them was.
 */
export function exactDedup(): PipelineStage {
  return {
    name: NAME,
    run({ candidates, lexicon }) {
      const best = new Map<Candidate, Candidate>();
      for (const group of copiesOf(candidates, lexicon)) {
        const [keeper, ...copies] = group.toSorted(trustedFirst(pinnedFirst(plainest(group, lexicon)))) as [
          Candidate,
          ...Candidate[],
        ];
        const heir = inheritSources(pinnedAs(keeper, group), copies);
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

function pinnedAs(keeper: Candidate, group: readonly Candidate[]): Candidate {
  if (keeper.pinned || !group.some(({ pinned }) => pinned)) return keeper;
  return Object.freeze({ ...keeper, pinned: true });
}

/** A plain copy goes before copies with hidden characters, and before inflated ones. */
function plainest(group: readonly Candidate[], lexicon: Lexicon): Comparison {
  if (group.length === 1) return byScore;
  const hidden = ({ text }: Candidate) =>
    lexicon.found(text, hiddenIn).reduce((sum, { start, end }) => sum + end - start, 0);
  const most = INFLATED * Math.min(...group.map(({ signals }) => signals.tokens));
  const isInflated = ({ signals }: Candidate) => Number(signals.tokens > most);
  return (a, b) => hidden(a) - hidden(b) || isInflated(a) - isInflated(b) || byScore(a, b);
}

/** Groups candidates by normal form and namespace. Each candidate is in exactly one group. */
function copiesOf(candidates: readonly Candidate[], lexicon: Lexicon): Candidate[][] {
  const prints = candidates.map(({ text }) => lexicon.found(text, fingerprint));
  const alike = groupBy(candidates.keys(), (place) => prints[place]);
  const groups = [...alike.values()].map((places) => {
    const group = places.map((place) => candidates[place] as Candidate);
    if (group.length === 1) return [group];
    const isOneText = group.every(({ text }) => text === group[0]?.text);
    const formOf = isOneText ? () => '' : normalise;
    return [...groupBy(group, ({ namespace, text }) => `${namespace}\u0000${formOf(text)}`).values()];
  });
  return groups.flat();
}
