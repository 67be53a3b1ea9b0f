/**
 * Decides which side of a conflict is preferred, and which chunks are superseded by that.
 *
 * - A chunk is superseded if a chunk of another side is preferred in at least one conflict, even if it is itself preferred
 *   in another: of three versions, the second supersedes the first and is superseded by the third.
 * - Preferences that form a circle (one chunk over another in one conflict, and the reverse in a second) cancel each other.
 * - A chunk that several chunks supersede names one for which it may be dropped, if there is one; then one that is not
 *   superseded itself; then one with the value that decided; then the first in the input.
 */
import type { ResolvedOptions } from '../../input/options.js';
import { DATINGS, type Dated, dated, dateOf, datingOf, isLater, versionOf } from '../../pool/dating.js';
import { inputOrder } from '../../pool/ranking.js';
import { defined } from '../../runtime/defined.js';
import { groupBy } from '../../runtime/group-by.js';
import { FUNCTION_STEMS } from '../../text/function-words.js';
import { stem } from '../../text/stem.js';
import { unitsOf } from '../../text/units/units.js';
import { wordsOf } from '../../text/words.js';
import type { Candidate, Claim, Conflict, ConflictSide, Superseded } from '../../types.js';

type Preferring = Pick<ResolvedOptions['conflicts'], 'prefer' | 'drop'>;

export interface Settled {
  /** The same conflicts in the same order, each with the preferred side first if there is one. */
  readonly conflicts: Conflict[];
  /** By index: what a superseded candidate has to know. */
  readonly superseded: ReadonlyMap<number, Mark>;
}

export interface Mark {
  readonly superseded: Superseded;
  /** Indices of the preferred candidates of its conflicts, and of the one that it names, ascending. */
  readonly behind: readonly number[];
  /** Whether the option `drop` evicts it. */
  readonly goes: boolean;
}

/** The preferred side of a conflict. */
interface Choice {
  readonly place: number;
  readonly because: string;
  /** By index: whether the candidate has a value that was compared. Absent: no values were compared. */
  readonly hasValue?: (index: number) => boolean;
  /** The candidate that decided, and that text of it or of its copies that did. */
  readonly best?: { readonly index: number; readonly claim: Claim };
}

/** One candidate is preferred to another. */
interface Preferred {
  readonly winner: Candidate;
  readonly loser: Candidate;
  readonly because: string;
  readonly claim: Claim | undefined;
  /** Whether the winner decided for its side. */
  readonly decided: boolean;
  /** Whether both have a value that was compared. */
  readonly isKnown: boolean;
}

/**
 * Applies the options `conflicts.prefer` and `conflicts.drop`. It changes nothing that it is given.
 *
 * @param candidates those that stay. Others that a side names decide nothing, and are not superseded.
 */
export function settle(
  conflicts: readonly Conflict[],
  candidates: readonly Candidate[],
  { prefer, drop }: Preferring,
): Settled {
  if (prefer == null) return { conflicts: [...conflicts], superseded: new Map() };
  const byIndex = new Map(candidates.map((candidate) => [candidate.index, candidate]));
  const all: Preferred[] = [];
  const settled = conflicts.map((conflict): Conflict => {
    const choice = chosen(conflict, byIndex, prefer);
    if (choice === undefined) return conflict;
    const { place, because } = choice;
    const { sides } = conflict;
    all.push(...preferences(conflict, byIndex, choice));
    const first = sides[place] as ConflictSide;
    return { ...conflict, sides: [first, ...sides.filter((side) => side !== first)], preferred: because };
  });
  return { conflicts: settled, superseded: marksOf(withoutCircles(all), drop) };
}

