import type { Neighbour } from '../../math/nearest.js';
import { rivalry } from '../../text/facts/contradiction.js';
import { type FactDifference, factDifferences, factsOf } from '../../text/facts/facts.js';
import type { Facts } from '../../text/facts/reader.js';
import { sameStatement } from '../../text/facts/statement.js';
import type { Lexicon } from '../../text/lexicon.js';
import type { Candidate, Conflict } from '../../types.js';

/** Number of conflicts to report for one candidate: the nearest ones. */
const MAX_RIVALS = 3;
/**
 * If a candidate differs from more others than this, each of which states something else, they are rows of a form, not
 * contradictions.
 */
const MAX_STATEMENTS = 3;

interface Found {
  /** Places in the pool, ordered by place in the input, lower first. */
  readonly places: readonly [number, number];
  /** Absent if the texts differ, but not in a fact. */
  readonly difference: FactDifference | undefined;
  readonly distance: number;
}

/** Pairs of candidates that contradict each other, by place in a pool of any order. */
export class Conflicts {
  /** By place: the pairs that it is in. */
  readonly #found = new Map<number, Found[]>();
  readonly #numbers = new Map<number, string>();
  constructor(
    readonly candidates: readonly Candidate[],
    readonly lexicon: Lexicon,
  ) {}

  /**
   * Whether the texts differ in a fact, in the order of their facts, or in another word of substance. Then they must not be
   * merged: "A costs $10, B $20" has the same words and facts as "A costs $20, B $10".
   */
  differ(a: number, b: number): boolean {
    // Numbers tell most texts apart, and comparing two strings is far faster than comparing two sets.
    if (this.#numbersOf(a) !== this.#numbersOf(b)) return true;
    const [left, right] = [this.#facts(a), this.#facts(b)];
    return factDifferences(left, right) !== undefined || !sameStatement(left, right);
  }

  /** Finds the neighbours that contradict a candidate. Each pair of candidates is to be compared once. */
  compare(place: number, neighbours: readonly Neighbour[]): void {
    for (const { place: other, distance } of neighbours) {
      const places: [number, number] =
        this.#index(other) < this.#index(place) ? [other, place] : [place, other];
      const found = rivalry(this.#facts(places[0]), this.#facts(places[1]));
      if (found === undefined) continue;
      const pair = { places, difference: found === 'otherwise' ? undefined : found, distance };
      for (const each of places) this.#foundAt(each).push(pair);
    }
  }

  #foundAt(place: number): Found[] {
    const known = this.#found.get(place);
    if (known !== undefined) return known;
    const none: Found[] = [];
    this.#found.set(place, none);
    return none;
  }

  /**
   * For each candidate, the places in the input of candidates that state something else at the same point, ascending:
   * contradictions, rows of a form, texts with other words. They are not redundant with each other.
   */
  byCandidate(): ReadonlyMap<number, readonly number[]> {
    const others = new Map<number, number[]>();
    for (const [place, found] of this.#found) {
      const indices = found.map((each) => this.#index(rivalOf(place, each)));
      others.set(
        place,
        indices.sort((x, y) => x - y),
      );
    }
    return others;
  }

  /** The conflicts to report, in input order, without rows of a form. */
  list(): Conflict[] {
    const rows = new Set<number>();
    for (const [place, found] of this.#found) {
      if (isRow(place, found)) rows.add(place);
    }
    const reported = new Set<Found>();
    for (const [place, all] of this.#found) {
      const ofOneForm = (each: Found) => rows.has(place) && rows.has(rivalOf(place, each));
      if (all.every(ofOneForm)) continue;
      const found = all.filter(({ difference }) => difference !== undefined);
      const nearest = found.toSorted(
        (a, b) => a.distance - b.distance || this.#index(rivalOf(place, a)) - this.#index(rivalOf(place, b)),
      );
      for (const each of nearest.slice(0, MAX_RIVALS)) if (!ofOneForm(each)) reported.add(each);
    }
    const conflicts = Array.from(reported, ({ places, difference }): Conflict => {
      const [left, right] = places.map((place) => this.candidates[place]) as [Candidate, Candidate];
      return {
        ids: [left.id, right.id],
        indices: [left.index, right.index],
        ...(difference as FactDifference),
      };
    });
    return conflicts.sort(({ indices: [a, b] }, { indices: [c, d] }) => a - c || b - d);
  }

  #index(place: number): number {
    return (this.candidates[place] as Candidate).index;
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
    return this.lexicon.found((this.candidates[place] as Candidate).text, factsOf);
  }
}

const rivalOf = (place: number, { places: [one, other] }: Found): number => (one === place ? other : one);

/** Whether the other texts state more different things than contradictions would. */
function isRow(place: number, found: readonly Found[]): boolean {
  const statements = new Set<string>();
  for (const { places, difference } of found) {
    if (difference !== undefined) statements.add(difference.differences[places[0] === place ? 1 : 0].join());
    if (statements.size > MAX_STATEMENTS) return true;
  }
  return false;
}
