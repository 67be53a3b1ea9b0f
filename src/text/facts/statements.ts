/**
 * Decides whether two statements, each of one sentence, list item or row, say something else of the same thing.
 *
 * The surroundings of a statement do not matter then, so chunks need not be alike. The rest of the
 * statement matters: exactly one value differs, and everything else is equal or stands in only one of the two. Two differences
 * are mostly those of another subject: "Paris is the capital of France", "Rome is the capital of Italy". Several numbers
 * count as one difference: "for 24 hours, at most 8 times".
 *
 * Statements of two subjects can have one frame, and no list of words tells every subject. So the difference must not
 * stand in the subject, and the subject must be known: by equal titles or headings, or by rare words that both have.
 */
import { lazily } from '../../runtime/lazily.js';
import type { FactKind } from '../../types.js';
import { shareOfTexts } from '../background.js';
import { withoutEntities } from '../entities.js';
import { alignmentOf, type Place } from './alignment.js';
import { areNamesAlike } from './compatible.js';
import { type Difference, differencesAt, plainWords, sameItems } from './contradiction.js';
import { MONTH_NAMES } from './dates.js';
import { factsOf, KINDS } from './facts.js';
import { numbered, type Sequence } from './numbered.js';
import { type Facts, type Item, keyOf } from './reader.js';
import { isHolder, isUnique } from './roles.js';
import { isTurnedRound, swappedFacts } from './statement.js';
import { isCondition, isGlue } from './statement-words.js';
import { setOf } from './word-lists.js';

/** "For a day" is "for 1 day". */
const ONE = setOf('a an');

/** Reads the facts of one statement, which colons and quotation marks do not divide. */
export function statementFactsOf(text: string): Facts {
  const found = factsOf(withoutEntities(text));
  const facts = new Map(found.facts);
  const items = found.items.map((item, at): Item => {
    const isOne = item.kind === 'unit' && ONE.has(found.items[at - 1]?.key ?? '');
    if (!isOne) return { ...item, sentence: 0 };
    const key = `1 ${item.key}`;
    facts.set(key, { kind: 'number', weak: false, count: 1, number: '1' });
    return { ...item, key, word: undefined, kind: 'number', sentence: 0 };
  });
  return { ...found, facts, items };
}

/** The surroundings of a statement. */
export interface Setting {
  /** Stems of the title of its document, {@link withoutVersion}; none if it is not known. */
  readonly title: readonly string[];
  /** Words of the heading above it. */
  readonly heading: readonly string[];
  /** Whether it is a sentence, a labelled value or a row, not a fragment such as an entry of a menu. */
  readonly isWhole?: boolean;
  /** The document, if it is known. */
  readonly source?: string | undefined;
}

/** The difference of two statements. */
export interface StatementDifference {
  readonly kinds: FactKind[];
  readonly sides: readonly [string[], string[]];
  /** Whether both speak of one subject, as far as words can tell. */
  readonly isSure: boolean;
}

/** Most numbers, other than years, that may differ together. */
const MOST_NUMBERS = 3;
/** Equal words before the first of several numbers. */
const LEAST_BEFORE_NUMBERS = 2;
/** Most words of only one statement, as a share of the words that both have. */
const MOST_ADDED = 0.6;
/** Words of a stem in fewer than one of 2^n everyday texts name a subject. */
const RARE_BITS = 11;
const UNKNOWN_BITS = 15;
/** The kinds of facts in counters, dates and other notes of a page. */
export const NOTED: ReadonlySet<FactKind> = new Set(['number', 'date', 'unit']);
/** A shorter statement that names no subject is a note of a page. In words and facts. */
const LEAST_WITHOUT_SUBJECT = 8;
/** Bits of all words that both statements have, with those of a common heading. */
const LEAST_BITS = 12;
/** The same if no word is rare and no heading is common. */
const LEAST_BITS_WITHOUT_NAME = 15;
/** A common heading or title counts as at most so many words. */
const MOST_HEADING_WORDS = 4;
/** Equal words beside a name, if it is in a role that only one can have, and otherwise. */
const LEAST_BESIDE_ROLE = 2;
const LEAST_BESIDE_NAME = 6;
/** Equal words before a word, and in all, if it is all that differs. */
const LEAST_BEFORE_WORD = 1;
const LEAST_BESIDE_WORD = 2;
/** In longer statements one other word is mostly another style. */
const MOST_BESIDE_WORD = 8;
/** Least number of equal words if nothing else differs. */
const LEAST_ALONE = 2;

