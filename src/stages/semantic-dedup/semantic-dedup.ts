import type { PipelineStage } from '../../pipeline.js';
import { evict, inheritSources } from '../../pool/candidate.js';
import { byScore, type Comparison, pinnedFirst, trustedFirst } from '../../pool/ranking.js';
import { hiddenIn } from '../../text/hidden/hidden.js';
import type { Lexicon } from '../../text/lexicon.js';
import type { Candidate, Eviction } from '../../types.js';
import type { Neighbour } from './near-copies.js';

const NAME = 'semantic-dedup';

/**
 * Evicts near-copies within `maxDistance`: cosine distance where there are vectors, else Jaccard distance
 * of stemmed words, or of words of substance with numbers, dates and units in one spelling, whichever is
 * less. Candidates are visited best first (trust, pinned, nothing hidden, score, input order); one joins the nearest group only if
 * it is close to every member (complete link: no chain through a hub), else it starts its own. The first of
 * a group stays and inherits the sources of the rest.
 *
 * Near-copies that differ in a number, date, unit, name or negation are never merged, however near their
 * vectors are. Neither are those with any other word of substance in the place of one, another order, or more
 * than a few added words.
 *
 * Contradictions are looked for farther than `maxDistance`: where two candidates that stay state different facts
 * in the same place, they are recorded as a conflict, and no later stage takes them for each other's redundancy.
 *
 * A candidate is compared with the sixteen nearest of those that stay, and with as many members of a group.
 */
export function semanticDedup({ maxDistance }: { maxDistance: number }): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      const { candidates, lexicon, pacer } = input;
      if (candidates.length < 2) return { kept: candidates, evicted: [], conflicts: [] };
      // Not before there is something to compare: pages load less at once.
      modules ??= await load();
      const [{ Conflicts }, { MOST_COMPARED, nearCopies }] = modules;
      const line = candidates.toSorted(trustedFirst(pinnedFirst(plainFirst(lexicon))));
      const copies = await nearCopies(line, maxDistance, input);
      const conflicts = new Conflicts(line, lexicon);
      /** By the place of the one that stays: all near-copies, itself first. */
      const groups = new Map<number, number[]>();
      const merged = new Map<number, Neighbour>();
      for (const [place, { pinned }] of line.entries()) {
        let nearest: Neighbour | undefined;
        const neighbours = copies.near(place);
        for (const neighbour of neighbours) {
          if (pacer.due()) await pacer.pause();
          if (neighbour.distance > maxDistance) continue;
          const members = (groups.get(neighbour.place) as number[]).slice(0, MOST_COMPARED);
          if (members.some((member) => conflicts.differ(place, member))) continue;
          if (members.every((member) => copies.distance(place, member) <= maxDistance)) {
            if (nearest === undefined || neighbour.distance < nearest.distance) nearest = neighbour;
          }
        }
        if (nearest === undefined || pinned) {
          groups.set(place, [place]);
          copies.add(place);
          conflicts.compare(place, neighbours);
        } else {
          groups.get(nearest.place)?.push(place);
          merged.set(place, nearest);
        }
        if (pacer.due()) await pacer.pause();
      }

      const rivals = conflicts.byCandidate();
      const placeOf = new Map(line.map(({ index }, place) => [index, place]));
      const kept: Candidate[] = [];
      const evicted: Eviction[] = [];
      for (const candidate of candidates) {
        const place = placeOf.get(candidate.index) as number;
        const into = merged.get(place);
        if (into === undefined) {
          const [, ...others] = (groups.get(place) as number[]).map((member) => line[member] as Candidate);
          const heir = inheritSources(candidate, others);
          kept.push(Object.freeze({ ...heir, conflicts: Object.freeze(rivals.get(place) ?? []) }));
          continue;
        }
        const keptId = (line[into.place] as Candidate).id;
        const { distance } = into;
        const { measure } = copies;
        evicted.push(
          evict(candidate, NAME, { reason: 'semantic-duplicate', keptId, distance, maxDistance, measure }),
        );
      }
      return { kept, evicted, conflicts: conflicts.list() };
    },
  };
}

/** What hides something does not stand for what is plain to see. */
const plainFirst =
  (lexicon: Lexicon): Comparison =>
  (a, b) =>
    hides(a, lexicon) - hides(b, lexicon) || byScore(a, b);

const hides = ({ text }: Candidate, lexicon: Lexicon) => Number(lexicon.found(text, hiddenIn).length > 0);

/** To ask for them again takes a while even where they are there. */
let modules: Awaited<ReturnType<typeof load>> | undefined;
const load = () => Promise.all([import('./conflicts.js'), import('./near-copies.js')]);
