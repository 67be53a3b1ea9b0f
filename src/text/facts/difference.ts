/**
 * Decides whether two statements, each of one sentence, list item or row, say something else of the same thing.
 *
 * Exactly one value differs, and everything else is equal or stands in only one of the two. Two differences are mostly
 * those of another subject: "Paris is the capital of France", "Rome is the capital of Italy". Several numbers count as one
 * difference: "for 24 hours, at most 8 times".
 *
 * Statements of two subjects can have one frame, and no list of words tells every subject. So the subject must be known: by
 * equal titles or headings, by rare words that both have, or because the texts around them are near-copies.
 */
import type { FactKind } from '../../types.js';
import { alignmentOf, type Place } from './alignment.js';
import { areDatesCompatible, areNamesAlike, areQuantitiesCompatible } from './compatible.js';
import { areOpposite } from './opposites.js';
import { type Facts, type Item, KINDS, keyOf } from './reader.js';
import { isCondition, isGlue, isLabelWord, isRepetition } from './statement-words.js';
import { isOneSubject, type Setting } from './subject.js';
import { setOf } from './word-lists.js';

/** The facts that two statements state differently. */
export interface StatementDifference {
  readonly kinds: FactKind[];
  /** The folded facts of each side. */
  readonly sides: readonly [string[], string[]];
}

interface Difference {
  readonly kind: FactKind;
  readonly one: readonly string[];
  readonly other: readonly string[];
}

interface Found {
  readonly place: Place;
  readonly at: number;
  readonly difference: Difference;
}

/** Most numbers, other than years, that may differ together. */
const MOST_NUMBERS = 3;
/** Equal words before the first of several numbers. */
const LEAST_BEFORE_NUMBERS = 2;
/** Most words of only one statement, as a share of the words that both have. */
export const MOST_ADDED = 0.6;
/** Equal words beside a name, if it is all that differs, and otherwise. */
const LEAST_ALONE = 2;
const LEAST_BESIDE_NAME = 6;
/** Equal words beside a word that is no fact. In longer statements one other word is mostly another style. */
const LEAST_BESIDE_WORD = 2;
const MOST_BESIDE_WORD = 8;
/** Most items of a side that differs: the longest date or name. */
const LONGEST = 12;
/** Most items that may differ along with a negation: "did not pay", "paid". */
const DENIED = 2;

/**
 * Returns what the statements say otherwise, or `undefined` if they agree or speak of two subjects.
 *
 * @param nearby number of words that both chunks have if they are near-copies, else 0. Near-copies are judged less strictly.
 */
export function statementDifference(
  a: Facts,
  b: Facts,
  one: Setting,
  other: Setting,
  nearby: number,
): StatementDifference | undefined {
  const areNear = nearby > 0;
  const { places, same } = alignmentOf(a, b);
  if (same < 1) return undefined;
  const found = differencesIn(places, a, b, areNear);
  if (found === undefined) return undefined;
  const { all, added } = found;
  const [first] = all;
  if (first === undefined) return undefined;
  const differences = all.map(({ difference }) => difference);
  if (!areOneClaim(all, added, same)) return undefined;
  if (areHalfDay(differences) && a.items.length !== b.items.length) return undefined;
  if (all.some((each) => isSubject(each, a, b, same, added === 0, areNear))) return undefined;
  const values = new Set(
    differences.flatMap(({ one: left, other: right }) => [...left, ...right]).flatMap(wordsOf),
  );
  const named = [...one.title, ...one.heading, ...other.title, ...other.heading];
  if (named.some((word) => values.has(word))) return undefined;
  const kinds = KINDS.filter((kind) => differences.some((each) => each.kind === kind));
  if (!isOneSubject(a, b, one, other, { kinds, values, nearby })) return undefined;
  return {
    kinds,
    sides: [differences.flatMap((each) => each.one), differences.flatMap((each) => each.other)],
  };
}