/** Returns what the statements say otherwise, or `undefined` if they agree or speak of two subjects. */
export function statementDifference(
  a: Facts,
  b: Facts,
  one: Setting,
  other: Setting,
): StatementDifference | undefined {
  const alignment = alignmentOf(a, b);
  const { places } = alignment;
  const same = sameItems(places);
  if (same < 1) return undefined;
  const turned = turnedRound(a, b);
  if (turned !== undefined) return { ...turned, isSure: isOneSubject(a, b, one, other) };
  const found: { place: Place; at: number; differences: readonly Difference[] }[] = [];
  let added = 0;
  for (const [at, place] of places.entries()) {
    const differences = differencesAt(at, alignment);
    if ([...place.left, ...place.right].some(isRepetition)) return undefined;
    if (isDividedByVerb(place.left, a) && isDividedByVerb(place.right, b)) return undefined;
    if (differences.length > 0) {
      if (Math.min(plainWords(place.left), plainWords(place.right)) > differing(differences))
        return undefined;
      found.push({ place, at, differences });
      continue;
    }
    const [left, right] = [content(place.left), content(place.right)];
    if (left.length > 0 && right.length > 0) {
      // Other words in the place of some: another subject, or another claim. One word may be all that differs.
      if ([...place.left, ...place.right].some(isFact)) return undefined;
      if (left.length > 1 || right.length > 1 || (at === 0 && place.before < LEAST_BEFORE_WORD))
        return undefined;
      const [one, other] = [left, right].map((words) => words.map(keyOf)) as [string[], string[]];
      found.push({ place, at, differences: [{ kind: 'word', one, other }] });
      continue;
    }
    // A fact in the place of a word: "at baseline", "at week 12".
    if (
      place.left.some(isContent) &&
      place.right.some(isContent) &&
      kindsOf(place.left) !== kindsOf(place.right)
    )
      return undefined;
    const more = [...left, ...right];
    // "Class A", "class B"; "only Ann", "all but Ann".
    if (more.some((item) => isLetter(item) || isCondition(item.key))) return undefined;
    added += more.length;
  }
  if (found.length === 0) {
    if (added > 0 || a.signs === b.signs) return undefined;
    return { kinds: ['sign'], sides: [[], []], isSure: isOneSubject(a, b, one, other) };
  }
  const all = found.flatMap(({ differences }) => differences);
  const isWord = all.some(({ kind }) => kind === 'word');
  if (isWord && (found.length > 1 || same < LEAST_BESIDE_WORD || same > MOST_BESIDE_WORD || added > 0))
    return undefined;
  // A list beside one value, such as two versions, may hold it.
  if (all.some(({ kind, one, other }) => kind === 'number' && one.length !== other.length)) return undefined;
  if (isSeveralNumbers(all)) {
    // The first of several numbers is often of the subject: "At 20 °C it takes a minute", "Room 101 has 20 seats".
    if (found.length > MOST_NUMBERS || !all.every(isNumber)) return undefined;
    if ((found[0] as { place: Place }).place.before < LEAST_BEFORE_NUMBERS && found[0]?.at === 0)
      return undefined;
  } else if (found.length > 1 && !isOneDenial(all)) return undefined;
  if (a.items.length !== b.items.length && all.some(isHalfDay)) return undefined;
  if (found.some(({ differences }) => isSeveral(differences))) return undefined;
  const isDenied = all.some(({ kind }) => kind === 'negation');
  if (added > (isDenied ? 1 : MOST_ADDED * Math.max(same, 2))) return undefined;
  if (found.some((each) => isSubject(each, a, b, same, added === 0))) return undefined;
  const values = partsOf(all.flatMap(({ one, other }) => [...one, ...other]));
  if ([...one.title, ...one.heading, ...other.title, ...other.heading].some((word) => values.has(word))) {
    return undefined;
  }
  return {
    kinds: KINDS.filter((kind) => all.some((each) => each.kind === kind)),
    sides: [all.flatMap(({ one }) => one), all.flatMap(({ other }) => other)],
    isSure: isOneSubject(a, b, one, other, values),
  };
}

