/**
 * When a text was written, and which version of its document it is: what metadata, title and source say of it.
 *
 * Two values of one kind may be not comparable: a month and a day of it, or equal versions. Then neither is later.
 */
import { dateAt } from '../text/facts/dates.js';
import { epochOf, type Span, spanOf } from '../text/facts/spans.js';
import { tokensOf } from '../text/facts/tokens.js';
import type { Candidate, Claim } from '../types.js';

/** The kinds of values, in the order in which they decide which text is the newest. */
export const DATINGS = [
  'date in metadata',
  'version in metadata',
  'version in the title',
  'version in the source',
  'date in the title',
  'date in the source',
] as const;
export type Dating = (typeof DATINGS)[number];

/** A date or a version, with the words that name where it was read. */
export interface Dated {
  /** The date in ISO form, as exact as it was given: `2024`, `2024-05`, `2024-05-01`, `2024-05-01T10:00:00.000Z`. Or a version: `2.1.0`. */
  readonly text: string;
  /** `metadata.date`, `the date in the title`, `the version in the source`. */
  readonly from: string;
  readonly value: Moment | Version;
}

/** A span of time, in milliseconds since 1970, both ends inclusive. Without a time zone it is that of UTC. */
interface Moment {
  readonly first: number;
  readonly last: number;
}

/** The numbers of a version, the most significant first, and the stage before its release (`rc.1`). */
interface Version {
  readonly numbers: readonly number[];
  readonly before?: string;
}

/** Names and values longer than this are not read to their ends. */
const LONGEST = 500;
const DAY = 86_400_000;

/**
 * The date and the version of a candidate, for people: the first that its own metadata, title and source have, in this
 * order. The copies that were evicted for it do not count.
 */
export function datingOf({ claims, sources }: Pick<Candidate, 'claims' | 'sources'>): {
  date?: Dated;
  version?: Dated;
} {
  const claim = claims?.[0] ?? { source: sources[0] };
  const first = (what: 'date' | 'version') => {
    for (const dating of DATINGS) {
      const found = dating.startsWith(what) ? dated(claim, dating) : undefined;
      if (found !== undefined) return { [what]: found };
    }
    return {};
  };
  return { ...first('date'), ...first('version') };
}

/** The value of one kind that a text has. Undefined if it has none, or two of which neither is a part of the other. */
export function dated({ source, datePath, version }: Claim, dating: Dating): Dated | undefined {
  const isDate = dating.startsWith('date');
  const place = (['title', 'source'] as const).find((each) => dating.endsWith(each));
  if (place !== undefined) {
    const found = isDate ? dateIn(source[place]) : versionIn(source[place]);
    return found && { ...found, from: `the ${dating}` };
  }
  const value = isDate ? source.date : version;
  const found = value === undefined ? undefined : isDate ? dateOf(value) : versionOf(value);
  return found && { ...found, from: `metadata.${isDate ? (datePath ?? 'date') : 'version'}` };
}

/** Whether one value is certainly later than another of the same kind. */
export function isLater(one: Dated['value'], other: Dated['value']): boolean {
  if ('first' in one) return 'first' in other && one.first > other.last;
  return 'numbers' in other && compareVersions(one, other) > 0;
}

/** Matches a time in ISO form: its day, its time, parts of a second, and its zone. */
const TIME =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:(?<=:\d\d:\d\d)[.,](\d{1,9}))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** The date that is the whole value: ISO, with or without a time, seconds or milliseconds since 1970, or in words. */
export function dateOf(value: string): Omit<Dated, 'from'> | undefined {
  const text = value.slice(0, LONGEST).trim();
  const instant = epochOf(text) ?? instantOf(text);
  if (instant !== undefined) {
    return { text: new Date(instant).toISOString(), value: { first: instant, last: instant } };
  }
  const span = spanOf(text);
  return span && ofSpan(span);
}

