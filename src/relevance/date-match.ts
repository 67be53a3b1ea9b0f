/**
 * Is a passage from the time that the question names?
 *
 *   dateMatch = max over named spans of
 *     |date ∩ span| / |date|     where they meet
 *     2^(−gap/7)                 for a date `gap` days after the span, up to four weeks
 *     2^(−gap)                   for a date `gap` days before it, up to four days
 *
 * What happened is told on that day or in the weeks after it; days before are for what is planned, and for time zones.
 * `last week` counts from the newest date of the pool: a question is asked at or after it.
 */
import { namedTimes, type Span, spanOf, spansAbout } from '../text/facts/spans.js';
import type { Pool } from './pool.js';

/** Days in which a match loses half of its worth. */
const AFTER = 7;
const BEFORE = 1;
/** A match that has lost more than four halves is none. */
const LEAST = 1 / 16;

/** Nothing where no passage has a date, or the question names no time. */
export function dateMatch({ question, passages }: Pool): Float64Array | undefined {
  const dates = datesOf(passages.map(({ date }) => date));
  let today = Number.NEGATIVE_INFINITY;
  for (const date of dates) today = Math.max(today, date?.first ?? today);
  if (today === Number.NEGATIVE_INFINITY) return undefined;
  const times = namedTimes(question.text, today);
  if (times.length === 0) return undefined;
  return Float64Array.from(dates, (date) => {
    if (date === undefined) return 0;
    const spans = times.flatMap((time) => spansAbout(time, date.last));
    return Math.max(0, ...spans.map((span) => closeness(date, span)));
  });
}

/** Each text is read once: the turns of a session have one date. */
function datesOf(texts: readonly (string | undefined)[]): (Span | undefined)[] {
  const known = new Map<string | undefined, Span | undefined>([[undefined, undefined]]);
  return texts.map((text) => {
    if (text !== undefined && !known.has(text)) known.set(text, spanOf(text));
    return known.get(text);
  });
}

function closeness(date: Span, span: Span): number {
  const shared = Math.min(date.last, span.last) - Math.max(date.first, span.first) + 1;
  if (shared > 0) return shared / (date.last - date.first + 1);
  const gap = Math.max(date.first - span.last, span.first - date.last);
  const value = 2 ** -(gap / (date.first > span.last ? AFTER : BEFORE));
  return value < LEAST ? 0 : value;
}
