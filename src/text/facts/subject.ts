/** Decides whether two statements speak of one subject, as far as words can tell. */
import { lazily } from '../../runtime/lazily.js';
import type { FactKind } from '../../types.js';
import { shareOfTexts } from '../background.js';
import { type Facts, type Item, keyOf } from './reader.js';
import { isGlue } from './statement-words.js';
import { MONTH_NAMES, setOf } from './word-lists.js';

/** The surroundings of a statement. */
export interface Setting {
  /** Stems of the title of its document, {@link withoutVersion}; none if it is not known. */
  readonly title: readonly string[];
  /** Words of the heading above it. */
  readonly heading: readonly string[];
  /** Whether it is a sentence, a labelled value or a row, not a fragment such as an entry of a menu. */
  readonly isWhole: boolean;
  /** The document, if it is known. */
  readonly source?: string | undefined;
}

/** Words of a stem in fewer than one of 2^n everyday texts name a subject. */
const RARE_BITS = 11;
const UNKNOWN_BITS = 15;
/** The kinds of facts in counters, dates and other notes of a page. */
const NOTED: ReadonlySet<FactKind> = new Set(['number', 'date', 'unit']);
/** A shorter statement that names no subject is a note of a page. In words and facts. */
const LEAST_WITHOUT_SUBJECT = 8;
/** Bits of all words that both statements have, with those of a common heading; and if no word is rare and there is none. */
const LEAST_BITS = 12;
const LEAST_BITS_WITHOUT_NAME = 15;
/** A common heading or title counts as at most so many words, of so many bits each. */
const MOST_HEADING_WORDS = 4;
const MOST_HEADING_BITS = 8;
/** Rare words with which a statement that points to its page names something else. */
const LEAST_NAMES = 2;
/** If near-copies share more words than this around the statements, they are about one subject. */
const ONE_STATEMENT = 16;

/** The facts that differ. */
interface Differing {
  readonly kinds: readonly FactKind[];
  /** The words of the facts that differ. */
  readonly values: ReadonlySet<string>;
  /** Number of words that both chunks have if they are near-copies, else 0. */
  readonly nearby: number;
}

/**
 * Returns whether what both statements have names one subject. In near-copies it may also be the text around them, and
 * everyday words suffice; only counters, dates and other notes of a page have to name it.
 */
export function isOneSubject(
  a: Facts,
  b: Facts,
  one: Setting,
  other: Setting,
  { kinds, values, nearby }: Differing,
): boolean {
  if (!mayBeOneSubject(one, other, nearby)) return false;
  const areAlike = areAlikeIn(one, other);
  const common = [...commonOf(one.heading, other.heading), ...commonOf(one.title, other.title)];
  if (nearby > 0) {
    if (common.length > 0 || !kinds.every((kind) => NOTED.has(kind))) return true;
    if (nearby - Math.min(contentOf(a), contentOf(b)) > ONE_STATEMENT) return true;
    if (one.isWhole && other.isWhole && [a, b].every((each) => namesFirst(each, values))) return true;
  }
  if (!one.isWhole && !other.isWhole) return false;
  const named = namesOf(one, other);
  const known = new Set(b.items.map(({ key }) => key));
  let [bits, rare, isNamed] = [0, 0, false];
  for (const key of new Set(a.items.map((item) => item.key))) {
    if (!known.has(key) || isGlue(key) || values.has(key)) continue;
    const own = bitsOf(key);
    bits += own;
    if (own < RARE_BITS) continue;
    rare++;
    isNamed ||= named.has(key);
  }
  for (const word of common.slice(0, MOST_HEADING_WORDS)) bits += Math.min(MOST_HEADING_BITS, bitsOf(word));
  if (!areAlike && !isNamed) return false;
  if (common.length === 0 && [a, b].some((each) => isNote(each, values) || (nearby === 0 && isUnnamed(each))))
    return false;
  return bits >= (nearby + rare + common.length > 0 ? LEAST_BITS : LEAST_BITS_WITHOUT_NAME);
}