/**
 * Returns whether at most one thing is replaced by another, wherever it stands. Texts that are otherwise the same then
 * speak of one subject, even if the difference stands where a subject does.
 */
export function isReplacedOnce(a: Facts, b: Facts): boolean {
  if (turnedRound(a, b) !== undefined) return true;
  const { places } = alignmentOf(a, b);
  // Members of a list in another order.
  if (sameItems(places) < 1 || isReordered(...numbered(a, b))) return false;
  const replaced = new Set<string>();
  const only: [number, number] = [0, 0];
  let isMeasured = true;
  let isOfYear = false;
  let isNamedFirst = false;
  for (const [at, place] of places.entries()) {
    // "In 1995", "again in 1997".
    if ([...place.left, ...place.right].some(isRepetition)) return false;
    const [one, other] = [place.left, place.right].map((items) => items.filter(isContent)) as [
      Item[],
      Item[],
    ];
    if (one.length === 0 || other.length === 0) {
      const more = [...one, ...other];
      // "Class A", "class B"; "ibuprofen with food", "omeprazole before food".
      if (more.some(isLetter) || (isNamedFirst && more.length > 0)) return false;
      if (one.some(isMeasure)) only[0]++;
      if (other.some(isMeasure)) only[1]++;
      continue;
    }
    const [measures, words] = [
      [...one, ...other].filter(isMeasure),
      [...one, ...other].filter((item) => !isMeasure(item)),
    ];
    // A mistake in writing. At the beginning it may be another subject: "Ethanol", "methanol".
    const isSpelledAlike = measures.length === 0 && areNamesAlike(one.map(keyOf), other.map(keyOf));
    if (isSpelledAlike && at + place.before > 0) continue;
    // "For adults 500 mg", "for children 250 mg"; "of France is Paris", "of Italy is Rome".
    if (measures.length > 1 && words.length > 1) return false;
    if (isDividedByVerb(one, a) && isDividedByVerb(other, b)) return false;
    // "At 17:30", "at 5:30 in the afternoon".
    if (a.items.length !== b.items.length && isHalfDay({ one: measuresOf(one), other: measuresOf(other) }))
      return false;
    isNamedFirst ||= at === 0 && place.before === 0 && words.length > 0;
    // "Revenue in 2021 was 4.1 million", "in 2022 4.8 million".
    const areYears = [...measuresOf(one), ...measuresOf(other)].some((key) => YEAR.test(key));
    if (at === 0) isOfYear = areYears && place.before <= LEAST_BEFORE_NUMBERS;
    else if (isOfYear && !areYears) return false;
    isMeasured &&= words.length === 0 && (replaced.size > 0 || place.before >= LEAST_BEFORE_NUMBERS);
    replaced.add(`${one.map(keyOf).join(' ')}\u0000${other.map(keyOf).join(' ')}`);
  }
  // "From 1702 to 1719", "from 1719 to 1733": the year in common is another one.
  const count = replaced.size + Math.min(...only);
  return count <= (isMeasured ? MOST_NUMBERS : 1);
}

