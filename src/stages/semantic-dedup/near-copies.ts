/**
 * Search for near-copies and contradictions among the candidates that stay, by vectors or by words. Contradictions are
 * looked for at greater distances than copies: if two texts say the same of different names, the names are half of the
 * difference, and one text may have a heading that the other lacks.
 */

import { Nearest, type Neighbour } from '../../math/nearest.js';
import type { PipelineInput } from '../../pipeline.js';
import { type Cosines, haveVectors, MOST_KEPT } from '../../pool/cosines.js';
import { factsOf } from '../../text/facts/facts.js';
import { statementOverlap } from '../../text/facts/statement.js';
import type { Lexicon } from '../../text/lexicon.js';
import type { TermIndex } from '../../text/term-index.js';
import type { Candidate } from '../../types.js';
import { indexOf } from '../shared/indexed.js';

/**
 * Texts whose words are at most this much farther apart than `maxDistance` may still be near-copies, with numbers, dates and
 * units in other spellings. Reading the facts of all texts would take too long.
 */
const OTHER_SPELLINGS = 0.5;
/**
 * A candidate is compared with at most this many near candidates, the nearest first. Copies are among them, and a thousand
 * chunks that fill in the same form do not cost a million comparisons of texts.
 */
export const MOST_COMPARED = 16;

/**
 * Texts may contradict each other if their Jaccard similarity is at least this. 99 % of the contradictions in RAMDocs, and
 * of those made from XQuAD, are at least as similar.
 */
const COMPARABLE = 0.44;
/** With vectors, also if their cosine distance is at most this */
const COMPARABLE_BY_VECTORS = 0.2;
/** and the smaller text shares at least this part of its words with the other. Reading the facts of all takes too long. */
const CONTAINED = 0.5;

/** Tolerance: rounding must not drop a near text. */
const EPSILON = 1e-9;

/** Candidates are visited in the order in which they were given. */
export interface NearCopies {
  readonly measure: 'cosine' | 'lexical';
  /**
   * The candidates of the same namespace that were added before and are within `maxDistance`, or near enough to contradict
   * this one, in the order in which they were added.
   */
  near(place: number): Neighbour[];
  /** Adds this candidate, so that later look-ups find it. */
  add(place: number): void;
  distance(a: number, b: number): number;
}

/** Compares vectors if there are any, else words. Places are places in `candidates`. */
export function nearCopies(
  candidates: readonly Candidate[],
  maxDistance: number,
  input: PipelineInput,
): NearCopies {
  const { cosines, lexicon } = input;
  const words = new ByWords(candidates, maxDistance, lexicon, indexOf(candidates, input));
  if (!haveVectors(candidates)) return words;
  cosines.packInOrder(candidates);
  return new ByVectors(candidates, maxDistance, cosines, words);
}

/** Cosine distance. */
class ByVectors implements NearCopies {
  readonly measure = 'cosine';
  /** For each candidate, the earlier candidates that seem near by 32-bit sums. */
  readonly #screened: (Nearest | undefined)[];
  readonly #farthest: number;
  /** The least cosine by 32-bit sums of candidates that may be near. */
  readonly least: number;

  /** @param cosines packed in the order of the candidates: slots are places. */
  constructor(
    readonly candidates: readonly Candidate[],
    readonly maxDistance: number,
    readonly cosines: Cosines,
    readonly words: ByWords,
  ) {
    this.#screened = candidates.map(() => undefined);
    // If not all cosines are kept, looking farther would take several times as long.
    this.#farthest = Math.max(maxDistance, candidates.length > MOST_KEPT ? 0 : COMPARABLE_BY_VECTORS);
    this.least = 1 - this.#farthest - cosines.rounding;
  }

