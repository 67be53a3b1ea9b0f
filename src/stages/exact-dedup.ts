import type { PipelineStage } from '../pipeline.js';
import { evict, inheritSources } from '../pool/candidate.js';
import { byScore, type Comparison, pinnedFirst, trustedFirst } from '../pool/ranking.js';
import { groupBy } from '../runtime/group-by.js';
import { hiddenIn } from '../text/hidden/hidden.js';
import type { Lexicon } from '../text/lexicon.js';
import { fingerprint, normalise } from '../text/normalise.js';
import type { Candidate } from '../types.js';

const NAME = 'exact-dedup';

/** A copy of more than so many times the tokens of another is blown up: with white space, say. */
const BLOWN_UP = 1.5;

/**
 * Of texts that are the same but for case, punctuation, space, compatibility forms and characters that nobody sees, one
 * stays: one of the most trusted tier, of those a pinned one, else the one with the fewest hidden characters, else one that is not blown up, else the one with
 * the best score, else the first. It inherits the sources of the others, and is pinned if one of them was.
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

/** What is hidden in a text, or blows it up, does not reach the model in the place of a plain copy. */
function plainest(group: readonly Candidate[], lexicon: Lexicon): Comparison {
  if (group.length === 1) return byScore;
  const hidden = ({ text }: Candidate) =>
    lexicon.found(text, hiddenIn).reduce((sum, { start, end }) => sum + end - start, 0);
  const most = BLOWN_UP * Math.min(...group.map(({ signals }) => signals.tokens));
  const isBlownUp = ({ signals }: Candidate) => Number(signals.tokens > most);
  return (a, b) => hidden(a) - hidden(b) || isBlownUp(a) - isBlownUp(b) || byScore(a, b);
}

/** The candidates by normal form and namespace, each in exactly one group. */
function copiesOf(candidates: readonly Candidate[], lexicon: Lexicon): Candidate[][] {
  const alike = groupBy(candidates, ({ text }) => lexicon.found(text, fingerprint));
  return [...alike.values()].flatMap((group) => {
    if (group.length === 1) return [group];
    const isOneText = group.every(({ text }) => text === group[0]?.text);
    const formOf = isOneText ? () => '' : normalise;
    return [...groupBy(group, ({ namespace, text }) => `${namespace}\u0000${formOf(text)}`).values()];
  });
}