/** Returns whether both texts have the same words and facts, in another order. */
function isReordered({ keys }: Sequence, { keys: others }: Sequence): boolean {
  const areEqual = (left: Int32Array, right: Int32Array) => left.every((key, at) => key === right[at]);
  if (keys.length !== others.length || areEqual(keys, others)) return false;
  return areEqual(keys.toSorted(), others.toSorted());
}

const isLetter = ({ key }: Item): boolean => /^\p{L}$/u.test(key);
const measuresOf = (items: readonly Item[]): string[] => items.filter(isMeasure).map(({ key }) => key);

// Unchecked prose: a list of words.
const REPETITIONS = setOf('again anoth anew wieder erneut encor nuevament novament');
/** Returns whether the item is a word for one more time: it tells of another event. */
const isRepetition = ({ key }: Item): boolean => REPETITIONS.has(key);

/** Verbs that do not count as words of a statement. */
const VERBS = setOf('is are was were has have had');
/** Returns whether such a verb stands between the items: they are the subject and its predicate. */
function isDividedByVerb(items: readonly Item[], { items: all }: Facts): boolean {
  const [first, last] = [all.indexOf(items[0] as Item), all.indexOf(items.at(-1) as Item)];
  return all.slice(first + 1, last).some((item) => VERBS.has(keyOf(item)));
}

const isMeasure = ({ kind }: Item): boolean => kind === 'number' || kind === 'unit' || kind === 'date';

/** Returns how many facts stand at another place of the order. */
function movedIn([one, other]: readonly [readonly string[], readonly string[]]): number {
  const [left, right] = [one, other].map((orders) => orders.join(', ').split(', ')) as [string[], string[]];
  return left.filter((fact, at) => fact !== right[at]).length;
}

/** Returns whether only one statement denies, in several words: "ne … pas". */
const isOneDenial = (all: readonly Difference[]): boolean =>
  all.every(({ kind }) => kind === 'negation') &&
  (all.every(({ one }) => one.length === 0) || all.every(({ other }) => other.length === 0));

const isSeveralNumbers = (all: readonly Difference[]): boolean =>
  all.filter(({ kind }) => kind !== 'negation').length > 1 ||
  all.some(({ kind, one, other }) => kind === 'number' && Math.max(one.length, other.length) > 1);

/** Returns whether two times of day are twelve hours apart: "17:30", "5:30 in the afternoon". */
function isHalfDay({ one: [left = ''], other: [right = ''] }: Pick<Difference, 'one' | 'other'>): boolean {
  const [, hour, minute] = CLOCK.exec(left) ?? [];
  const [, otherHour, otherMinute] = CLOCK.exec(right) ?? [];
  return minute === otherMinute && Math.abs(Number(hour) - Number(otherHour)) === 12;
}
const CLOCK = /^(\d{1,2})(?:[:.](\d\d))?(?: [ap]m| hour)?$/;

/** Returns the facts that changed places if all words are the same: "Ann sued Bob", "Bob sued Ann". */
function turnedRound(a: Facts, b: Facts): Pick<StatementDifference, 'kinds' | 'sides'> | undefined {
  const [left, right] = numbered(a, b);
  if (left.words !== right.words || left.keys.every((key, at) => key === right.keys[at])) return undefined;
  const swapped = swappedFacts(left, right);
  // Members of a list may stand in any order.
  if (swapped !== undefined && movedIn(swapped.differences) > 2 && !isExchange(left, right)) return undefined;
  if (swapped !== undefined) return { kinds: swapped.kinds, sides: swapped.differences };
  return isReordered(left, right) && isTurnedRound(a, b) ? { kinds: ['word'], sides: [[], []] } : undefined;
}

/** Most words of a name that changes places with another. */
const MOST_OF_NAME = 3;