function instantOf(text: string): number | undefined {
  const [, day = '', time, fraction = '', zone = 'Z'] = TIME.exec(text) ?? [];
  if (time === undefined || spanOf(day) === undefined) return undefined;
  const offset = zone
    .toUpperCase()
    .replace(/(\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`);
  const instant = Date.parse(
    `${day}T${time}${fraction && `.${fraction.slice(0, 3).padEnd(3, '0')}`}${offset}`,
  );
  return Number.isNaN(instant) ? undefined : instant;
}

/** A span of days in ISO form: a day, a month or a year. */
function ofSpan({ first, last }: Span): Omit<Dated, 'from'> {
  const day = new Date(first * DAY).toISOString().slice(0, 10);
  const text = first === last ? day : last - first > 31 ? day.slice(0, 4) : day.slice(0, 7);
  return { text, value: { first: first * DAY, last: (last + 1) * DAY - 1 } };
}

/** Matches `2024-05-01`, `2024/05`, `2024_05_01`, `20240501`, with the same sign between its parts. */
const NUMERIC =
  /(?<!\d)((?:19|20)\d\d)(?:([-/._])(0[1-9]|1[0-2])(?:\2([0-3]\d))?|(0[1-9]|1[0-2])([0-3]\d))(?!\d)/g;
const YEAR = /(?<!\d\.?)(?:19|20)\d\d(?!\.?\d)/g;
/** Matches a date as `dateAt` writes it. */
const KEY = /^\d{4}(?:-\d\d){0,2}$/;

/** The date in a title or an address. A year counts if there is no month beside it. */
export function dateIn(name: string | undefined): Omit<Dated, 'from'> | undefined {
  if (name === undefined) return undefined;
  const spans: Span[] = [];
  const add = (key: string) => {
    const span = spanOf(key);
    if (span !== undefined) spans.push(span);
    return ' ';
  };
  const rest = name
    .slice(0, LONGEST)
    .replace(NUMERIC, (_, year, _sign, month, day, compactMonth, compactDay) =>
      add([year, month ?? compactMonth, day ?? compactDay].filter(Boolean).join('-')),
    )
    // "v2, May 2024" has no second day of May.
    .replace(NAMED, ' ');
  // Words are read without the signs that join them in addresses.
  const tokens = tokensOf(rest.replace(/[-/_.+]|%20/g, ' '));
  for (let at = 0; at < tokens.length; ) {
    const found = dateAt(tokens, at);
    if (found !== undefined && KEY.test(found.key)) add(found.key);
    at = Math.max(at + 1, found?.end ?? 0);
  }
  for (const [year] of rest.matchAll(YEAR)) add(year);
  const least = spans.reduce<Span | undefined>(
    (one, other) => (one && isWithin(one, other) ? one : other),
    undefined,
  );
  return least !== undefined && spans.every((span) => isWithin(least, span)) ? ofSpan(least) : undefined;
}

const isWithin = (one: Span, other: Span) => one.first >= other.first && one.last <= other.last;

/** Matches a stage before the release. Stages are compared as texts, which is their order. */
const BEFORE = String.raw`(?:[-. ]?(alpha|beta|dev|pre|preview|rc|snapshot)[-. ]?(\d{0,9}))?`;
const WHOLE = new RegExp(
  String.raw`^(?:v|ver\.?|version|r|rev\.?|revision|release)?[ ._-]?(\d{1,9}(?:[.-]\d{1,9}){0,5})${BEFORE}(?:\+.*)?$`,
  'i',
);
/** Matches `v2`, `version 2.1`, `rev. 3`; and three numbers that are neither a date nor a part of an address. */
const NAMED = new RegExp(
  String.raw`(?<![a-z])(?:v|ver\.?|version|rev\.?|revision|release)[ ._-]?(\d{1,9}(?:\.\d{1,9}){0,5})${BEFORE}(?![\da-z])`,
  'gi',
);
const BARE = new RegExp(
  String.raw`(?<![\d.])(?!(?:19|20)\d\d\.)(\d{1,4}\.\d{1,4}\.\d{1,3})${BEFORE}(?!\.?\d)`,
  'gi',
);

/** The version that is the whole value: `3`, `v2.1`, `2.1.0-rc.1`, `2024-05-01`. */
export function versionOf(value: string): Omit<Dated, 'from'> | undefined {
  const found = WHOLE.exec(value.slice(0, LONGEST).trim());
  return found === null ? undefined : ofVersion(found);
}

/** The version in a title or an address. */
export function versionIn(name: string | undefined): Omit<Dated, 'from'> | undefined {
  if (name === undefined) return undefined;
  const text = name.slice(0, LONGEST);
  const found = [...text.matchAll(NAMED), ...text.matchAll(BARE)].map(ofVersion);
  const [first] = found;
  if (first === undefined) return undefined;
  return found.every(({ value }) => compareVersions(value, first.value) === 0) ? first : undefined;
}

function ofVersion([, digits = '', before, count = '']: RegExpExecArray | RegExpMatchArray) {
  const numbers = digits.split(/[.-]/).map(Number);
  const release = before && `${before.toLowerCase()}.${count || '0'}`;
  return {
    text: release === undefined ? digits : `${digits}-${release}`,
    value: release === undefined ? { numbers } : { numbers, before: release },
  };
}

/** Absent numbers count as 0, so that 2 and 2.0 are equal. A stage before the release is less than the release. */
function compareVersions(one: Version, other: Version): number {
  const length = Math.max(one.numbers.length, other.numbers.length);
  for (let at = 0; at < length; at++) {
    const difference = (one.numbers[at] ?? 0) - (other.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.before === other.before) return 0;
  if (one.before === undefined) return 1;
  if (other.before === undefined) return -1;
  const [[name = '', count], [otherName = '', otherCount]] = [one.before.split('.'), other.before.split('.')];
  return name === otherName ? Number(count) - Number(otherCount) : name < otherName ? -1 : 1;
}
