import { datingOf } from '../../pool/dating.js';
import { defined } from '../../runtime/defined.js';
import { groupBy } from '../../runtime/group-by.js';
import { KINDS } from '../../text/facts/reader.js';
import { previewOf } from '../../text/hidden/preview.js';
import type { Candidate, Conflict, ConflictSide } from '../../types.js';
import type { Claim, Statement, StatementPair, Statements } from './statements.js';
import { wordingOf } from './wording.js';

/** If more sides than this state something else, they are rows of a form, not versions of one statement. */
const MOST_SIDES = 4;

/** The chunks of one side, and what the first of them says. */
interface Side {
  readonly places: readonly number[];
  readonly claims: readonly Claim[];
}

/**
 * For each candidate, the places in the input of candidates that state something else at the same point, ascending. They are
 * not redundant with each other.
 */
export function rivalsOf(
  pairs: readonly Pick<StatementPair, 'statements'>[],
  candidates: readonly Candidate[],
): ReadonlyMap<number, readonly number[]> {
  const rivals = new Map<number, Set<number>>();
  for (const { statements } of pairs) {
    for (const [one, other] of [statements, statements.toReversed()] as [Statement, Statement][]) {
      for (const place of one.places) {
        const own = rivals.get(place) ?? new Set();
        rivals.set(place, own);
        for (const each of other.places) if (each !== place) own.add((candidates[each] as Candidate).index);
      }
    }
  }
  return new Map(Array.from(rivals, ([place, own]) => [place, [...own].sort((a, b) => a - b)]));
}

/**
 * The conflicts to report, in input order. Statements that differ from each other are one conflict with as many sides as
 * they say different things.
 *
 * @param preview characters of a text that may be shown, or `false`.
 */
export function conflictsOf(
  pairs: readonly StatementPair[],
  statements: Statements,
  preview: number | false,
): Conflict[] {
  const { candidates } = statements;
  const show = (text: string) => previewOf(text, preview as number);
  return grouped(pairs)
    .flatMap((group) => {
      const all = sidesOf(group);
      if (all.length > MOST_SIDES) return [];
      const sides = withoutBoth(all, statements);
      return sides.length < 2 ? [] : [{ group, sides }];
    })
    .sort((a, b) => orderOf(a.sides, b.sides))
    .map(({ group, sides }): Conflict => {
      const texts = sides.map(({ claims: [first] }) => (first as Claim).statement.text);
      const wording = preview === false ? undefined : wordingOf(texts);
      return {
        level: 'sure',
        kinds: KINDS.filter((kind) => group.some(({ kinds }) => kinds.includes(kind))),
        ...(wording && { about: show(wording.about) }),
        sides: sides.map(({ places }, at) => ({
          ...sideOf(places.map((place) => candidates[place] as Candidate)),
          ...(wording && { says: show(wording.says[at] ?? ''), excerpt: show(texts[at] as string) }),
        })),
      };
    });
}

function orderOf(one: readonly Side[], other: readonly Side[]): number {
  const first = (sides: readonly Side[], side: number) => sides[side]?.places[0] as number;
  return first(one, 0) - first(other, 0) || first(one, 1) - first(other, 1);
}

/**
 * Returns the sides, in input order, without the chunks that say what two sides say, such as a list of changes with the old
 * and the new value. A side without any other chunk is none.
 */
function withoutBoth(sides: readonly (readonly Claim[])[], statements: Statements): Side[] {
  const compared = new Set(sides.flat().map(({ statement }) => statement));
  const saying = sides.map((claims) => new Set(claims.flatMap(({ statement }) => statement.places)));
  const isOnlyOn = (side: number, place: number) =>
    sides.every((claims, at) => {
      if (at === side) return true;
      return !saying[at]?.has(place) && !statements.haveAlso(place, claims, compared);
    });
  const found = sides.map((claims, side): Side => {
    const places = [...(saying[side] as Set<number>)]
      .filter((place) => isOnlyOn(side, place))
      .sort((a, b) => a - b);
    const [first] = places as [number];
    return { places, claims: claims.filter(({ statement }) => statement.places.includes(first)) };
  });
  return found
    .filter(({ places }) => places.length > 0)
    .sort((a, b) => (a.places[0] as number) - (b.places[0] as number));
}

function sideOf(candidates: readonly Candidate[]): ConflictSide {
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

/** Returns the rivals in groups that statements connect, in the order of their first pairs. */
function grouped(rivals: readonly StatementPair[]): StatementPair[][] {
  const groupOf = new Map<Statement, StatementPair[]>();
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
function sidesOf(group: readonly StatementPair[]): Claim[][] {
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