/** Returns all differences, or `undefined` if the statements differ in more than values. */
function differencesIn(
  places: readonly Place[],
  a: Facts,
  b: Facts,
  areNear: boolean,
): { all: Found[]; added: number } | undefined {
  const denials = a.negations - b.negations;
  const all: Found[] = [];
  let added = 0;
  for (const [at, place] of places.entries()) {
    const { left, right } = place;
    if ([...left, ...right].some(({ key }) => isRepetition(key))) return undefined;
    if (Math.max(left.length, right.length) > LONGEST) return undefined;
    if (isDividedByVerb(left, a) && isDividedByVerb(right, b)) return undefined;
    const difference =
      denialAt(place, denials) ?? oppositeAt(place) ?? valueAt(place, at + place.before === 0);
    if (difference === 'equal') continue;
    if (difference !== undefined) {
      all.push({ place, at, difference });
      continue;
    }
    const [ours, theirs] = [left.filter(isContent), right.filter(isContent)];
    if (ours.length > 0 && theirs.length > 0) {
      // Other words in the place of some: another subject, or another claim. One word may be all that differs.
      if (areNear || [...ours, ...theirs].some(isFact) || ours.length > 1 || theirs.length > 1)
        return undefined;
      if (at === 0 && place.before === 0) return undefined;
      all.push({ place, at, difference: { kind: 'word', one: ours.map(keyOf), other: theirs.map(keyOf) } });
      continue;
    }
    const more = [...ours, ...theirs];
    // "Class A", "class B"; "only Ann", "all but Ann".
    if (more.some(({ key }) => /^\p{L}$/u.test(key) || isCondition(key))) return undefined;
    added += more.length;
  }
  return { all, added };
}

/** Returns whether the differences are one: of one kind, or several numbers. */
function areOneClaim(all: readonly Found[], added: number, same: number): boolean {
  const kinds = new Set(all.map(({ difference: { kind } }) => (kind === 'unit' ? 'number' : kind)));
  const [{ place, at, difference }] = all as [Found];
  const distinct = new Set(all.map(({ difference: { one, other } }) => `${one} / ${other}`)).size;
  if (kinds.size > 1) return false;
  if (kinds.has('word') && (distinct > 1 || same < LEAST_BESIDE_WORD || same > MOST_BESIDE_WORD || added > 0))
    return false;
  const keys = all.flatMap(({ difference: { one, other } }) => [...one, ...other]);
  if (kinds.has('number') && (distinct > 1 || difference.one.length > 1 || difference.other.length > 1)) {
    // A list beside one value, such as two versions, may hold it.
    if (all.some(({ difference: { one, other } }) => one.length !== other.length)) return false;
    if (distinct > MOST_NUMBERS || keys.some((key) => YEAR.test(key))) return false;
    // The first of several numbers is often of the subject: "At 20 °C it takes a minute", "Room 101 has 20 seats".
    if (at === 0 && place.before < LEAST_BEFORE_NUMBERS) return false;
  } else if (distinct > 1 && !kinds.has('negation')) return false;
  if (kinds.has('negation') && all.length > 1) {
    // Only one statement denies, in several words: "ne … pas".
    const denies = (side: 'one' | 'other') => all.every(({ difference: each }) => each[side].length === 0);
    if (!denies('one') && !denies('other')) return false;
  }
  return added <= (kinds.has('negation') ? 1 : MOST_ADDED * Math.max(same, 2));
}

/** Returns the negation that only one side has. */
function denialAt({ left, right }: Place, denials: number): Difference | 'equal' | undefined {
  const [one, other] = [left, right].map((items) =>
    items.filter(({ kind }) => kind === 'negation').map(keyOf),
  ) as [string[], string[]];
  if (denials === 0 || one.length === other.length) return undefined;
  const beside = Math.max(left.length - one.length, right.length - other.length);
  if (beside > DENIED || (one.length > 0 ? right : left).some((item) => IMPLICIT.test(keyOf(item))))
    return undefined;
  // "Not open" is "closed".
  const said = (items: readonly Item[]) => items.filter(({ kind }) => kind !== 'negation');
  const isSaid = oppositeAt({ left: said(left), right: said(right) }) !== undefined;
  if (isSaid && ![...left, ...right].some((item) => MODALS.has(keyOf(item)))) return 'equal';
  return { kind: 'negation', one, other };
}

