/**
 * Converts dates to spans of days: the date of a text (`1:56 pm on 8 May, 2023`), and the times that a question names
 * (`in May`, `last week`, `two months ago`), relative to a day that counts as today. It reads English, and names of
 * months also in the languages of `dates`.
 *
 * Days are numbers from 1 January 1970 in the Gregorian calendar. Time zones are ignored.
 */
import { lazily } from '../../runtime/lazily.js';
import { dateAt, WEEKDAY_NAMES } from './dates.js';
import { numberWordsAt } from './number-words.js';
import { type Token, tokensOf, wordAt } from './tokens.js';
import { moneyOf, unitAt, unitOf } from './units.js';
import { MONTH_NAMES } from './word-lists.js';

/** A span of days, with both ends inclusive. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** A day or a month of any year: `8 May`, `in May`. Months count from 1. */
export interface Yearly {
  readonly month: number;
  readonly day?: number;
}

const MILLISECONDS = 86_400_000;
/** Most characters that are read. Dates are shorter, but fields of metadata may contain anything. */
const LOOKED_AT = 100;
/** Matches `20230508`, `202305081356`, and `D:20230508135600Z` of PDF. */
const COMPACT = /^(?:D:)?((?:1[5-9]|20)\d\d)(\d\d)(\d\d)(?:(?:\d\d){2,3})?(?!\d)/;
/** From nine digits on, a number counts seconds since 1970; from twelve digits on, milliseconds. */
const EPOCH = /^\d{9,14}(?:\.\d+)?$/;
const FIRST_MILLISECONDS = 1e11;
/** Matches a day, a month or a year. */
const KEY = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/;
/** Matches `5/8/2023`, which is 5 August or May 8. */
const EITHER = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const COUNT = /^\d{1,3}$/;
const DAYS = new Map([
  ['day', 1],
  ['night', 1],
  ['week', 7],
  ['month', 365.25 / 12],
  ['year', 365.25],
]);
const MONTHS = lazily(() => new Map(MONTH_NAMES.map((name, at) => [name, at + 1])));
const WEEKDAYS = lazily(() => new Map(WEEKDAY_NAMES.map((name, at) => [name, at])));

/** Returns the date that a text states, or undefined. An ambiguous date, such as `5/8/2023`, counts as none. */
export function spanOf(text: string): Span | undefined {
  const trimmed = text.trim();
  const compact = COMPACT.exec(trimmed);
  if (compact !== null) return calendarSpan(Number(compact[1]), Number(compact[2]), Number(compact[3]));
  if (KEY.test(trimmed)) return spanOfKey(trimmed);
  const epoch = epochOf(trimmed);
  if (epoch !== undefined) return oneDay(Math.floor(epoch / MILLISECONDS));
  const tokens = tokensOf(trimmed.slice(0, LOOKED_AT));
  for (let at = 0; at < tokens.length; at++) {
    const key = dateAt(tokens, at)?.key ?? '';
    // The first date with a year decides: "31 June 2023" is not a date, and neither is its month.
    if (KEY.test(key)) return spanOfKey(key);
  }
  return undefined;
}

/** Returns the milliseconds since 1970 that a number counts, if it counts them or seconds. */
export function epochOf(text: string): number | undefined {
  if (!EPOCH.test(text)) return undefined;
  const number = Number(text);
  return Math.floor(number < FIRST_MILLISECONDS ? number * 1000 : number);
}

/**
 * Returns the times that a question names, in order.
 *
 * @param today the day from which `yesterday` and `last May` count.
 */
export function namedTimes(question: string, today: number): (Span | Yearly)[] {
  const tokens = tokensOf(question);
  const times: (Span | Yearly)[] = [];
  for (let at = 0; at < tokens.length; ) {
    const found = relativeAt(tokens, at, today) ?? calendarAt(tokens, at, today) ?? yearAt(tokens, at);
    if (found !== undefined) times.push(...found.times);
    at = found?.end ?? at + 1;
  }
  return times;
}

