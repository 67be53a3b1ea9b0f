import type { Neighbour } from '../../math/nearest.js';
import { datingOf } from '../../pool/dating.js';
import { inputOrder } from '../../pool/ranking.js';
import { defined } from '../../runtime/defined.js';
import { groupBy } from '../../runtime/group-by.js';
import { lazily } from '../../runtime/lazily.js';
import type { Pacer } from '../../runtime/pacer.js';
import { withoutEntities } from '../../text/entities.js';
import { rivalry } from '../../text/facts/contradiction.js';
import { type FactDifference, factDifferences, factsOf, KINDS } from '../../text/facts/facts.js';
import { isSameCase, letterCasesOf } from '../../text/facts/letter-case.js';
import type { Facts } from '../../text/facts/reader.js';
import { sequenceOf } from '../../text/facts/statement.js';
import type { StatementDifference } from '../../text/facts/statements.js';
import { Cells } from '../../text/facts/stretches.js';
import { previewOf } from '../../text/hidden/preview.js';
import type { Lexicon } from '../../text/lexicon.js';
import { undivided } from '../../text/line-hyphens.js';
import type { Candidate, Conflict, ConflictLevel, ConflictSide } from '../../types.js';
import { ranksByText } from './by-text.js';
import { type Claim, type Statement, Statements } from './statements.js';
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
/** Reading the facts around one item of a text takes as long as so many cells, and finding and ordering a pair as these. */
const CELLS_OF_ITEM = 256;
const CELLS_OF_PAIR = 2 ** 14;

/** The chunks of one side, and what the first of them says. */
interface Side {
  readonly places: readonly number[];
  readonly claims: readonly Claim[];
}

interface Pair {
  /** Places in the pool, ordered by their texts, then by place in the input: the order of the input decides nothing else. */
  readonly places: readonly [number, number];
  readonly distance: number;
  /** Pairs of one distance are ordered by this. Only pairs of equal texts have the same. */
  readonly rank: number;
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
  readonly #pairs: Pair[] = [];
  readonly #ranks = lazily(() => ranksByText(this.candidates.map(({ text }) => text)));
  #rivals: readonly Rival[] = [];
  #statements: Statements | undefined;
  /** By place: the text as it is compared. */
  readonly #plain: string[];

  constructor(
    readonly candidates: readonly Candidate[],
    readonly lexicon: Lexicon,
  ) {
    const texts = candidates.map(({ text }) => withoutEntities(text));
    this.#plain = texts.map(undivided(texts));
  }