/** Returns the opposites that the sides have, with little else. */
function oppositeAt({ left, right }: Pick<Place, 'left' | 'right'>): Difference | undefined {
  for (const one of left) {
    for (const other of right) {
      if (!areOpposite(keyOf(one), keyOf(other))) continue;
      if (Math.max(left.length, right.length) > 1 + DENIED) return undefined;
      return { kind: 'negation', one: [keyOf(one)], other: [keyOf(other)] };
    }
  }
  return undefined;
}

/** Returns the facts of one kind in which the sides differ, `equal` if the facts say the same. */
function valueAt({ left, right }: Place, isFirst: boolean): Difference | 'equal' | undefined {
  const [ours, theirs] = [left.filter(isContent), right.filter(isContent)];
  let isEqual = false;
  for (const kind of KINDS) {
    const [one, other] = ofKind(kind, ours, theirs);
    if (one.length === 0 || other.length === 0) continue;
    // A mistake in writing, but at the beginning it may be another subject: "Ethanol", "methanol".
    if (areCompatible(kind, one, other) && !(isFirst && kind === 'name')) {
      isEqual = true;
      continue;
    }
    // A subject and its value, or another claim: "For adults 500 mg", "for children 250 mg".
    const isBeside = MEASURES.has(kind) ? (item: Item) => !isMeasure(item) : isWord;
    if (ours.some(isBeside) && theirs.some(isBeside)) return undefined;
    const [keys, others] = [one.map(keyOf), other.map(keyOf)];
    const isUnit = kind === 'number' && keys.every((key, at) => numberOf(key) === numberOf(others[at] ?? ''));
    return { kind: isUnit ? 'unit' : kind, one: keys, other: others };
  }
  return isEqual ? 'equal' : undefined;
}

/** Returns the items of a kind. A year counts as a date if the other side has a date, though it may be any number. */
function ofKind(kind: FactKind, left: readonly Item[], right: readonly Item[]): [Item[], Item[]] {
  const of = (items: readonly Item[]) => items.filter((item) => item.kind === kind);
  const years = (items: readonly Item[]) => items.filter(({ key }) => YEAR.test(key));
  const [one, other] = [of(left), of(right)];
  if (kind !== 'date' || one.length > 0 === other.length > 0) return [one, other];
  return one.length > 0 ? [one, years(right)] : [years(left), other];
}

function areCompatible(kind: FactKind, one: readonly Item[], other: readonly Item[]): boolean {
  if (kind === 'name') {
    const [left, right] = [one.map(keyOf), other.map(keyOf)];
    const [ours, theirs] = [left.join(''), right.join('')];
    // A script without capitals or spaces: every word may be a name, and words of one character often only connect.
    if (HAN.test(ours + theirs))
      return ours.length < 2 || theirs.length < 2 || ours.includes(theirs) || theirs.includes(ours);
    return areNamesAlike(left, right);
  }
  if (kind !== 'number' && kind !== 'date') return false;
  const isSame = (a: Item, b: Item) =>
    kind === 'date' ? areDatesCompatible(a.key, b.key) : areQuantitiesCompatible(a.key, b.key);
  if (one.length === other.length) return one.every((item, at) => isSame(item, other[at] as Item));
  return one.every((item) => other.some((each) => isSame(item, each)));
}

/** Returns whether the difference is one of the subject, not of a claim about it. */
function isSubject(
  { place, at, difference: { kind, one, other } }: Found,
  a: Facts,
  b: Facts,
  same: number,
  isAlone: boolean,
  areNear: boolean,
): boolean {
  const isFirst = at === 0 && place.before === 0;
  const keys = [...one, ...other];
  if (kind === 'name') {
    if (areNear) return isFirst && !isAlone;
    if (keys.some((key) => /\d/.test(key)) || isFirst) return true;
    return same < (isAlone ? LEAST_ALONE : LEAST_BESIDE_NAME);
  }
  if (kind !== 'date' && kind !== 'number') return false;
  if (isFirst && keys.every((key) => YEAR.test(key)) && !areNear) return true;
  return isLabel(place.left, a) || isLabel(place.right, b);
}

