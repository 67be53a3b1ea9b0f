import { evict, inheritSources } from '../candidate.js';
import type { Stage } from '../pipeline.js';
import { byScore, pinnedFirst } from '../ranking.js';
import { haveVectors, lexicalSimilarity, vectorSimilarity } from '../similarity.js';
import { factDifferences } from '../text/facts.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Candidate, Conflict, Eviction } from '../types.js';

const NAME = 'semantic-dedup';
/** A frame shorter than this ("is", "the … of …") says too little for two texts to be about one thing. */
const MIN_FRAME_WORDS = 3;
/** In a longer text a fact or two move the distance so little that near-copies find the conflict. */
const MAX_FRAME_TEXT_WORDS = 80;
/** Words two texts of one frame must share, as Jaccard, to be about one thing. */
const MIN_FRAME_OVERLAP = 0.5;

/** Near-copies: the one that stays, the ones that go with their distance to it. All close to each other. */
interface Group {
  readonly keeper: number;
  readonly members: number[];
  readonly copies: { place: number; distance: number }[];
}

/**
 * Evicts near-copies within `maxDistance`: cosine distance where there are vectors, else Jaccard distance
 * of stemmed words. Candidates are visited best first (pinned, score, input order); one joins the nearest
 * group only if it is close to every member (complete link: no chain through a hub), else it starts its
 * own. The first of a group stays and inherits the sources of the rest.
 *
 * Near-copies that differ in a number, date, unit, name or negation are never merged. They are recorded as
 * a conflict, as are texts of the same frame of words with different facts in it; a name that one has and
 * the other lacks keeps them apart, but is no conflict.
 */
export function semanticDedup({ maxDistance }: { maxDistance: number }): Stage {
  return {
    name: NAME,
    async run({ candidates, lexicon, pacer }) {
      const similarity = haveVectors(candidates)
        ? vectorSimilarity(candidates)
        : lexicalSimilarity(candidates, lexicon, 'jaccard');
      const visits = candidates.map((_, place) => place);
      const compare = pinnedFirst(byScore);
      visits.sort((a, b) => compare(candidates[a] as Candidate, candidates[b] as Candidate));

      const groups: Group[] = [];
      const groupOf = new Map<number, Group>();
      const conflicts = new Conflicts(candidates, lexicon);
      for (const place of visits) {
        if (pacer.due()) await pacer.pause();
        const candidate = candidates[place] as Candidate;
        const row = similarity.row(place);
        let nearest: { group: Group; distance: number } | undefined;
        for (const group of groups) {
          const distance = 1 - (row[group.keeper] as number);
          if (distance > maxDistance || !sameNamespace(candidate, candidates[group.keeper] as Candidate))
            continue;
          const differs = group.members.filter((member) => conflicts.differ(place, member));
          if (differs.length > 0) {
            conflicts.record(place, group.keeper);
            continue;
          }
          const close = group.members.every((member) => 1 - (row[member] as number) <= maxDistance);
          if (close && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
            nearest = { group, distance };
        }
        if (nearest === undefined || candidate.pinned) {
          const group: Group = { keeper: place, members: [place], copies: [] };
          groups.push(group);
          groupOf.set(place, group);
        } else {
          nearest.group.members.push(place);
          nearest.group.copies.push({ place, distance: nearest.distance });
          groupOf.set(place, nearest.group);
        }
      }
      conflicts.recordFrames(groups.map((group) => group.keeper));

      const kept: Candidate[] = [];
      const evicted: Eviction[] = [];
      for (const [place, candidate] of candidates.entries()) {
        const group = groupOf.get(place) as Group;
        if (group.keeper === place) {
          const copies = group.copies.map((copy) => candidates[copy.place] as Candidate);
          kept.push(conflicts.mark(inheritSources(candidate, copies), place));
          continue;
        }
        const { distance } = group.copies.find((copy) => copy.place === place) as { distance: number };
        const keptId = (candidates[group.keeper] as Candidate).id;
        const { measure } = similarity;
        evicted.push(
          evict(candidate, NAME, { reason: 'semantic-duplicate', keptId, distance, maxDistance, measure }),
        );
      }
      return { kept, evicted, conflicts: conflicts.list() };
    },
  };
}

const sameNamespace = (a: Candidate, b: Candidate) => a.namespace === b.namespace;

/** Pairs of candidates, by place, that say nearly the same with different facts. */
class Conflicts {
  readonly #pairs = new Map<string, [number, number]>();
  constructor(
    readonly candidates: readonly Candidate[],
    readonly lexicon: Lexicon,
  ) {}

  #difference(a: number, b: number) {
    const [left, right] = [this.candidates[a], this.candidates[b]] as [Candidate, Candidate];
    return factDifferences(this.lexicon.facts(left.text), this.lexicon.facts(right.text));
  }

  differ(a: number, b: number): boolean {
    return this.#difference(a, b) !== undefined;
  }

  /** Not where one text only names someone whom the other leaves out: that is no contradiction. */
  record(a: number, b: number): void {
    const { kinds = [], differences = [[], []] } = this.#difference(a, b) ?? {};
    if (kinds.every((kind) => kind === 'name') && differences.some((side) => side.length === 0)) return;
    const pair: [number, number] = a < b ? [a, b] : [b, a];
    this.#pairs.set(pair.join(), pair);
  }

  /** Finds pairs whose words are the same but for facts: short texts, where few words make the distance. */
  recordFrames(places: readonly number[]): void {
    const frames = new Map<string, number[]>();
    for (const place of places) {
      const { namespace, text } = this.candidates[place] as Candidate;
      if (this.lexicon.words(text).length > MAX_FRAME_TEXT_WORDS) continue;
      const { frame } = this.lexicon.facts(text);
      if (frame.length < MIN_FRAME_WORDS) continue;
      const key = `${namespace}\u0000${frame.join(' ')}`;
      for (const other of frames.get(key) ?? []) {
        if (this.#overlap(place, other) >= MIN_FRAME_OVERLAP && this.differ(place, other))
          this.record(place, other);
      }
      frames.set(key, [...(frames.get(key) ?? []), place]);
    }
  }

  #overlap(a: number, b: number): number {
    const [left, right] = [a, b].map(
      (place) => new Set(this.lexicon.terms((this.candidates[place] as Candidate).text)),
    );
    const shared = [...(left as Set<string>)].filter((term) => (right as Set<string>).has(term)).length;
    return shared / ((left as Set<string>).size + (right as Set<string>).size - shared);
  }

  /** The candidate, knowing which others it is in conflict with. */
  mark(candidate: Candidate, place: number): Candidate {
    const others = [...this.#pairs.values()]
      .filter((pair) => pair.includes(place))
      .map(([a, b]) => (a === place ? b : a));
    if (others.length === 0) return candidate;
    const indices = others.map((other) => (this.candidates[other] as Candidate).index).sort((a, b) => a - b);
    return Object.freeze({ ...candidate, conflicts: Object.freeze(indices) });
  }

  /** In input order. */
  list(): Conflict[] {
    const pairs = [...this.#pairs.values()].toSorted(([a, b], [c, d]) => a - c || b - d);
    return pairs.map(([a, b]) => {
      const [left, right] = [this.candidates[a], this.candidates[b]] as [Candidate, Candidate];
      const difference = this.#difference(a, b);
      return {
        ids: [left.id, right.id],
        indices: [left.index, right.index],
        kinds: difference?.kinds ?? [],
        differences: difference?.differences ?? [[], []],
      };
    });
  }
}
