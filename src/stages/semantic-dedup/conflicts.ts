import type { Neighbour } from '../../math/nearest.js';
import { datingOf } from '../../pool/dating.js';
import { inputOrder } from '../../pool/ranking.js';
import { defined } from '../../runtime/defined.js';
import type { Pacer } from '../../runtime/pacer.js';
import { rivalry } from '../../text/facts/contradiction.js';
import { type FactDifference, factDifferences, factsOf, KINDS } from '../../text/facts/facts.js';
import { isSameCase, letterCasesOf } from '../../text/facts/letter-case.js';
import type { Facts } from '../../text/facts/reader.js';
import { fewestWordsFirst, sameStatement } from '../../text/facts/statement.js';
import { areOneDocument, areTitledAlike, type StatementDifference } from '../../text/facts/statements.js';
import { Cells } from '../../text/facts/stretches.js';
import { previewOf } from '../../text/hidden/preview.js';
import type { Lexicon } from '../../text/lexicon.js';
import type { Candidate, Conflict, ConflictLevel, ConflictSide } from '../../types.js';
import { byText } from './by-text.js';
import { type Statement, Statements } from './statements.js';
import { wordingOf } from './wording.js';

/** Number of conflicts to report for one candidate by whole texts: the nearest ones. */
const MAX_RIVALS = 3;
/** If more sides than this state something else, they are rows of a form, not versions of one statement. */
const MOST_SIDES = 4;

/**
 * The work that comparing whole texts may take in one call, in cells of tables: so many for each character of all texts,
 * but not fewer than the least. Then the time grows with the length of the texts, no matter how many of them are alike.
 */
const CELLS = { each: 512, least: 2 ** 25 };
/** Reading the facts around one item of a text takes as long as so many cells. */
const CELLS_OF_ITEM = 256;

interface Pair {
  /** Places in the pool, ordered by place in the input, lower first. */
  readonly places: readonly [number, number];
  readonly distance: number;
}

interface Found extends Pair {
  /** Absent if the texts differ, but not in a fact. */
  readonly difference: FactDifference | undefined;
}

/** Two statements that say something else of the same thing. */
interface Rival extends StatementDifference {
  readonly statements: readonly [Statement, Statement];
}

/** Candidates that say something else of the same thing, by place in a pool of any order. */
export class Conflicts {
  /** By place: the pairs of whole texts that it is in. */
  readonly #found = new Map<number, Found[]>();
  readonly #numbers = new Map<number, string>();
  readonly #pairs: Pair[] = [];
  #rivals: readonly Rival[] = [];

  constructor(
    readonly candidates: readonly Candidate[],
    readonly lexicon: Lexicon,
  ) {}