/** Returns whether the place is a number that names something: `Room 101 has …`, `Step 2: …`. */
function isLabel(items: readonly Item[], { items: all }: Facts): boolean {
  const number = items.find(({ kind }) => kind === 'number');
  if (number === undefined) return false;
  const at = all.indexOf(number);
  const [before, after] = [all[at - 1], all[at + 1]];
  if (before === undefined) return !number.key.includes(' ') && after?.sentence !== number.sentence;
  // At the end it is a value: "It was added in version 2.1.", but not "Figure 2."
  if (before.sentence !== number.sentence) return false;
  if (after === undefined) return all.length === 2 && isLabelWord(before.key);
  if (isLabelWord(before.key) || (ORDINAL.test(number.key) && isLabelWord(after.key))) return true;
  if (before.word?.isCapital === true && before.word.isAcronym && !isInCapitals(all)) return true;
  if (number.key.includes(' ') || YEAR.test(number.key)) return false;
  return at === 2 && before.word?.isCapital === true;
}

/** Returns whether all words are in capitals, so that none of them is an acronym for that. */
const isInCapitals = (items: readonly Item[]): boolean =>
  items.every(({ word }) => word === undefined || word.isAcronym || word.raw.length === 1);

/** Returns whether two times of day are twelve hours apart: "17:30", "5:30 in the afternoon". */
function areHalfDay(all: readonly Difference[]): boolean {
  return all.some(({ one: [left = ''], other: [right = ''] }) => {
    const [, hour, minute] = CLOCK.exec(left) ?? [];
    const [, otherHour, otherMinute] = CLOCK.exec(right) ?? [];
    return minute === otherMinute && Math.abs(Number(hour) - Number(otherHour)) === 12;
  });
}

/** Returns whether one statement says what the other says, with more words or fewer. */
export function isAddition(a: Facts, b: Facts): boolean {
  const { places, same } = alignmentOf(a, b);
  if (places.length === 0) return true;
  const isReplaced = ({ left, right }: Place) => left.some(isContent) && right.some(isContent);
  return !places.some(isReplaced) && 2 * same >= b.items.filter(isContent).length;
}

/** Returns whether a verb that does not count stands between the items: they are the subject and its predicate. */
function isDividedByVerb(items: readonly Item[], { items: all }: Facts): boolean {
  const [first, last] = [all.indexOf(items[0] as Item), all.indexOf(items.at(-1) as Item)];
  return all.slice(first + 1, last).some((item) => VERBS.has(keyOf(item)));
}
const VERBS = setOf('is are was were has have had');

const CLOCK = /^(\d{1,2})(?:[:.](\d\d))?(?: [ap]m| hour)?$/;
const YEAR = /^[12]\d{3}$/;
const ORDINAL = /\d(?:st|nd|rd|th)$/;
const HAN = /[\u3400-\u9fff]/;
const MEASURES: ReadonlySet<FactKind> = new Set(['number', 'date', 'unit']);
// Unchecked prose: a list of words.
const MODALS = setOf('must shall should may might can');
/** Words that deny by themselves. */
const IMPLICIT =
  /^(?:fail|non\w|refus|den[iy]|lack|avoid|reject|declin|unable|un(?!d|i)\w{4,}|without|instead|rather)/;

const wordsOf = (key: string): string[] => key.split(' ');
const numberOf = (key: string): string => wordsOf(key)[0] ?? '';
const isContent = ({ key }: Item): boolean => !isGlue(key);
const isMeasure = ({ kind }: Item): boolean => kind !== undefined && MEASURES.has(kind);
const isFact = ({ kind = 'name' }: Item): boolean => kind !== 'name';
const isWord = ({ key, kind }: Item): boolean => kind === undefined && !isGlue(key) && !/^[a-z]$/.test(key);
