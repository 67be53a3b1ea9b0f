/**
 * Search for near-copies and contradictions among the candidates that stay, by vectors or by words. Contradictions are
 * looked for at greater distances than copies: if two texts say the same of different names, the names are half of the
 * difference, and one text may have a heading that the other lacks.
 */

import { Nearest, type Neighbour } from '../../math/nearest.js';
import type { PipelineInput } from '../../pipeline.js';
import { type Cosines, haveVectors, MOST_KEPT } from '../../pool/cosines.js';
import type { TermIndex } from '../../text/term-index.js';
import type { Candidate } from '../../types.js';
import { indexOf } from '../shared/indexed.js';

/**
 * Texts whose words are at most this much farther apart than `maxDistance` may still be near-copies, with numbers, dates,
 * units and divided words in other spellings. Reading the facts of all texts would take too long.
 */
const OTHER_SPELLINGS = 0.5;
/**
 * A candidate is compared with at most this many near candidates, the nearest first. Copies are among them, and a thousand
 * chunks that fill in the same form do not cost a million comparisons of texts.
 */
export const MOST_COMPARED = 16;
/**
 * A list of the texts that have a word has at most this many, those that come first. Then the time does not grow with the
 * square of the pool. A near text is missed only if it is beyond this place in the list of every rare word that it shares.
 */
const MOST_LISTED = 1024;

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
  /** Texts farther apart are no near-copies. */
  readonly farthestCopy: number;
  /**
   * The candidates of the same namespace that were added before and are within `maxDistance`, or near enough to contradict
   * this one, in the order in which they were added.
   */
  near(place: number): Neighbour[];
  /** Adds this candidate, so that later look-ups find it. */
  add(place: number): void;
  /** The distance of two texts that have the same words in the same order, in one spelling. */
  copyDistance(a: number, b: number): number;
}

/** Compares vectors if there are any, else words. Places are places in `candidates`. */
export function nearCopies(
  candidates: readonly Candidate[],
  maxDistance: number,
  input: PipelineInput,
): NearCopies {
  const { cosines } = input;
  const words = new ByWords(candidates, maxDistance, indexOf(candidates, input));
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
    readonly farthestCopy: number,
    readonly cosines: Cosines,
    readonly words: ByWords,
  ) {
    this.#screened = candidates.map(() => undefined);
    // If not all cosines are kept, looking farther would take several times as long.
    this.#farthest = Math.max(farthestCopy, candidates.length > MOST_KEPT ? 0 : COMPARABLE_BY_VECTORS);
    this.least = 1 - this.#farthest - cosines.rounding;
  }

  near(place: number): Neighbour[] {
    const found = new Map<number, Neighbour>();
    for (const { place: other } of this.#screened[place]?.inOrder() ?? []) {
      const distance = this.copyDistance(place, other);
      const isNear = distance <= this.farthestCopy;
      if (isNear || (distance <= this.#farthest && this.words.containment(place, other) >= CONTAINED)) {
        found.set(other, { place: other, distance });
      }
    }
    this.#screened[place] = undefined;
    for (const other of this.words.comparable(place)) {
      if (!found.has(other)) found.set(other, { place: other, distance: this.copyDistance(place, other) });
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

  copyDistance(a: number, b: number): number {
    return 1 - this.cosines.exact(a, b);
  }
}

/**
 * Jaccard distance of stemmed words.
 *
 * Near texts are found by lists of the texts that have a word among their rarest. Two texts of s and t words with a Jaccard
 * similarity of at least j share at least j / (1 + j) · (s + t) words. So they share one of the s − ⌈j s⌉ + 1 rarest words
 * of the first that is also one of the rarest of the second; at most ⌈j s⌉ − 1 or ⌈j t⌉ − 1 common words are not among
 * them.
 *
 * Source: C. Xiao, W. Wang, X. Lin, J. X. Yu, "Efficient similarity joins for near duplicate detection", 2008.
 */
class ByWords implements NearCopies {
  readonly measure = 'lexical';
  readonly farthestCopy: number;
  readonly #least: number;
  readonly #added: number[] = [];
  /** By rank of a word: the first texts that were added and have it among their rarest. */
  readonly #lists = new Map<number, number[]>();
  /** By place: the number of rare words that the candidate shares with the one that is compared. */
  readonly #hits: Int32Array;

  constructor(
    readonly candidates: readonly Candidate[],
    maxDistance: number,
    /** It has the stems of each candidate. */
    readonly index: TermIndex,
  ) {
    this.farthestCopy = maxDistance + OTHER_SPELLINGS;
    this.#least = Math.min(1 - this.farthestCopy, COMPARABLE) - EPSILON;
    this.#hits = new Int32Array(candidates.length);
  }

  near(place: number): Neighbour[] {
    const { namespace } = this.candidates[place] as Candidate;
    const found = new Nearest(MOST_COMPARED);
    for (const other of this.#mayBeNear(place)) {
      if ((this.candidates[other] as Candidate).namespace !== namespace) continue;
      const similarity = this.#similarity(place, other);
      if (similarity >= this.#least) found.add(other, 1 - similarity);
    }
    return found.inOrder();
  }

  /** The candidates of the same namespace that were added before and share enough words to contradict this one. */
  comparable(place: number): number[] {
    return this.near(place)
      .filter(({ distance }) => distance <= 1 - COMPARABLE)
      .map(({ place: other }) => other);
  }

  /** Share of the words of the smaller text that the other text also has. */
  containment(a: number, b: number): number {
    const shared = this.index.sharedBy(a, b);
    return shared === 0 ? 0 : shared / Math.min(this.index.sizeOf(a), this.index.sizeOf(b));
  }

  /** Jaccard similarity of the words. */
  #similarity(a: number, b: number): number {
    const shared = this.index.sharedBy(a, b);
    return shared === 0 ? 0 : shared / (this.index.sizeOf(a) + this.index.sizeOf(b) - shared);
  }

  /** The number of words that a near text may share beside the rarest. */
  #common(place: number): number {
    return Math.max(0, Math.ceil(this.#least * this.index.sizeOf(place)) - 1);
  }

  #rarest(place: number): Int32Array {
    return this.index.rarest(place, this.index.sizeOf(place) - this.#common(place));
  }

  #mayBeNear(place: number): number[] {
    // Texts without any common word count as near then.
    if (this.#least <= 0) return this.#added.slice(0, MOST_LISTED);
    const hits = this.#hits;
    const found: number[] = [];
    /** Lists that may lack a text. */
    let full = 0;
    for (const word of this.#rarest(place)) {
      const list = this.#lists.get(word) ?? [];
      if (list.length === MOST_LISTED) full++;
      for (const other of list) {
        if (hits[other] === 0) found.push(other);
        hits[other] = (hits[other] as number) + 1;
      }
    }
    const size = this.index.sizeOf(place);
    const common = this.#common(place);
    const share = this.#least / (1 + this.#least);
    return found.filter((other) => {
      const most = (hits[other] as number) + full + Math.max(common, this.#common(other));
      hits[other] = 0;
      return most >= share * (size + this.index.sizeOf(other));
    });
  }

  add(place: number): void {
    this.#added.push(place);
    for (const word of this.#rarest(place)) {
      const list = this.#lists.get(word);
      if (list === undefined) this.#lists.set(word, [place]);
      else if (list.length < MOST_LISTED) list.push(place);
    }
  }

  copyDistance(): number {
    return 0;
  }
}