/** Returns whether statements may be about one subject, as far as their surroundings tell. */
export function mayBeOneSubject(one: Setting, other: Setting, nearby: number): boolean {
  // Years of one report, steps of one guide.
  if (one.source !== undefined && one.source === other.source) return false;
  const areAlike = areAlikeIn(one, other);
  return nearby > 0 ? areAlike : (one.isWhole || other.isWhole) && (areAlike || namesOf(one, other).size > 0);
}

const areAlikeIn = (one: Setting, other: Setting): boolean =>
  areNamedAlike(one.title, other.title) && areNamedAlike(one.heading, other.heading);

/** Returns the words that only one of the titles has. */
const namesOf = (one: Setting, other: Setting): ReadonlySet<string> =>
  new Set([...without(one.title, other.title), ...without(other.title, one.title)]);

const contentOf = ({ items }: Facts): number => items.filter(({ key }) => !isGlue(key)).length;

/**
 * Returns whether the statement names its subject in front of the values: `The bridge opened in 1932`, not `Page 3 of 10` or
 * `Reading time 4 minutes`. That takes three words, two of them with substance.
 */
function namesFirst(facts: Facts, values: ReadonlySet<string>): boolean {
  const before = beforeValues(facts.items, values) ?? [];
  const named = before.filter(({ key }) => !isGlue(key));
  return before.length > 2 && named.length > 1 && !isNote(facts, values) && !isUnnamed(facts);
}

/** Returns whether the names are equal, or one is not known. */
const areNamedAlike = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === 0 || other.length === 0 || commonOf(one, other).length > 0;

const without = (words: readonly string[], others: readonly string[]): string[] =>
  words.filter((word) => !others.includes(word));

/** Returns the words of two equal titles or headings; none if they differ. */
const commonOf = (one: readonly string[], other: readonly string[]): readonly string[] =>
  one.length === other.length && one.every((word, at) => word === other[at]) ? one : [];

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

/** Returns the information of a stem in bits. A stem that is not known is rare. */
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
  if (first === undefined) return true;
  const before = beforeValues(items, values);
  // "This page has 12 views", but not "This addition to Animal Crossing is sold from 20 March".
  if (OF_PAGE.has(keyOf(first)) && (before ?? []).filter(isRare).length < LEAST_NAMES) return true;
  const isCount = before?.length === 0;
  if ((isCount || ADDRESSING.has(keyOf(first))) && items.some((item) => POINTING.has(keyOf(item))))
    return true;
  if (before === undefined || !NOTED.has(items[before.length]?.kind ?? 'name')) return false;
  const named = before.filter(({ key }) => !isGlue(key));
  if (items.length >= LEAST_WITHOUT_SUBJECT || named.length > 1 || named.some(isRare)) return false;
  // A rare word among everyday words may be a name. Words of a language that is not known all seem to be rare.
  const words = items.filter(({ key, kind = 'name' }) => !isGlue(key) && kind === 'name');
  const rare = words.filter(isRare).length;
  return rare === 0 || 2 * rare >= words.length;
}

/** Returns the items in front of the first value; `undefined` if there is none. */
function beforeValues(items: Facts['items'], values: ReadonlySet<string>): Facts['items'] | undefined {
  const at = items.findIndex(({ key }) => key.split(' ').some((part) => values.has(part)));
  return at < 0 ? undefined : items.slice(0, at);
}

/** Returns whether the statement begins with a word for a subject that is named elsewhere: `It`, `The song`. */
function isUnnamed({ items }: Facts): boolean {
  const [first, second] = items;
  if (first === undefined || UNNAMED.has(first.word?.folded ?? first.key)) return true;
  const isNamed = items[2]?.key === 'of' || items[2]?.kind === 'name';
  return first.key === 'the' && second !== undefined && GENERIC.has(second.key) && !isNamed;
}
