import type { ResolvedOptions } from '../../input/options.js';
import type { Neighbour } from '../../math/nearest.js';
import type { PipelineStage } from '../../pipeline.js';
import { evict, inheritSources, renderedWith, withSignals } from '../../pool/candidate.js';
import { byScore, type Comparison, pinnedFirst, trustedFirst } from '../../pool/ranking.js';
import type { TokenCounter } from '../../ports.js';
import { onDemand } from '../../runtime/on-demand.js';
import { hiddenIn } from '../../text/hidden/hidden.js';
import type { Candidate, Degradation, Eviction } from '../../types.js';
import type { Mark } from './prefer.js';

const NAME = 'semantic-dedup';
const INCOMPLETE: Degradation = Object.freeze({
  stage: NAME,
  code: 'conflicts-incomplete',
  message:
    'The chunks have too many similar texts or statements, so only the most similar pairs were compared. Some differences may be missing. Fetch fewer chunks, or set a namespace.',
});

/**
 * Evicts near-copies: texts with the same facts, words and signs in the same order (`sequenceOf`), within `maxDistance` by
 * vectors. No text joins a group by the nearness of its vector alone. Without vectors, the words select the pairs to read,
 * and the distance of near-copies is 0: they are equal in one spelling. Candidates are visited best first: by trust, pin, no
 * hidden characters, score, input order. A candidate joins the nearest group only if it is close to every member (complete
 * link, so that no chain forms); otherwise it starts its own. The first of a group stays and inherits the sources of the
 * others.
 *
 * Contradictions are looked for beyond `maxDistance`: two candidates that stay and state different facts at the same point
 * are recorded as a conflict, and no later stage treats them as redundant with each other.
 *
 * The option `conflicts.prefer` puts one side of a conflict first and marks the candidates of the others as superseded;
 * their frame then names the preferred candidate, and its tokens are counted. `conflicts.drop` evicts those of them that
 * state nothing else.
 *
 * A candidate is compared with the sixteen nearest candidates that stay, and with at most sixteen members of a group. How
 * many pairs are compared for contradictions has a bound for the whole call.
 */
export function semanticDedup({
  maxDistance,
  conflicts: preferring = { level: 'sure', drop: false },
  preview = false,
}: {
  maxDistance: number;
  conflicts?: ResolvedOptions['conflicts'];
  preview?: number | false;
}): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      const { candidates, lexicon, pacer } = input;
      if (candidates.length < 2) return { kept: candidates, evicted: [], conflicts: [] };
      const [{ Conflicts }, { MOST_COMPARED, nearCopies }] = await Promise.all([
        loadConflicts(),
        loadNearCopies(),
      ]);
      const hiding = new Set<Candidate>();
      for (const candidate of candidates) {
        if (lexicon.found(candidate.text, hiddenIn).length > 0) hiding.add(candidate);
      }
      const line = candidates.toSorted(trustedFirst(pinnedFirst(plainFirst(hiding, byScore))));
      const copies = nearCopies(line, maxDistance, input);
      const conflicts = new Conflicts(line, lexicon);
      const placeOf = new Map(line.map(({ index }, place) => [index, place]));
      const placeIn = ({ index }: Candidate) => placeOf.get(index) as number;
      /** By the place of the first of a group, which stays: its members in the order of their visits, and all near it. */
      const groups = new Map<number, Group>();
      for (const [place, { pinned }] of line.entries()) {
        let nearest: Neighbour | undefined;
        const neighbours = copies.near(place);
        for (const neighbour of neighbours) {
          if (neighbour.distance > copies.farthestCopy) continue;
          const members = (groups.get(neighbour.place) as Group).members.slice(0, MOST_COMPARED);
          if (members.some((member) => conflicts.differ(place, member))) continue;
          if (members.every((member) => copies.copyDistance(place, member) <= maxDistance)) {
            if (nearest === undefined || neighbour.distance < nearest.distance) nearest = neighbour;
          }
        }
        if (nearest === undefined || pinned) {
          groups.set(place, { members: [place], neighbours });
          copies.add(place);
        } else groups.get(nearest.place)?.members.push(place);
        if (pacer.due()) await pacer.pause();
      }
      /** By the place of a member: the place of the one that stays. */
      const stayingOf = new Map<number, number>();
      for (const [staying, { members, neighbours }] of groups) {
        for (const member of members) stayingOf.set(member, staying);
        conflicts.note(staying, neighbours);
      }

      const isBounded = await conflicts.compare([...groups.keys()], pacer);
      const rivals = conflicts.byCandidate();
      const kept: Candidate[] = [];
      const evicted: Eviction[] = [];
      for (const candidate of candidates) {
        const place = placeIn(candidate);
        const group = groups.get(place);
        if (group !== undefined) {
          const others = group.members.slice(1).map((member) => line[member] as Candidate);
          const heir = inheritSources(candidate, others);
          kept.push(Object.freeze({ ...heir, conflicts: Object.freeze(rivals.get(place) ?? []) }));
          continue;
        }
        const staying = stayingOf.get(place) as number;
        const keptId = (line[staying] as Candidate).id;
        const distance = copies.copyDistance(place, staying);
        const { measure } = copies;
        evicted.push(
          evict(candidate, NAME, { reason: 'semantic-duplicate', keptId, distance, maxDistance, measure }),
        );
      }
      const listed = conflicts.list({ level: preferring.level, preview });
      const degradations: Degradation[] = isBounded ? [INCOMPLETE] : [];
      if (preferring.prefer == null || listed.length === 0) {
        return { kept, evicted, conflicts: listed, degradations };
      }
      const { settle } = await loadPrefer();
      const settled = settle(listed, kept, preferring, input.signal);
      if (settled.failure !== undefined) {
        const message = `conflicts.prefer failed, so no side of its conflict is preferred. ${input.tellError(settled.failure.error)}`;
        degradations.push({ stage: NAME, code: 'prefer-failed', message });
      }
      const stays: Candidate[] = [];
      for (const candidate of kept) {
        const mark = settled.superseded.get(candidate.index);
        if (mark === undefined) stays.push(candidate);
        else if (mark.goes) {
          const { by, because } = mark.superseded;
          evicted.push(evict(candidate, NAME, { reason: 'superseded', by, because }));
        } else stays.push(marked(candidate, mark, input.countTokens));
      }
      return { kept: stays, evicted, conflicts: settled.conflicts, degradations };
    },
  };
}

/** The candidate with its mark, in its frame if it has one. */
function marked(candidate: Candidate, { superseded, behind }: Mark, countTokens: TokenCounter): Candidate {
  const known = { ...candidate, superseded, behind };
  if (candidate.render === undefined) return Object.freeze(known);
  const rendered = renderedWith(known, candidate.text);
  return withSignals({ ...known, rendered }, { tokens: countTokens(rendered) });
}

/** A text without hidden characters goes before one with hidden characters, then as `comparison` says. */
const plainFirst =
  (hiding: ReadonlySet<Candidate>, comparison: Comparison): Comparison =>
  (a, b) =>
    Number(hiding.has(a)) - Number(hiding.has(b)) || comparison(a, b);

interface Group {
  members: number[];
  neighbours: readonly Neighbour[];
}

// Pages load less at first.
const loadConflicts = onDemand(() => import('./conflicts.js'));
const loadNearCopies = onDemand(() => import('./near-copies.js'));
const loadPrefer = onDemand(() => import('./prefer.js'));