/** Returns whether two names, of any number of words, changed places around words that stayed: `A M B`, `B M A`. */
function isExchange({ keys, items }: Sequence, { keys: others }: Sequence): boolean {
  let start = 0;
  while (start < keys.length && keys[start] === others[start]) start++;
  let end = keys.length;
  while (end > start && keys[end - 1] === others[end - 1]) end--;
  const [left, right] = [keys.slice(start, end), others.slice(start, end)];
  for (let first = 1; first <= MOST_OF_NAME; first++) {
    for (let last = 1; last <= MOST_OF_NAME && first + last < left.length; last++) {
      // Without words between them they are members of a list.
      if (!items.slice(start + first, end - last).some(isContent)) continue;
      const turned = [...left.slice(-last), ...left.slice(first, -last), ...left.slice(0, first)];
      if (turned.every((key, at) => key === right[at])) return true;
    }
  }
  return false;
}

/** The number of plain words that belong to the differences: opposites. */
const differing = (all: readonly Difference[]): number =>
  all.some(({ kind }) => kind === 'negation') ? 1 : 0;

/** Returns whether a place has facts of several kinds, or a year beside another number: a subject and its value. */
function isSeveral(differences: readonly Difference[]): boolean {
  const kinds = new Set(differences.map(({ kind }) => (kind === 'unit' ? 'number' : kind)));
  if (kinds.size > 1) return true;
  return differences.some(({ one, other }) =>
    [one, other].some((keys) => keys.length > 1 && keys.some((key) => YEAR.test(key))),
  );
}

const isNumber = ({ kind, one, other }: Difference): boolean =>
  (kind === 'number' || kind === 'unit') && ![...one, ...other].some((key) => YEAR.test(key));

const isContent = ({ key }: Item): boolean => !isGlue(key);
const isFact = ({ kind = 'name' }: Item): boolean => kind !== 'name';
const kindsOf = (items: readonly Item[]): string =>
  KINDS.filter((kind) => items.some((item) => isFact(item) && item.kind === kind)).join();

/** Returns the plain words with substance. Facts that do not differ are compatible. */
const content = (items: readonly Item[]): Item[] =>
  items.filter(({ key, kind }) => (kind ?? 'name') === 'name' && !isGlue(key));

/** Returns whether the difference is one of the subject, not of a claim about it. */
function isSubject(
  { place, at, differences }: { place: Place; at: number; differences: readonly Difference[] },
  a: Facts,
  b: Facts,
  same: number,
  isAlone: boolean,
): boolean {
  const isFirst = at === 0 && place.before === 0;
  for (const { kind, one, other } of differences) {
    const keys = [...one, ...other];
    if (kind === 'name') {
      if (keys.some((key) => /\d/.test(key))) return true;
      if (isFirst) {
        if (!isHolder(place, a) || same < LEAST_BESIDE_ROLE) return true;
      } else if (!isUnique(a, b) && same < (isAlone ? LEAST_ALONE : LEAST_BESIDE_NAME)) return true;
    } else if (kind === 'negation') {
      if (Math.max(plainWords(place.left), plainWords(place.right)) > 1) return true;
    } else if (kind === 'date' || kind === 'number') {
      if (isFirst && keys.every((key) => YEAR.test(key))) return true;
      if (isLabel(place.left, a) || isLabel(place.right, b)) return true;
    }
  }
  return false;
}

const YEAR = /^[12]\d{3}$/;
const ORDINAL = /\d(?:st|nd|rd|th)$/;
// Unchecked prose: a list of words.
const LABELS = setOf(
  'step note room chapter figur tabl section page line level no number question part articl paragraph appendix ' +
    'version exampl exercis volum episod season round day week phase stage item option group class grade unit lot gate platform ' +
    'rout bus flight highwai error code rule',
);

