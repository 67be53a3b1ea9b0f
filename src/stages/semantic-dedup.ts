import { evict, inheritSources } from '../candidate.js';
import { Conflicts, type Rival } from '../conflicts.js';
import type { Stage } from '../pipeline.js';
import { byScore, pinnedFirst } from '../ranking.js';
import { similarityOf } from '../similarity.js';
import { statementOverlap } from '../text/facts/statement.js';
import type { Candidate, Eviction } from '../types.js';

const NAME = 'semantic-dedup';

/**
 * Texts whose words are so much farther apart than `maxDistance` may be near-copies all the same, with
 * numbers, dates and units in other spellings. To read the facts of all texts would take too long.
 */
const OTHER_SPELLINGS = 0.5;

/** Near-copies, by place: the first stays, the others go. All are close to each other. */
interface Group {
  readonly keeper: number;
  readonly copies: number[];
}

/**
 * Evicts near-copies within `maxDistance`: cosine distance where there are vectors, else Jaccard distance
 * of stemmed words, or of words of substance with numbers, dates and units in one spelling, whichever is
 * less. Candidates are visited best first (pinned, score, input order); one joins the nearest group only if
 * it is close to every member (complete link: no chain through a hub), else it starts its own. The first of
 * a group stays and inherits the sources of the rest.
 *
 * Near-copies that differ in a number, date, unit, name or negation are never merged, however near their
 * vectors are. They are recorded as a conflict, as are texts of the same frame of words with different
 * facts in it; a name that one has and the other lacks keeps them apart, but is no conflict. So does any
 * other word of substance in the place of one, another order, or more than a few added words.
 */
export function semanticDedup({ maxDistance }: { maxDistance: number }): Stage {
  return {
    name: NAME,
    async run({ candidates, lexicon, pacer }) {
      const similarity = similarityOf(candidates, lexicon, 'jaccard');
      const conflicts = new Conflicts(candidates, lexicon);
      const groups: Group[] = [];
      const groupOf = new Map<number, Group>();
      const mergedAt = new Map<number, number>();
      const lexical = similarity.measure === 'lexical';
      const factsOf = (place: number) => lexicon.facts((candidates[place] as Candidate).text);
      for (const place of bestFirst(candidates)) {
        const candidate = candidates[place] as Candidate;
        const row = similarity.row(place);
        const distanceTo = (other: number): number => {
          const distance = 1 - (row[other] as number);
          if (!lexical || distance <= maxDistance || distance > maxDistance + OTHER_SPELLINGS)
            return distance;
          return Math.min(distance, 1 - statementOverlap(factsOf(place), factsOf(other)));
        };
        const rivals: Rival[] = [];
        let nearest: Group | undefined;
        for (const group of groups) {
          const distance = distanceTo(group.keeper);
          if (distance > maxDistance) continue;
          if ((candidates[group.keeper] as Candidate).namespace !== candidate.namespace) continue;
          if (pacer.due()) await pacer.pause();
          const members = [group.keeper, ...group.copies];
          if (members.some((member) => conflicts.differ(place, member))) {
            Conflicts.add(rivals, { place: group.keeper, distance });
          } else if (members.every((member) => distanceTo(member) <= maxDistance)) {
            if (nearest === undefined || distance < distanceTo(nearest.keeper)) nearest = group;
          }
        }
        conflicts.record(place, rivals);
        if (nearest === undefined || candidate.pinned) {
          nearest = { keeper: place, copies: [] };
          groups.push(nearest);
        } else {
          nearest.copies.push(place);
          mergedAt.set(place, distanceTo(nearest.keeper));
        }
        groupOf.set(place, nearest);
        if (pacer.due()) await pacer.pause();
      }
      conflicts.recordFrames(groups.map((group) => group.keeper));

      const rivals = conflicts.byCandidate();
      const kept: Candidate[] = [];
      const evicted: Eviction[] = [];
      for (const [place, candidate] of candidates.entries()) {
        const { keeper, copies } = groupOf.get(place) as Group;
        const distance = mergedAt.get(place);
        if (distance === undefined) {
          const heir = inheritSources(
            candidate,
            copies.map((copy) => candidates[copy] as Candidate),
          );
          kept.push(Object.freeze({ ...heir, conflicts: Object.freeze(rivals.get(place) ?? []) }));
          continue;
        }
        const keptId = (candidates[keeper] as Candidate).id;
        const { measure } = similarity;
        evicted.push(
          evict(candidate, NAME, { reason: 'semantic-duplicate', keptId, distance, maxDistance, measure }),
        );
      }
      return { kept, evicted, conflicts: conflicts.list() };
    },
  };
}

/** Places of the candidates: pinned ones, then by score, then in input order. */
function bestFirst(candidates: readonly Candidate[]): number[] {
  const compare = pinnedFirst(byScore);
  const places = candidates.map((_, place) => place);
  return places.sort((a, b) => compare(candidates[a] as Candidate, candidates[b] as Candidate));
}
