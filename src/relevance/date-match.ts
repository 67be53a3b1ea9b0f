/**
 * How well the date of a passage matches the time that the question names:
 *
 *   dateMatch = max over named spans of
 *     |date ∩ span| / |date|     if they overlap
 *     2^(−gap/7)                 for a date `gap` days after the span, up to four weeks
 *     2^(−gap)                   for a date `gap` days before it, up to four days
 *
 * People report an event on its day or in the weeks after it. Days before the span allow for plans and time zones.
 * Relative times such as `last week` count from the newest date of the pool, because a question is asked on or after it.
 */
import { exp2 } from '../math/elementary.js';
import { namedTimes, type Span, spanOf, spansAbout } from '../text/facts/spans.js';
import type { Pool } from './pool.js';

/** Days after which a match is worth half. */
const AFTER = 7;
const BEFORE = 1;
/** A match that is worth less does not count. */
const LEAST = 1 / 16;

/** Computes `dateMatch`, 0..1, for each passage. Returns undefined if no passage has a date or the question no time. */
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

/** Parses each distinct text once, because the turns of a session have the same date. */
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
  const value = exp2(-(gap / (date.first > span.last ? AFTER : BEFORE)));
  return value < LEAST ? 0 : value;
}