/** Returns whether the place is a number that names something: `Room 101 has …`, `Step 2: …`. */
function isLabel(items: readonly Item[], { items: all }: Facts): boolean {
  const number = items.find(({ kind }) => kind === 'number');
  if (number === undefined) return false;
  const at = all.indexOf(number);
  const before = all[at - 1];
  if (before === undefined)
    return number.key.includes(' ') ? false : all[at + 1]?.sentence !== number.sentence;
  if (before.sentence !== number.sentence) return false;
  const after = all[at + 1];
  // At the end it is a value: "It was added in version 2.1."
  if (after === undefined) return false;
  if (LABELS.has(before.key) || (ORDINAL.test(number.key) && LABELS.has(after.key))) return true;
  if (before.word?.isCapital === true && before.word.isAcronym) return true;
  if (number.key.includes(' ') || YEAR.test(number.key)) return false;
  return at === 2 && before.word?.isCapital === true;
}

/** Returns whether both have one title or heading, and none that differs. */
export const haveOneTitle = (one: Setting, other: Setting): boolean =>
  common(one.title, other.title).length + common(one.heading, other.heading).length > 0;

/** Returns whether one statement says what the other says, with more words or fewer. */
export function isAddition(a: Facts, b: Facts): boolean {
  const { places } = alignmentOf(a, b);
  const isReplaced = ({ left, right }: Place) => left.some(isContent) && right.some(isContent);
  if (places.length === 0) return true;
  return !places.some(isReplaced) && 2 * sameItems(places) >= contentOf(b);
}

/** Returns the number of words with substance and facts. */
export const contentOf = ({ items }: Facts): number => items.filter(isContent).length;

/**
 * Returns whether what both statements have names one subject.
 *
 * @param areNear whether the texts around them are alike. Then everyday words suffice.
 */
export function isOneSubject(
  a: Facts,
  b: Facts,
  one: Setting,
  other: Setting,
  values: ReadonlySet<string> = new Set(),
  areNear = false,
): boolean {
  if (areOneDocument(one, other) || (one.isWhole === false && other.isWhole === false)) return false;
  const headings = common(one.heading, other.heading);
  const titles = common(one.title, other.title);
  const named = new Set([...without(one.title, other.title), ...without(other.title, one.title)]);
  let isNamed = false;
  const known = new Set(b.items.map(({ key }) => key));
  let bits = 0;
  let rare = 0;
  for (const key of new Set(a.items.map((item) => item.key))) {
    if (!known.has(key) || isGlue(key) || values.has(key)) continue;
    const own = bitsOf(key);
    bits += own;
    if (own < RARE_BITS) continue;
    rare++;
    isNamed ||= named.has(key);
  }
  for (const word of [...headings, ...titles].slice(0, MOST_HEADING_WORDS)) bits += Math.min(8, bitsOf(word));
  if (!areTitledAlike(one, other) && !isNamed) return false;
  if (
    titles.length + headings.length === 0 &&
    [a, b].some((each) => isNote(each, values) || (!areNear && isUnnamed(each)))
  )
    return false;
  return (
    bits >=
    (areNear || rare > 0 || headings.length + titles.length > 0 ? LEAST_BITS : LEAST_BITS_WITHOUT_NAME)
  );
}

/** Returns whether the titles are equal but for a version, or one is not known; and the same of the headings. */
export const areTitledAlike = (one: Setting, other: Setting): boolean =>
  areNamedAlike(one.title, other.title) && areNamedAlike(one.heading, other.heading);

const areNamedAlike = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === 0 || other.length === 0 || common(one, other).length > 0;

/** Returns whether both are of one document: years of one report, steps of one guide. */
export const areOneDocument = ({ source }: Setting, other: Setting): boolean =>
  source !== undefined && source === other.source;

const without = (words: readonly string[], others: readonly string[]): string[] =>
  words.filter((word) => !others.includes(word));

/** Returns the words of two equal titles or headings; none if they differ. */
function common(one: readonly string[], other: readonly string[]): readonly string[] {
  return one.length === other.length && one.every((word, at) => word === other[at]) ? one : [];
}

/** Returns the words of facts: a number, its unit. */
export const partsOf = (facts: readonly string[]): ReadonlySet<string> =>
  new Set(facts.flatMap((key) => key.split(' ')));