  near(place: number): Neighbour[] {
    const found = new Map<number, Neighbour>();
    for (const { place: other } of this.#screened[place]?.inOrder() ?? []) {
      const distance = this.distance(place, other);
      const isNear = distance <= this.maxDistance;
      if (isNear || (distance <= this.#farthest && this.words.containment(place, other) >= CONTAINED)) {
        found.set(other, { place: other, distance });
      }
    }
    this.#screened[place] = undefined;
    for (const other of this.words.comparable(place)) {
      if (!found.has(other)) found.set(other, { place: other, distance: this.distance(place, other) });
    }
    return [...found.values()].sort((a, b) => a.place - b.place);
  }

  add(place: number): void {
    this.words.add(place);
    const { namespace } = this.candidates[place] as Candidate;
    for (const { slot: other, cosine } of this.cosines.near(place, this.least)) {
      if ((this.candidates[other] as Candidate).namespace !== namespace) continue;
      this.#screened[other] ??= new Nearest(MOST_COMPARED);
      this.#screened[other].add(place, 1 - cosine);
    }
  }

  distance(a: number, b: number): number {
    return 1 - this.cosines.exact(a, b);
  }
}

/** The lesser Jaccard distance: of stemmed words, or of words of substance with facts in one spelling. */
class ByWords implements NearCopies {
  readonly measure = 'lexical';
  readonly #least: number;
  readonly #added: number[] = [];
  /** By place: the number of words that the candidate shares with the one that was compared last. */
  readonly #shared: Float64Array<ArrayBuffer>;
  #compared = -1;

  constructor(
    readonly candidates: readonly Candidate[],
    readonly maxDistance: number,
    readonly lexicon: Lexicon,
    /** It has the stems of each candidate. */
    readonly index: TermIndex,
  ) {
    this.#least = Math.min(1 - maxDistance - OTHER_SPELLINGS, COMPARABLE) - EPSILON;
    this.#shared = new Float64Array(candidates.length);
  }

  near(place: number): Neighbour[] {
    return this.#nearest(place).map(({ place: other, distance }) => ({
      place: other,
      distance: this.#inOneSpelling(place, other, distance),
    }));
  }

  /** The candidates of the same namespace that were added before and share enough words to contradict this one. */
  comparable(place: number): number[] {
    return this.#nearest(place)
      .filter(({ distance }) => distance <= 1 - COMPARABLE)
      .map(({ place: other }) => other);
  }

  /** Share of the words of the smaller text that the other text also has. */
  containment(a: number, b: number): number {
    const shared = this.#sharedBy(a)[b] as number;
    return shared === 0 ? 0 : shared / Math.min(this.index.sizeOf(a), this.index.sizeOf(b));
  }

  /** Jaccard similarity of the words. */
  #similarity(a: number, b: number): number {
    const shared = this.#sharedBy(a)[b] as number;
    return shared === 0 ? 0 : shared / (this.index.sizeOf(a) + this.index.sizeOf(b) - shared);
  }

  #sharedBy(place: number): Float64Array {
    if (place !== this.#compared) this.index.shared(place, this.#shared);
    this.#compared = place;
    return this.#shared;
  }

  #nearest(place: number): Neighbour[] {
    const { namespace } = this.candidates[place] as Candidate;
    const found = new Nearest(MOST_COMPARED);
    for (const other of this.#added) {
      const similarity = this.#similarity(place, other);
      if (similarity < this.#least || (this.candidates[other] as Candidate).namespace !== namespace) continue;
      found.add(other, 1 - similarity);
    }
    return found.inOrder();
  }

  add(place: number): void {
    this.#added.push(place);
  }

  distance(a: number, b: number): number {
    return this.#inOneSpelling(a, b, 1 - this.#similarity(a, b));
  }

  #inOneSpelling(a: number, b: number, distance: number): number {
    if (distance <= this.maxDistance || distance > this.maxDistance + OTHER_SPELLINGS) return distance;
    const { lexicon } = this;
    const textOf = (place: number) => (this.candidates[place] as Candidate).text;
    const [one, other] = [textOf(a), textOf(b)];
    const overlap = statementOverlap(lexicon.found(one, factsOf), lexicon.found(other, factsOf));
    return Math.min(distance, 1 - overlap);
  }
}