/** Returns the spans of a time. A time of any year has a span in the year of `day` and one in the year before. */
export function spansAbout(time: Span | Yearly, day: number): Span[] {
  if ('first' in time) return [time];
  const year = yearOf(day);
  return [year - 1, year].flatMap((each) => calendarSpan(each, time.month, time.day) ?? []);
}

interface Found {
  readonly times: readonly (Span | Yearly)[];
  /** Index of the token after it. */
  readonly end: number;
}

function calendarAt(tokens: readonly Token[], at: number, today: number): Found | undefined {
  const date = dateAt(tokens, at);
  if (date === undefined) return undefined;
  const { key, end } = date;
  const weekday = WEEKDAYS().get(key);
  if (weekday !== undefined) {
    const next = wordAt(tokens, end) === ',' ? end + 1 : end;
    // "On Friday" is the last Friday. "On Friday, 6 May" is that date. "On a Friday" may be any Friday.
    const isLast = wordAt(tokens, at - 1) === 'on' && dateAt(tokens, next) === undefined;
    return { times: isLast ? [oneDay(lastWeekday(weekday, today))] : [], end };
  }
  const span = spanOfKey(key);
  if (span !== undefined) return { times: [span], end };
  const [, one, other, year] = EITHER.exec(key)?.map(Number) ?? [];
  if (year !== undefined) {
    const readings = [calendarSpan(year, one, other), calendarSpan(year, other, one)];
    return { times: readings.filter((reading) => reading !== undefined), end };
  }
  const [name = '', day] = key.split(' ');
  const month = MONTHS().get(name);
  if (month === undefined) return undefined;
  return { times: [day === undefined ? { month } : { month, day: Number(day) }], end };
}

function yearAt(tokens: readonly Token[], at: number): Found | undefined {
  const token = tokens[at];
  if (token?.type !== 'number' || token.suffix !== '' || !YEAR.test(token.raw)) return undefined;
  // 2000 dollars and 2000 metres are not years.
  if (moneyOf(wordAt(tokens, at - 1)) !== undefined || unitAt(tokens, at + 1) !== undefined) return undefined;
  return { times: [calendarSpan(Number(token.raw)) as Span], end: at + 1 };
}

function relativeAt(tokens: readonly Token[], at: number, today: number): Found | undefined {
  const word = wordAt(tokens, at);
  if (word === 'today') return { times: [oneDay(today)], end: at + 1 };
  if (word === 'yesterday') return { times: [oneDay(today - 1)], end: at + 1 };
  if (word === 'last' || word === 'past' || word === 'this') return periodAt(tokens, at, today);
  return agoAt(tokens, at, today);
}

/** Reads `two weeks ago`, with a tolerance of a seventh of the unit: one day for weeks, four days for months. */
function agoAt(tokens: readonly Token[], at: number, today: number): Found | undefined {
  const count = countAt(tokens, at);
  if (count === undefined) return undefined;
  const length = DAYS.get(unitOf(wordAt(tokens, count.end)) ?? '');
  if (length === undefined || wordAt(tokens, count.end + 1) !== 'ago') return undefined;
  const day = today - Math.round(count.number * length);
  const slack = Math.floor(length / 7);
  return { times: [{ first: day - slack, last: day + slack }], end: count.end + 2 };
}