/** A version, or a date with a month, of a document. A bare year is often what a document is about. */
const VERSION = lazily(
  () =>
    new RegExp(
      String.raw`\b(?:v|ver\.? |version |rev(?:ision|\.)? |release )\d+(?:\.\d+)*\w*|\b\d+\.\d+(?:\.\d+)*\b|\b\d{4}-\d\d(?:-\d\d)?\b|(?:\b\d{1,2}\.? )?\b(?:${MONTH_NAMES.join('|')})\b(?: \d{1,2},)? \d{4}\b`,
      'gi',
    ),
);

/** Returns a title without what tells versions of one document apart. */
export const withoutVersion = (title: string): string => title.replace(VERSION(), '');

const isRare = ({ key }: Item): boolean => bitsOf(key) >= RARE_BITS;

function bitsOf(stem: string): number {
  const share = shareOfTexts(stem);
  return share === 0 ? UNKNOWN_BITS : -Math.log2(share);
}

/** Words that stand for a subject which is named elsewhere, and nouns that do so behind an article. */
const UNNAMED = setOf(
  'it he she they we this that these those you i there its his her their our your my here as',
);
/** Words that point to the page or to its reader, and first words of a statement about them. */
const POINTING = setOf('this these your our');
const OF_PAGE = setOf('this these there here');
const ADDRESSING = setOf('we you');
const GENERIC = setOf(
  'song album film movi station popul competit citi town villag compani game book school team municip counti district ' +
    'season episod seri area averag median club band show event month year dai build plant speci famili',
);

/**
 * Returns whether the statement is a note of the page that has it: `This page has …`, `12 people found this helpful`,
 * `Downloaded 1,200 times`. Such a note is about the page, or is short and names no subject.
 */
function isNote({ items }: Facts, values: ReadonlySet<string>): boolean {
  const [first] = items;
  if (first === undefined || OF_PAGE.has(keyOf(first))) return true;
  const before = beforeValues(items, values);
  const isCount = before?.length === 0;
  if ((isCount || ADDRESSING.has(keyOf(first))) && items.some((item) => POINTING.has(keyOf(item))))
    return true;
  if (before === undefined || !NOTED.has(items[before.length]?.kind ?? 'name')) return false;
  const named = before.filter(isContent);
  if (items.length >= LEAST_WITHOUT_SUBJECT || named.length > 1 || named.some(isRare)) return false;
  // A rare word among everyday words may be a name. Words of a language that is not known all seem to be rare.
  const words = items.filter((item) => isContent(item) && !isFact(item));
  const rare = words.filter(isRare).length;
  return rare === 0 || 2 * rare >= words.length;
}

/** Returns the items in front of the first value; `undefined` if there is none. */
function beforeValues(items: Facts['items'], values: ReadonlySet<string>): Facts['items'] | undefined {
  const at = items.findIndex(({ key }) => key.split(' ').some((part) => values.has(part)));
  return at < 0 ? undefined : items.slice(0, at);
}

/**
 * Returns whether the statement names its subject in front of the values: `The bridge opened in 1932`, not `Page 3 of 10` or
 * `Reading time 4 minutes`. That takes three words, two of them with substance.
 */
export function namesFirst(facts: Facts, values: ReadonlySet<string>): boolean {
  const before = beforeValues(facts.items, values) ?? [];
  return (
    before.length > 2 && before.filter(isContent).length > 1 && !isNote(facts, values) && !isUnnamed(facts)
  );
}

/** Returns whether the statement begins with a word for a subject that is named elsewhere: `It`, `The song`. */
function isUnnamed({ items }: Facts): boolean {
  const [first, second] = items;
  if (first === undefined || UNNAMED.has(first.word?.folded ?? first.key)) return true;
  const isNamed = items[2]?.key === 'of' || items[2]?.kind === 'name';
  return first.key === 'the' && second !== undefined && GENERIC.has(second.key) && !isNamed;
}
