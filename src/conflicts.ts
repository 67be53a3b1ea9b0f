import { type FactDifference, factDifferences } from './text/facts/facts.js';
import type { Lexicon } from './text/lexicon.js';
import type { Candidate, Conflict } from './types.js';

/** Of many that contradict one candidate, the nearest this many are recorded. */
const MAX_RIVALS = 3;
/** More texts than this with one frame fill in a form: rows of a list, not contradictions. */
const MAX_OF_ONE_FRAME = 4;
/** A frame shorter than this ("is", "the … of …") says too little for two texts to be about one thing. */
const MIN_FRAME_WORDS = 3;
/** In a longer text a fact or two move the distance so little that near-copies find the conflict. */
const MAX_FRAME_TEXT_WORDS = 80;
/** Words that two texts of one frame must share, as Jaccard similarity, to be about one thing. */
const MIN_FRAME_OVERLAP = 0.5;

/** A near-copy, by place in the pool, with another fact. */
export interface Rival {
  place: number;
  distance: number;
}

interface Reading {
  readonly numbers: string;
  /** The words around each negation: what is denied, and of what. */
  readonly denied: string;
  /** Facts that count one-sided, too, in the order of the text. */
  readonly strong: readonly string[];
}

/** Pairs of candidates, by place in the pool, that say nearly the same with different facts. */
export class Conflicts {
  /** By the two places, lower first. */
  readonly #found = new Map<string, { places: [number, number]; difference: FactDifference }>();
  readonly #readings = new Map<number, Reading>();
  constructor(
    readonly candidates: readonly Candidate[],
    readonly lexicon: Lexicon,
  ) {}

  /**
   * Do the texts differ in a fact, or in the order of their facts? Then they must not be merged: "A costs $10,
   * B $20" has the words and the facts of "A costs $20, B $10".
   */
  differ(a: number, b: number): boolean {
    const [left, right] = [this.#reading(a), this.#reading(b)];
    return (
      left.numbers !== right.numbers ||
      left.denied !== right.denied ||
      left.strong.filter((key) => right.strong.includes(key)).join() !==
        right.strong.filter((key) => left.strong.includes(key)).join() ||
      this.#difference(a, b) !== undefined
    );
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

  #difference(a: number, b: number) {
    const [left, right] = [this.candidates[a], this.candidates[b]] as [Candidate, Candidate];
    return factDifferences(this.lexicon.facts(left.text), this.lexicon.facts(right.text));
  }

  /** What tells most texts apart at a glance: comparing two strings is far faster than comparing two sets. */
  #reading(place: number): Reading {
    let reading = this.#readings.get(place);
    if (reading === undefined) {
      const { text } = this.candidates[place] as Candidate;
      const { facts, numbers, negations } = this.lexicon.facts(text);
      const words = negations.size === 0 ? [] : this.lexicon.words(text);
      const around = (at: number) => words.slice(Math.max(0, at - 2), at + 3);
      reading = {
        numbers: [...numbers].sort().join(),
        denied: words.flatMap((word, at) => (negations.has(word) ? around(at) : [])).join(),
        strong: [...facts].filter(([, fact]) => !fact.weak).map(([key]) => key),
      };
      this.#readings.set(place, reading);
    }
    return reading;
  }

  #overlap(a: number, b: number): number {
    const terms = (place: number) => new Set(this.lexicon.terms((this.candidates[place] as Candidate).text));
    const [left, right] = [terms(a), terms(b)];
    const shared = [...left].filter((term) => right.has(term)).length;
    return shared / (left.size + right.size - shared);
  }
}