/** Reads `last Friday`, `last May`, `this year`, `last week`, `the last week`, `the past three months`. */
function periodAt(tokens: readonly Token[], at: number, today: number): Found | undefined {
  const isThis = wordAt(tokens, at) === 'this';
  const name = wordAt(tokens, at + 1);
  const weekday = WEEKDAYS().get(name);
  if (weekday !== undefined) {
    return { times: [oneDay(lastWeekday(weekday, isThis ? today : today - 1))], end: at + 2 };
  }
  const month = MONTHS().get(name);
  if (month !== undefined) {
    const year = yearOf(today);
    const own = calendarSpan(year, month) as Span;
    const isPast = isThis || own.last < today;
    return { times: [isPast ? own : (calendarSpan(year - 1, month) as Span)], end: at + 2 };
  }
  const count = isThis ? undefined : countAt(tokens, at + 1);
  const end = (count?.end ?? at + 1) + 1;
  const period = wordAt(tokens, end - 1);
  const unit = unitOf(period) ?? '';
  const length = DAYS.get(unit);
  const isRolling =
    count !== undefined || wordAt(tokens, at) === 'past' || (!isThis && wordAt(tokens, at - 1) === 'the');
  if (isRolling) {
    if (length === undefined) return undefined;
    return { times: [{ first: today - Math.round((count?.number ?? 1) * length), last: today }], end };
  }
  const span = periodOf(period === 'weekend' ? period : unit, today, isThis);
  return span && { times: [span], end };
}

/** Returns the period of the calendar that contains today, or the one before. */
function periodOf(unit: string, today: number, isThis: boolean): Span | undefined {
  const back = isThis ? 0 : 1;
  if (unit === 'day' || unit === 'night') return oneDay(today - back);
  const monday = lastWeekday(0, today);
  if (unit === 'week') return { first: monday - 7 * back, last: monday - 7 * back + 6 };
  if (unit === 'weekend') {
    const saturday = isThis ? monday + 5 : lastWeekday(5, today - 2);
    return { first: saturday, last: saturday + 1 };
  }
  const date = new Date(today * MILLISECONDS);
  const year = date.getUTCFullYear();
  if (unit === 'year') return calendarSpan(year - back);
  if (unit !== 'month') return undefined;
  const month = date.getUTCMonth() + 1 - back;
  return month === 0 ? calendarSpan(year - 1, 12) : calendarSpan(year, month);
}

/** Reads a count: `3`, `three`, `a`, `a couple of`. */
function countAt(tokens: readonly Token[], at: number): { number: number; end: number } | undefined {
  const word = wordAt(tokens, at);
  if (word === 'couple' || ((word === 'a' || word === 'an') && wordAt(tokens, at + 1) === 'couple')) {
    const end = word === 'couple' ? at + 1 : at + 2;
    return { number: 2, end: wordAt(tokens, end) === 'of' ? end + 1 : end };
  }
  if (word === 'a' || word === 'an') return { number: 1, end: at + 1 };
  const found = tokens[at]?.type === 'number' ? { number: word, end: at + 1 } : numberWordsAt(tokens, at);
  return found && COUNT.test(found.number) ? { number: Number(found.number), end: found.end } : undefined;
}

function spanOfKey(key: string): Span | undefined {
  const [, year, month, day] = KEY.exec(key) ?? [];
  return year === undefined
    ? undefined
    : calendarSpan(
        Number(year),
        month === undefined ? undefined : Number(month),
        day === undefined ? undefined : Number(day),
      );
}

/** Returns the span of a year, a month or a day, or undefined if the calendar has no such day. */
function calendarSpan(year: number, month?: number, day?: number): Span | undefined {
  const first = dayNumber(year, month ?? 1, day ?? 1);
  if (month === undefined) return { first, last: dayNumber(year, 12, 31) };
  if (month < 1 || month > 12) return undefined;
  const last = dayNumber(year, month + 1, 1) - 1;
  if (day === undefined) return { first, last };
  return day < 1 || first > last ? undefined : oneDay(first);
}

/** Years below 100 must not become years of the twentieth century. */
function dayNumber(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / MILLISECONDS;
}

const yearOf = (day: number) => new Date(day * MILLISECONDS).getUTCFullYear();

const oneDay = (day: number): Span => ({ first: day, last: day });

/** Returns the last day with that name, up to and including `day`. 1 January 1970 was a Thursday. */
const lastWeekday = (weekday: number, day: number) => day - ((((day + 3 - weekday) % 7) + 7) % 7);