function preferences(
  { sides }: Conflict,
  byIndex: ReadonlyMap<number, Candidate>,
  { place, because, hasValue = () => true, best }: Choice,
): Preferred[] {
  const of = (side: ConflictSide) => side.indices.flatMap((index) => byIndex.get(index) ?? []);
  const winners = of(sides[place] as ConflictSide);
  const losers = sides.filter((_, at) => at !== place).flatMap(of);
  return winners.flatMap((winner) =>
    losers.map((loser) => ({
      winner,
      loser,
      because,
      claim: winner.index === best?.index ? best.claim : winner.claims?.[0],
      decided: best === undefined || winner.index === best.index,
      isKnown: hasValue(winner.index) && hasValue(loser.index),
    })),
  );
}

/** The preferences without those between chunks of one circle. */
function withoutCircles(all: readonly Preferred[]): readonly Preferred[] {
  const over = new Map<number, Set<number>>();
  for (const { winner, loser } of all)
    over.set(winner.index, (over.get(winner.index) ?? new Set()).add(loser.index));
  return all.filter(({ winner, loser }) => !isReached(loser.index, winner.index, over));
}

function isReached(from: number, to: number, over: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  const found = new Set([from]);
  for (const index of found) for (const next of over.get(index) ?? []) found.add(next);
  return found.has(to);
}

function marksOf(all: readonly Preferred[], drop: boolean): ReadonlyMap<number, Mark> {
  const ofLoser = groupBy(all, ({ loser }) => loser.index);
  const marks = new Map<number, Mark & { stays: Candidate }>();
  const markOf = (index: number): (Mark & { stays: Candidate }) | undefined => {
    const found = ofLoser.get(index);
    if (found === undefined || marks.has(index)) return marks.get(index);
    const choices = found.map((each) => {
      // In a chain of versions, the one that stays is named.
      const next = markOf(each.winner.index);
      const stays = next?.goes ? next.stays : each.winner;
      return { ...each, next, stays, goes: drop && mayGo(each, stays) };
    });
    const [best] = choices.toSorted(
      (a, b) =>
        Number(b.goes) - Number(a.goes) ||
        Number(a.next !== undefined) - Number(b.next !== undefined) ||
        Number(b.decided) - Number(a.decided) ||
        inputOrder(a.winner, b.winner),
    ) as [(typeof choices)[number]];
    const { next, stays, goes, because } = best;
    const superseded = next?.goes
      ? { ...next.superseded, because }
      : supersededBy(best.winner, because, best.claim);
    const ahead = new Set([...found.map((each) => each.winner.index), stays.index]);
    const behind = Object.freeze([...ahead].sort((a, b) => a - b));
    const mark = { superseded: Object.freeze(superseded), behind, goes, stays };
    marks.set(index, mark);
    return mark;
  };
  for (const index of ofLoser.keys()) markOf(index);
  return marks;
}

/** Whether the option `drop` may evict the loser, if this candidate stays for it. */
const mayGo = ({ winner, loser, isKnown }: Preferred, stays: Candidate): boolean =>
  isKnown &&
  !loser.pinned &&
  (loser.tier ?? 0) >= (stays.tier ?? 0) &&
  statesNothingElse(loser.text, winner.text);

function supersededBy(winner: Candidate, because: string, claim: Claim | undefined): Superseded {
  const { source, title } = claim?.source ?? winner.sources[0];
  const { date, version } = datingOf(claim === undefined ? winner : { ...winner, claims: [claim] });
  return { by: winner.id, because, ...defined({ source, title, date: date?.text, version: version?.text }) };
}

function chosen(
  conflict: Conflict,
  byIndex: ReadonlyMap<number, Candidate>,
  prefer: string,
): Choice | undefined {
  const { sides } = conflict;
  if (prefer === 'majority') {
    const place = only(sides, (one, other) => one.support > other.support);
    return place < 0 ? undefined : { place, because: 'said by more documents' };
  }
  for (const read of readersOf(prefer)) {
    const choice = byValues(conflict, byIndex, read);
    if (choice !== undefined) return choice;
  }
  return undefined;
}

/** A value to compare, of one chunk. */
interface Value {
  readonly value: number | Dated['value'];
  /** Why the side with the greatest value is preferred. */
  readonly because: string;
}

/** Reads the value of a text. The greater value is preferred. */
type Read = (claim: Claim, candidate: Candidate) => Value | undefined;

