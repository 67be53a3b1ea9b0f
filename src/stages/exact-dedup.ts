import type { PipelineStage } from '../pipeline.js';
import { evict, inheritSources } from '../pool/candidate.js';
import { byScore, type Comparison, pinnedFirst, trustedFirst } from '../pool/ranking.js';
import { groupBy } from '../runtime/group-by.js';
import { withoutEntities } from '../text/entities.js';
import { casedIn, exactForm, isSameCase } from '../text/facts/copy-form.js';
import { hiddenIn } from '../text/hidden/hidden.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Candidate } from '../types.js';

const NAME = 'exact-dedup';

/** A copy is inflated, for example with white space, if it has more than this many times the tokens of another copy. */
const INFLATED = 1.5;

/**
 * Evicts copies: texts with the same words in the same order, which differ in nothing but
 *
 * - white space, line ends, compatibility forms (Unicode NFKC), character references of HTML (`&nbsp;`);
 * - letter case, except where case means something (`C`, `userId`, `Mb`): see `copy-form`;
 * - punctuation that is no sign: operators, and marks inside a token (`app.conf`, `*.js`), are signs: see `signs`.
 *
 * One copy stays. The choice goes by trust tier, then by pin, then by the fewest hidden characters, then by not being
 * inflated, then by score, then by input order. It inherits the sources of the others, and is pinned if one of them was.
 */
export function exactDedup(): PipelineStage {
  return {
    name: NAME,
    async run({ candidates, lexicon }) {
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

/** Groups candidates by words, signs, letter case and namespace. Each candidate is in exactly one group. */
function copiesOf(candidates: readonly Candidate[], lexicon: Lexicon): Candidate[][] {
  const groups: Candidate[][] = [];
  for (const alike of groupBy(candidates, ({ text }) =>
    hashOf(lexicon.words(withoutEntities(text))),
  ).values()) {
    for (const group of groupBy(alike, ({ namespace }) => namespace).values()) {
      groups.push(...(group.every(({ text }) => text === group[0]?.text) ? [group] : parted(group, lexicon)));
    }
  }
  return groups;
}

/** Returns a number that seldom is that of other words. */
const hashOf = (words: Int32Array): number => {
  let hash = words.length;
  for (const word of words) hash = (Math.imul(hash, 0x85ebca6b) + word) | 0;
  return hash;
};

/** Splits a group of texts that may have the same words. */
function parted(group: readonly Candidate[], lexicon: Lexicon): Candidate[][] {
  const caseOf = ({ text }: Candidate) => lexicon.found(withoutEntities(text), casedIn);
  const parts: Candidate[][] = [];
  for (const alike of groupBy(group, ({ text }) =>
    lexicon.found(withoutEntities(text), exactForm),
  ).values()) {
    const own: Candidate[][] = [];
    for (const same of groupBy(alike, ({ text }) => text).values()) {
      const [first] = same as [Candidate];
      const part = own.find((others) => others.every((other) => isSameCase(caseOf(first), caseOf(other))));
      if (part === undefined) own.push(same);
      else part.push(...same);
    }
    parts.push(...own);
  }
  return parts;
}
