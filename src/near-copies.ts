/** Where `semantic-dedup` looks for near-copies: among the candidates that stay, by vectors or by words. */
import { type Cosines, haveVectors } from './cosines.js';
import { NearSets } from './math/near-sets.js';
import type { StageInput } from './pipeline.js';
import { factsOf } from './text/facts/facts.js';
import { areFarther, headsOf } from './text/facts/heads.js';
import { statementOverlap } from './text/facts/statement.js';
import type { Lexicon } from './text/lexicon.js';
import type { Candidate } from './types.js';

/**
 * Texts whose words are so much farther apart than `maxDistance` may be near-copies all the same, with
 * numbers, dates and units in other spellings. To read the facts of all texts would take too long.
 */
const OTHER_SPELLINGS = 0.5;
/**
 * Of more candidates near one than this, the nearest are compared with it. What says the same is among them, and a
 * thousand chunks that fill in one form are not a thousand times a thousand comparisons of texts.
 */
export const MOST_COMPARED = 16;

/** A candidate by its place, as near as `maxDistance` or nearer. */
export interface Neighbour {
  readonly place: number;
  readonly distance: number;
}

/** Candidates are visited in the order in which they were given. */
export interface NearCopies {
  readonly measure: 'cosine' | 'lexical';
  /** Of one namespace with it, those that were added before and are near, in that order. */
  near(place: number): Neighbour[];
  /** Lets those to come find this one. */
  add(place: number): void;
  distance(a: number, b: number): number;
}

/** By vectors where there are some, else by words. Places are those in `candidates`. */
export async function nearCopies(
  candidates: readonly Candidate[],
  maxDistance: number,
  { cosines, lexicon, pacer }: StageInput,
): Promise<NearCopies> {
  if (haveVectors(candidates)) {
    await cosines.pack(candidates, pacer);
    return new ByVectors(candidates, maxDistance, cosines);
  }
  for (const { text } of candidates) {
    lexicon.terms(text);
    if (pacer.due()) await pacer.pause();
  }
  return new ByWords(candidates, maxDistance, lexicon);
}

/** Cosine distance. */
class ByVectors implements NearCopies {
  readonly measure = 'cosine';
  /** For each candidate those before it that seem near: screened in 32-bit sums. */
  readonly #screened: (Nearest | undefined)[];

  /** @param cosines whose slots are the candidates' places: no other stage has asked for any before. */
  constructor(
    readonly candidates: readonly Candidate[],
    readonly maxDistance: number,
    readonly cosines: Cosines,
  ) {
    this.#screened = candidates.map(() => undefined);
  }

  near(place: number): Neighbour[] {
    const found: Neighbour[] = [];
    for (const { place: other } of this.#screened[place]?.inOrder() ?? []) {
      const distance = this.distance(place, other);
      if (distance <= this.maxDistance) found.push({ place: other, distance });
    }
    this.#screened[place] = undefined;
    return found;
  }

  add(place: number): void {
    const { namespace } = this.candidates[place] as Candidate;
    const least = 1 - this.maxDistance - this.cosines.rounding;
    for (const { slot: other, cosine } of this.cosines.near(place, least)) {
      if ((this.candidates[other] as Candidate).namespace !== namespace) continue;
      this.#screened[other] ??= new Nearest();
      this.#screened[other].add(place, 1 - cosine);
    }
  }

  distance(a: number, b: number): number {
    return 1 - this.cosines.exact(a, b);
  }
}

/** Jaccard distance of stemmed words, or of words of substance with facts in one spelling, if that is less. */
class ByWords implements NearCopies {
  readonly measure = 'lexical';
  readonly #sets: NearSets;

  constructor(
    readonly candidates: readonly Candidate[],
    readonly maxDistance: number,
    readonly lexicon: Lexicon,
  ) {
    const sets = candidates.map(({ text }) => lexicon.terms(text));
    this.#sets = new NearSets(sets, lexicon.vocabulary.size, 1 - maxDistance - OTHER_SPELLINGS);
  }

  near(place: number): Neighbour[] {
    const { namespace } = this.candidates[place] as Candidate;
    const screened = new Nearest();
    this.#sets.near(place, (other, similarity) => {
      if ((this.candidates[other] as Candidate).namespace === namespace) screened.add(other, 1 - similarity);
    });
    const found: Neighbour[] = [];
    for (const { place: other, distance: byWords } of screened.inOrder()) {
      const distance = this.#inOneSpelling(place, other, byWords);
      if (distance <= this.maxDistance) found.push({ place: other, distance });
    }
    return found;
  }

  add(place: number): void {
    this.#sets.add(place);
  }

  distance(a: number, b: number): number {
    return this.#inOneSpelling(a, b, 1 - this.#sets.similarity(a, b));
  }

  #inOneSpelling(a: number, b: number, distance: number): number {
    if (distance <= this.maxDistance || distance > this.maxDistance + OTHER_SPELLINGS) return distance;
    const { lexicon, maxDistance } = this;
    const textOf = (place: number) => (this.candidates[place] as Candidate).text;
    const [one, other] = [textOf(a), textOf(b)];
    const [left, right] = [lexicon.found(one, headsOf), lexicon.found(other, headsOf)];
    if (left !== undefined && right !== undefined && areFarther(left, right, maxDistance)) return distance;
    const overlap = statementOverlap(lexicon.found(one, factsOf), lexicon.found(other, factsOf));
    return Math.min(distance, 1 - overlap);
  }
}

/** The nearest {@link MOST_COMPARED} of many. */
class Nearest {
  /** By distance, then place. */
  readonly #found: Neighbour[] = [];

  add(place: number, distance: number): void {
    const found = this.#found;
    const isBefore = (other: Neighbour | undefined) =>
      other === undefined ||
      distance < other.distance ||
      (distance === other.distance && place < other.place);
    if (!isBefore(found[MOST_COMPARED - 1])) return;
    let at = found.length;
    while (at > 0 && isBefore(found[at - 1])) at--;
    found.splice(at, 0, { place, distance });
    if (found.length > MOST_COMPARED) found.pop();
  }

  /** By place. */
  inOrder(): Neighbour[] {
    return this.#found.toSorted((a, b) => a.place - b.place);
  }
}