/** Ways to compare, in the order in which they are tried: the first that all sides have and that differs decides. */
function readersOf(prefer: string): readonly Read[] {
  if (prefer === 'trusted')
    return [(_, { tier }) => (tier === undefined ? undefined : { value: -tier, because: 'more trusted' })];
  const newest = (found: Dated | undefined): Value | undefined =>
    found && { value: found.value, because: `newest by ${found.from}` };
  if (prefer === 'newest') return DATINGS.map((dating) => (claim) => newest(dated(claim, dating)));
  const from = `metadata.${prefer}`;
  const inText =
    (read: typeof dateOf): Read =>
    ({ value }) => {
      const found = value === undefined ? undefined : read(String(value));
      return found && newest({ ...found, from });
    };
  return [({ value }) => numberOf(value, `greatest ${from}`), inText(dateOf), inText(versionOf)];
}

function numberOf(value: string | number | undefined, because: string): Value | undefined {
  if (typeof value === 'string' && !/^\s*-?\d{1,15}\s*$/.test(value)) return undefined;
  const number = value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) ? { value: number, because } : undefined;
}

/**
 * The side with the greatest value. Each side has the greatest value of its candidates and of their copies. The choice is
 * undefined if a side has no value, or if the greatest value is not certainly greater than that of each other side.
 */
function byValues(
  { sides }: Conflict,
  byIndex: ReadonlyMap<number, Candidate>,
  read: Read,
): Choice | undefined {
  const known = new Set<number>();
  const greatest = sides.flatMap((side) => {
    let most: (Value & { index: number; claim: Claim }) | undefined;
    for (const index of side.indices) {
      const candidate = byIndex.get(index);
      if (candidate === undefined) continue;
      for (const claim of candidate.claims ?? candidate.sources.map((source) => ({ source }))) {
        const found = read(claim, candidate);
        if (found === undefined) continue;
        known.add(index);
        if (most === undefined || isGreater(found.value, most.value)) most = { ...found, index, claim };
      }
    }
    return most ?? [];
  });
  if (greatest.length < sides.length) return undefined;
  const place = only(greatest, (one, other) => isGreater(one.value, other.value));
  const best = greatest[place];
  return best && { place, because: best.because, hasValue: (index) => known.has(index), best };
}

/** The place of the one side that is before each other; -1 if there is none. */
const only = <T>(sides: readonly T[], isBefore: (one: T, other: T) => boolean): number =>
  sides.findIndex((one) => sides.every((other) => one === other || isBefore(one, other)));

function isGreater(one: Value['value'], other: Value['value']): boolean {
  if (typeof one === 'number') return typeof other === 'number' && one > other;
  return typeof other !== 'number' && isLater(one, other);
}

/**
 * Whether a text states nothing else than the preferred text states in another way. All but one of its sentences, items,
 * rows and so on must be in the preferred text. That one must have no more words of its own than the most similar one of
 * the preferred text. Headings do not count.
 */
export function statesNothingElse(text: string, preferred: string): boolean {
  const [own, theirs] = [unitWords(text), unitWords(preferred)];
  const known = new Set(theirs.map((words) => words.join(' ')));
  const [other, ...more] = own.filter((words) => !known.has(words.join(' ')));
  if (other === undefined) return true;
  if (more.length > 0) return false;
  const similar = theirs.map((words) => ({
    added: without(other, words).length,
    room: without(words, other).length,
  }));
  const least = Math.min(...similar.map(({ added }) => added));
  return similar.some(({ added, room }) => added === least && added <= room);
}

/** The stems of the words of each unit, headings and rules excepted. */
const unitWords = (text: string): string[][] =>
  unitsOf(text)
    .filter(({ kind }) => kind !== 'heading' && kind !== 'mark')
    .map(({ start, end }) => wordsOf(text.slice(start, end)).map(stem));

const without = (words: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return [...new Set(words)].filter((word) => !known.has(word) && !FUNCTION_STEMS().has(word));
};