  /**
   * Whether the texts differ in a fact, in the order of their facts, in a sign, or in another word of substance. Then they
   * must not be merged: "A costs $10, B $20" has the same words and facts as "A costs $20, B $10".
   */
  differ(a: number, b: number): boolean {
    // Numbers tell most texts apart, and comparing two strings is far faster than comparing two sets.
    if (this.#numbersOf(a) !== this.#numbersOf(b)) return true;
    const [left, right] = [this.#facts(a), this.#facts(b)];
    return (
      left.signs !== right.signs ||
      factDifferences(left, right) !== undefined ||
      !sameStatement(left, right) ||
      !isSameCase(this.#read(a, letterCasesOf), this.#read(b, letterCasesOf))
    );
  }

  /** Orders places of near-copies: the one without additions first. */
  plainestFirst(a: number, b: number): number {
    return fewestWordsFirst(this.#facts(a), this.#facts(b));
  }

  /** Notes with which neighbours a candidate is to be compared as a whole. Each pair of candidates is to be noted once. */
  note(place: number, neighbours: readonly Neighbour[]): void {
    for (const { place: other, distance } of neighbours) {
      const places: Pair['places'] = this.#inputOrder(other, place) < 0 ? [other, place] : [place, other];
      this.#pairs.push({ places, distance });
    }
  }

  /**
   * Compares the candidates that stay, as a whole and statement by statement, after all pairs were noted.
   *
   * @returns whether a bound on the work acted, so that differences may be missing.
   */
  async compare(places: readonly number[], pacer: Pacer): Promise<boolean> {
    const isCoarse = await this.#compareTexts(pacer);
    const isBounded = await this.#compareStatements(places, pacer);
    return isCoarse || isBounded;
  }

  /** Finds the pairs that contradict each other as a whole. The nearest are compared first, in any order of the input. */
  async #compareTexts(pacer: Pacer): Promise<boolean> {
    const length = this.candidates.reduce((sum, { text }) => sum + text.length, 0);
    const cells = new Cells(Math.max(CELLS.least, CELLS.each * length));
    for (const { places, distance } of this.#pairs.toSorted((a, b) => this.#nearerFirst(a, b))) {
      if (pacer.due()) await pacer.pause();
      const [one, other] = places.map((place) => this.#facts(place)) as [Facts, Facts];
      if (!cells.take(CELLS_OF_ITEM * (one.items.length + other.items.length))) continue;
      const found = rivalry(one, other, cells);
      if (found === undefined) continue;
      const pair = { places, difference: found === 'otherwise' ? undefined : found, distance };
      for (const each of places) this.#foundAt(each).push(pair);
    }
    return cells.isSpent;
  }

  /** Pairs of one distance are ordered by their texts. */
  #nearerFirst(a: Pair, b: Pair): number {
    if (a.distance !== b.distance) return a.distance - b.distance;
    const [one, other] = [a, b].map(({ places }) => places.map((place) => this.#text(place)).sort());
    return (
      byText(one?.[0] as string, other?.[0] as string) || byText(one?.[1] as string, other?.[1] as string)
    );
  }

  #foundAt(place: number): Found[] {
    const known = this.#found.get(place);
    if (known !== undefined) return known;
    const none: Found[] = [];
    this.#found.set(place, none);
    return none;
  }

  async #compareStatements(places: readonly number[], pacer: Pacer): Promise<boolean> {
    const inInputOrder = places.toSorted((a, b) => this.#inputOrder(a, b));
    const statements = await Statements.of(this.candidates, inInputOrder, this.lexicon, pacer);
    const { pairs, isBounded } = await statements.rivals();
    const rivals: Rival[] = [...pairs];
    const known = new Set(
      pairs.flatMap(({ isSure, statements: [one, other] }) => (isSure ? pairsOf(one, other) : [])),
    );
    for (const { places, difference } of this.#reported()) {
      if (known.has(keyOf(...places))) continue;
      const found = statements.stating(places, (difference as FactDifference).differences);
      const { kinds, differences } = difference as FactDifference;
      const [one, other] = found;
      if (!statements.isReplacedOnce(one, other)) continue;
      const isSure = areTitledAlike(one, other) && !areOneDocument(one, other);
      rivals.push({ kinds, sides: differences, isSure, statements: found });
    }
    // A pair of whole texts can be sure of more than a pair of statements.
    const whole = new Set(
      rivals
        .slice(pairs.length)
        .flatMap(({ isSure, statements: [one, other] }) => (isSure ? pairsOf(one, other) : [])),
    );
    this.#rivals = rivals.filter(
      ({ isSure, statements: [one, other] }, at) =>
        at >= pairs.length || isSure || !pairsOf(one, other).some((key) => whole.has(key)),
    );
    return isBounded;
  }

  /**
   * For each candidate, the places in the input of candidates that state something else at the same point, ascending:
   * differences, rows of a form, texts with other words. They are not redundant with each other.
   */
  byCandidate(): ReadonlyMap<number, readonly number[]> {
    const others = new Map<number, Set<number>>();
    const add = (one: number, other: number) => {
      if (one === other) return;
      const own = others.get(one) ?? new Set();
      others.set(one, own.add(this.#index(other)));
    };
    for (const [place, found] of this.#found) for (const each of found) add(place, rivalOf(place, each));
    for (const { isSure, statements } of this.#rivals) {
      if (!isSure) continue;
      for (const [one, other] of [statements, statements.toReversed()] as [Statement, Statement][]) {
        for (const place of one.places) for (const rival of other.places) add(place, rival);
      }
    }
    return new Map(Array.from(others, ([place, own]) => [place, [...own].sort((x, y) => x - y)]));
  }

  /** The conflicts of whole texts to report, without rows of a form. */
  #reported(): Found[] {
    const rows = new Set<number>();
    for (const [place, found] of this.#found) {
      if (isRow(place, found)) rows.add(place);
    }
    const reported = new Set<Found>();
    for (const [place, all] of this.#found) {
      const ofOneForm = (each: Found) => rows.has(place) && rows.has(rivalOf(place, each));
      const found = all.filter((each) => each.difference !== undefined && !ofOneForm(each));
      const nearest = found.toSorted(
        (a, b) => a.distance - b.distance || this.#inputOrder(rivalOf(place, a), rivalOf(place, b)),
      );
      for (const each of nearest.slice(0, MAX_RIVALS)) reported.add(each);
    }
    return [...reported].sort(
      ({ places: [a, c] }, { places: [b, d] }) => this.#inputOrder(a, b) || this.#inputOrder(c, d),
    );
  }

  /**
   * The conflicts to report, in input order. Statements that differ from each other are one conflict with as many sides as
   * they say different things.
   *
   * @param options `preview`: characters of a text that may be shown, or `false`.
   */
  list({ level, preview }: { level: ConflictLevel; preview: number | false }): Conflict[] {
    const conflicts: Conflict[] = [];
    for (const group of grouped(this.#rivals.filter(({ isSure }) => isSure || level === 'possible'))) {
      const sides = sidesOf(group);
      if (sides.length > MOST_SIDES || sides.length < 2) continue;
      const firsts = sides.map(({ statements: [first] }) => first as Statement);
      const wording =
        preview === false
          ? undefined
          : wordingOf(
              firsts,
              sides.map(({ facts }) => facts),
            );
      const show = (text: string) => previewOf(text, preview as number);
      conflicts.push({
        level: group.every(({ isSure }) => isSure) ? 'sure' : 'possible',
        kinds: KINDS.filter((kind) => group.some(({ kinds }) => kinds.includes(kind))),
        ...(wording && { about: show(wording.about) }),
        sides: sides.map(({ statements }, at) => ({
          ...this.#side(statements),
          ...(wording && {
            says: show(wording.says[at] ?? ''),
            excerpt: show((firsts[at] as Statement).text),
          }),
        })),
      });
    }
    const byIndex = new Map(this.candidates.map((candidate) => [candidate.index, candidate]));
    const first = ({ sides }: Conflict, side: number) =>
      byIndex.get(sides[side]?.indices[0] as number) as Candidate;
    return conflicts.sort(
      (a, b) => inputOrder(first(a, 0), first(b, 0)) || inputOrder(first(a, 1), first(b, 1)),
    );
  }

  #side(statements: readonly Statement[]): ConflictSide {
    const places = [...new Set(statements.flatMap((each) => each.places))];
    const candidates = places.map((place) => this.candidates[place] as Candidate).sort(inputOrder);
    const [first] = candidates as [Candidate];
    const [{ source, title }] = first.sources;
    const { date, version } = datingOf(first);
    const documents = new Set(
      candidates.flatMap(({ sources }) => sources.map((each) => each.source ?? each.id)),
    );
    return {
      ids: candidates.map(({ id }) => id),
      indices: candidates.map(({ index }) => index),
      ...defined({ source, title, date: date?.text, version: version?.text, tier: first.tier }),
      support: documents.size,
    };
  }

  #index(place: number): number {
    return (this.candidates[place] as Candidate).index;
  }

  #inputOrder(a: number, b: number): number {
    return inputOrder(this.candidates[a] as Candidate, this.candidates[b] as Candidate);
  }

  #text(place: number): string {
    return (this.candidates[place] as Candidate).text;
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
    return this.#read(place, factsOf);
  }

  #read<T>(place: number, read: (text: string) => T): T {
    return this.lexicon.found(this.#text(place), read);
  }
}

const rivalOf = (place: number, { places: [one, other] }: Found): number => (one === place ? other : one);

const keyOf = (one: number, other: number): string => `${Math.min(one, other)} ${Math.max(one, other)}`;
const pairsOf = (one: Statement, other: Statement): string[] =>
  one.places.flatMap((place) => other.places.map((rival) => keyOf(place, rival)));

/** Whether the other texts state more different things than contradictions would. */
function isRow(place: number, found: readonly Found[]): boolean {
  const statements = new Set<string>();
  for (const { places, difference } of found) {
    if (difference !== undefined) statements.add(difference.differences[places[0] === place ? 1 : 0].join());
    if (statements.size >= MOST_SIDES) return true;
  }
  return false;
}

/** Returns the rivals in groups that statements connect, in the order of their first pairs. */
function grouped(rivals: readonly Rival[]): Rival[][] {
  const groupOf = new Map<Statement, Rival[]>();
  for (const rival of rivals) {
    const [left, right] = rival.statements.map((each) => groupOf.get(each));
    const group = left ?? right ?? [];
    if (left !== undefined && right !== undefined && left !== right) {
      left.push(...right);
      for (const { statements } of right) for (const each of statements) groupOf.set(each, left);
    }
    group.push(rival);
    for (const each of rival.statements) groupOf.set(each, group);
  }
  return [...new Set(groupOf.values())];
}

interface Side {
  readonly facts: readonly string[];
  readonly statements: Statement[];
}

/** Returns the different things that the statements of a group say, in the order of their first chunks. */
function sidesOf(group: readonly Rival[]): Side[] {
  const sides = new Map<string, Side>();
  const known = new Set<Statement>();
  for (const { statements, sides: facts } of group) {
    for (const [at, statement] of statements.entries()) {
      if (known.has(statement)) continue;
      known.add(statement);
      const own = facts[at] as string[];
      const key = [...own].sort().join('\u0000');
      const side = sides.get(key) ?? { facts: own, statements: [] };
      sides.set(key, side);
      side.statements.push(statement);
    }
  }
  return [...sides.values()];
}
