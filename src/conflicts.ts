import { NearSets } from './math/near-sets.js';
import { type FactDifference, type Facts, factDifferences, factsOf } from './text/facts/facts.js';
import { sameStatement, swappedFacts } from './text/facts/statement.js';
import type { Lexicon } from './text/lexicon.js';
import type { Candidate, Conflict } from './types.js';

/** Of many that contradict one candidate, the nearest this many are recorded. */
const MAX_RIVALS = 3;
/** More texts than this with one frame fill in a form: rows of a list, not contradictions. */
const MAX_OF_ONE_FRAME = 4;
/** A frame shorter than this ("is") says too little for two texts to be about one thing. */
const MIN_FRAME_WORDS = 2;
/** In a longer text a fact or two move the distance so little that near-copies find the conflict. */
const MAX_FRAME_TEXT_WORDS = 80;
/** Words that two texts of one frame must share, as Jaccard similarity, to be about one thing. */
const MIN_FRAME_OVERLAP = 0.5;

/** A near-copy, by place in the pool, with another fact. */
interface Rival {
  readonly place: number;
  readonly distance: number;
}

/** Pairs of candidates, by place in a pool of any order, that say nearly the same with different facts. */
export class Conflicts {
  /** By the two places in the input, lower first; the places in the pool come in the same order. */
  readonly #found = new Map<string, { places: [number, number]; difference: FactDifference }>();
  readonly #numbers = new Map<number, string>();
  constructor(
    readonly candidates: readonly Candidate[],
    readonly lexicon: Lexicon,
  ) {}

  /**
   * Do the texts differ in a fact, in the order of their facts, or in another word of substance? Then they must
   * not be merged: "A costs $10, B $20" has the words and the facts of "A costs $20, B $10".
   */
  differ(a: number, b: number): boolean {
    // What tells most texts apart at a glance: comparing two strings is far faster than comparing two sets.
    if (this.#numbersOf(a) !== this.#numbersOf(b)) return true;
    const [left, right] = [this.#facts(a), this.#facts(b)];
    return factDifferences(left, right) !== undefined || !sameStatement(left, right);
  }

  /** Records that a candidate contradicts near-copies of it: the nearest of them, if there are many. */
  record(place: number, rivals: readonly Rival[]): void {
    const nearest = rivals.toSorted(
      (a, b) => a.distance - b.distance || this.#index(a.place) - this.#index(b.place),
    );
    for (const rival of nearest.slice(0, MAX_RIVALS)) this.#record(place, rival.place);
  }

  /** Finds pairs whose words are the same but for facts: short texts, where few words make the distance. */
  recordFrames(places: readonly number[]): void {
    const short = places.filter(
      (place) => this.lexicon.words(this.#text(place)).length <= MAX_FRAME_TEXT_WORDS,
    );
    if (!this.#mayShareFrames(short)) return;
    const frames = new Map<string, number[]>();
    for (const place of short) {
      const key = this.#frameOf(place);
      if (key === undefined) continue;
      const same = frames.get(key);
      if (same === undefined) frames.set(key, [place]);
      else same.push(place);
    }
    for (const same of frames.values()) {
      if (same.length > MAX_OF_ONE_FRAME) continue;
      for (const [at, place] of same.entries()) {
        for (const other of same.slice(0, at)) {
          if (this.#overlap(place, other) >= MIN_FRAME_OVERLAP) this.#record(place, other);
        }
      }
    }
  }

  /**
   * Have two of the texts one frame, and enough words in common? Most pools have no such texts, and looking for common
   * words takes a tenth of the time of reading the facts of all.
   */
  #mayShareFrames(places: readonly number[]): boolean {
    const terms = places.map((place) => this.lexicon.terms(this.#text(place)));
    const sets = new NearSets(terms, this.lexicon.vocabulary.size, MIN_FRAME_OVERLAP);
    let pairs = 0;
    let found = false;
    for (const [at, place] of places.entries()) {
      sets.near(at, (other) => {
        pairs++;
        found ||=
          pairs > MAX_OF_ONE_FRAME * places.length || this.#haveOneFrame(place, places[other] as number);
      });
      if (found) return true;
      sets.add(at);
    }
    return false;
  }

  #haveOneFrame(a: number, b: number): boolean {
    const frame = this.#frameOf(a);
    return frame !== undefined && frame === this.#frameOf(b);
  }

  /** Equal for texts of one namespace and one frame. */
  #frameOf(place: number): string | undefined {
    const { namespace, text } = this.candidates[place] as Candidate;
    const { frame } = this.lexicon.found(text, factsOf);
    return frame.length < MIN_FRAME_WORDS ? undefined : `${namespace}\u0000${frame.join(' ')}`;
  }

  /** For each candidate that is in conflict, the others' places in the input, ascending. */
  byCandidate(): ReadonlyMap<number, readonly number[]> {
    const others = new Map<number, number[]>();
    const put = (place: number, other: number) => {
      const index = this.#index(other);
      const known = others.get(place);
      if (known === undefined) others.set(place, [index]);
      else known.push(index);
    };
    for (const { places } of this.#found.values()) {
      const [a, b] = places;
      put(a, b);
      put(b, a);
    }
    for (const indices of others.values()) indices.sort((x, y) => x - y);
    return others;
  }

  /** In input order. */
  list(): Conflict[] {
    const found = [...this.#found.values()].map(({ places, difference }): Conflict => {
      const [left, right] = places.map((place) => this.candidates[place]) as [Candidate, Candidate];
      return { ids: [left.id, right.id], indices: [left.index, right.index], ...difference };
    });
    return found.sort(({ indices: [a, b] }, { indices: [c, d] }) => a - c || b - d);
  }

  /** Not where one text only names someone whom the other leaves out: that is no contradiction. */
  #record(one: number, other: number): void {
    const places: [number, number] = this.#index(one) < this.#index(other) ? [one, other] : [other, one];
    if (this.#found.has(places.join())) return;
    const difference = this.#difference(...places);
    if (difference === undefined) return;
    const { kinds, differences } = difference;
    if (kinds.every((kind) => kind === 'name') && differences.some((side) => side.length === 0)) return;
    this.#found.set(places.join(), { places, difference });
  }

  #index(place: number): number {
    return (this.candidates[place] as Candidate).index;
  }

  #difference(a: number, b: number): FactDifference | undefined {
    const [left, right] = [this.#facts(a), this.#facts(b)];
    return factDifferences(left, right) ?? swappedFacts(left, right);
  }

  #numbersOf(place: number): string {
    let numbers = this.#numbers.get(place);
    if (numbers === undefined) {
      numbers = [...this.#facts(place).numbers.keys()].sort().join();
      this.#numbers.set(place, numbers);
    }
    return numbers;
  }

  #facts(place: number): Facts {
    return this.lexicon.found(this.#text(place), factsOf);
  }

  #text(place: number): string {
    return (this.candidates[place] as Candidate).text;
  }

  #overlap(a: number, b: number): number {
    const terms = (place: number) => new Set(this.lexicon.terms(this.#text(place)));
    const [left, right] = [terms(a), terms(b)];
    const shared = [...left].filter((term) => right.has(term)).length;
    return shared / (left.size + right.size - shared);
  }
}