  /**
   * Whether the texts differ in a fact, a sign or a word, or in the order of them. Then they must not be merged: "A costs
   * $10, B $20" has the same words and facts as "A costs $20, B $10".
   */
  differ(a: number, b: number): boolean {
    return (
      this.#read(a, sequenceIn) !== this.#read(b, sequenceIn) ||
      factDifferences(this.#facts(a), this.#facts(b)) !== undefined ||
      !isSameCase(this.#read(a, letterCasesOf), this.#read(b, letterCasesOf))
    );
  }

  /** Notes with which neighbours a candidate is to be compared as a whole. Each pair of candidates is to be noted once. */
  note(place: number, neighbours: readonly Neighbour[]): void {
    const rankOf = (each: number) => this.#ranks()[each] as number;
    for (const { place: other, distance } of neighbours) {
      const [least, most] = [place, other].sort(
        (a, b) => rankOf(a) - rankOf(b) || this.#inputOrder(a, b),
      ) as [number, number];
      const rank = rankOf(least) * this.candidates.length + rankOf(most);
      this.#pairs.push({ places: [least, most], distance, rank });
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
    for (const pair of this.#pairs.sort(nearerFirst)) {
      if (pacer.due()) await pacer.pause();
      const [one, other] = pair.places.map((place) => this.#facts(place)) as [Facts, Facts];
      if (!cells.take(CELLS_OF_PAIR + CELLS_OF_ITEM * (one.items.length + other.items.length))) continue;
      const found = rivalry(one, other, cells);
      if (found === undefined) continue;
      const both: Found = { ...pair, difference: found === 'otherwise' ? undefined : found };
      for (const each of pair.places) this.#foundAt(each).push(both);
    }
    return cells.isSpent;
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
    this.#statements = statements;
    const { pairs, isBounded } = await statements.rivals();
    const rivals: Rival[] = [...pairs];
    const known = new Set(
      pairs.flatMap(({ isSure, statements: [one, other] }) => (isSure ? pairsOf(one, other) : [])),
    );
    for (const { places, difference } of this.#reported()) {
      if (known.has(keyOf(...places))) continue;
      const { kinds, differences } = difference as FactDifference;
      const found = statements.stating(places, differences);
      if (!statements.isReplacedOnce(...found)) continue;
      const isSure = statements.areOneSubject(found, { kinds, differences }, places);
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
      for (const each of found.sort(nearerFirst).slice(0, MAX_RIVALS)) reported.add(each);
    }
    const byInput = (a: number, b: number) => this.#inputOrder(a, b);
    return [...reported].sort((a, b) => {
      const [[one, two], [other, more]] = [a, b].map(({ places }) => places.toSorted(byInput)) as [
        [number, number],
        [number, number],
      ];
      return byInput(one, other) || byInput(two, more);
    });
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
      const all = sidesOf(group);
      if (all.length > MOST_SIDES) continue;
      const sides = this.#withoutBoth(all);
      if (sides.length < 2) continue;
      const firsts = sides.map(({ claims: [first] }) => first as Claim);
      const wording =
        preview === false
          ? undefined
          : wordingOf(
              firsts.map(({ statement }) => statement),
              firsts.map(({ facts }) => facts),
            );
      const show = (text: string) => previewOf(text, preview as number);
      conflicts.push({
        level: group.every(({ isSure }) => isSure) ? 'sure' : 'possible',
        kinds: KINDS.filter((kind) => group.some(({ kinds }) => kinds.includes(kind))),
        ...(wording && { about: show(wording.about) }),
        sides: sides.map(({ places }, at) => ({
          ...this.#side(places),
          ...(wording && {
            says: show(wording.says[at] ?? ''),
            excerpt: show((firsts[at] as Claim).statement.text),
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

  /**
   * Returns the sides, in input order, without the chunks that say what two sides say, such as a list of changes with the old
   * and the new value. A side without any other chunk is none.
   */
  #withoutBoth(sides: readonly (readonly Claim[])[]): Side[] {
    const compared = new Set(sides.flat().map(({ statement }) => statement));
    const saying = sides.map((claims) => new Set(claims.flatMap(({ statement }) => statement.places)));
    const isOnlyOn = (side: number, place: number) =>
      sides.every((claims, at) => {
        if (at === side) return true;
        return !saying[at]?.has(place) && !this.#statements?.haveAlso(place, claims, compared);
      });
    const byInput = (a: number, b: number) => this.#inputOrder(a, b);
    const found = sides.map((claims, side): Side => {
      const places = [...(saying[side] as Set<number>)]
        .filter((place) => isOnlyOn(side, place))
        .sort(byInput);
      const [first] = places as [number];
      return { places, claims: claims.filter(({ statement }) => statement.places.includes(first)) };
    });
    return found
      .filter(({ places }) => places.length > 0)
      .sort((a, b) => byInput(a.places[0] as number, b.places[0] as number));
  }

  #side(places: readonly number[]): ConflictSide {
    const candidates = places.map((place) => this.candidates[place] as Candidate);
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

  #facts(place: number): Facts {
    return this.#read(place, factsOf);
  }

  #read<T>(place: number, read: (text: string, lexicon: Lexicon) => T): T {
    return this.lexicon.found(this.#plain[place] as string, read);
  }
}

const sequenceIn = (text: string, lexicon: Lexicon): string => sequenceOf(lexicon.found(text, factsOf));

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

/**
 * Returns the different things that the statements of a group say. Statements that say the same beside any others are one
 * side, also through a third. If two that differ were so, those are one side that say the same beside all others.
 */
function sidesOf(group: readonly Rival[]): Claim[][] {
  const claims = new Map<Statement, Claim & { rank: string }>();
  const keysOf = new Map<Statement, Set<string>>();
  const stating = new Map<string, Set<Statement>>();
  for (const { statements, sides } of group) {
    for (const [at, statement] of statements.entries()) {
      const [facts, others] = [sides[at], sides[1 - at]] as [string[], string[]];
      const key = [...facts].sort().join('\u0000');
      const claim = { statement, facts, others, rank: `${key}\u0001${others.join()}` };
      // A statement may differ in several ways: the order of the input does not decide which one counts.
      if (claim.rank < (claims.get(statement)?.rank ?? '\uffff')) claims.set(statement, claim);
      keysOf.set(statement, (keysOf.get(statement) ?? new Set()).add(key));
      stating.set(key, (stating.get(key) ?? new Set()).add(statement));
    }
  }
  const joined = new Map<Statement, Set<Statement>>();
  for (const statement of claims.keys()) {
    if (joined.has(statement)) continue;
    const all = new Set([statement]);
    for (const each of all) {
      joined.set(each, all);
      for (const key of keysOf.get(each) ?? []) {
        for (const other of stating.get(key) ?? []) all.add(other);
        stating.delete(key);
      }
    }
  }
  const divided = new Set<Set<Statement> | undefined>();
  for (const { statements } of group) {
    const [one, other] = statements.map((each) => joined.get(each));
    if (one === other) divided.add(one);
  }
  const sides = groupBy([...claims.values()], ({ statement }) => {
    const all = joined.get(statement) as Set<Statement>;
    return divided.has(all) ? [...(keysOf.get(statement) ?? [])].sort().join('\u0001') : all;
  });
  return [...sides.values()];
}

const nearerFirst = (a: Pair, b: Pair): number => a.distance - b.distance || a.rank - b.rank;
