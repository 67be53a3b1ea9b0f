import { type FactDifference, type Facts, factDifferences } from './text/facts/facts.js';
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
export interface Rival {
  place: number;
  distance: number;
}

/** Pairs of candidates, by place in the pool, that say nearly the same with different facts. */
export class Conflicts {
  /** By the two places, lower first. */
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
    for (const rival of rivals) this.#record(place, rival.place);
  }

  /** Adds a rival to a list of the nearest, which stays short however many there are. */
  static add(rivals: Rival[], rival: Rival): void {
    rivals.push(rival);
    rivals.sort((a, b) => a.distance - b.distance || a.place - b.place);
    if (rivals.length > MAX_RIVALS) rivals.pop();
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

  /** For each candidate that is in conflict, the others' places in the input, ascending. */
  byCandidate(): ReadonlyMap<number, readonly number[]> {
    const others = new Map<number, number[]>();
    for (const {
      places: [a, b],
    } of this.#found.values()) {
      for (const [place, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const index = (this.candidates[other] as Candidate).index;
        others.set(
          place,
          [...(others.get(place) ?? []), index].sort((x, y) => x - y),
        );
      }
    }
    return others;
  }

  /** In input order. */
  list(): Conflict[] {
    const found = [...this.#found.values()].sort(({ places: [a, b] }, { places: [c, d] }) => a - c || b - d);
    return found.map(({ places: [a, b], difference: { kinds, differences } }) => {
      const [left, right] = [this.candidates[a], this.candidates[b]] as [Candidate, Candidate];
      return { ids: [left.id, right.id], indices: [left.index, right.index], kinds, differences };
    });
  }

  /** Not where one text only names someone whom the other leaves out: that is no contradiction. */
  #record(one: number, other: number): void {
    const places: [number, number] = one < other ? [one, other] : [other, one];
    if (this.#found.has(places.join())) return;
    const difference = this.#difference(...places);
    if (difference === undefined) return;
    const { kinds, differences } = difference;
    if (kinds.every((kind) => kind === 'name') && differences.some((side) => side.length === 0)) return;
    this.#found.set(places.join(), { places, difference });
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
    return this.lexicon.facts((this.candidates[place] as Candidate).text);
  }

  #overlap(a: number, b: number): number {
    const terms = (place: number) => new Set(this.lexicon.terms((this.candidates[place] as Candidate).text));
    const [left, right] = [terms(a), terms(b)];
    const shared = [...left].filter((term) => right.has(term)).length;
    return shared / (left.size + right.size - shared);
  }
}
