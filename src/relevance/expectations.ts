/** Detects questions that ask for a date or a number, and texts that contain one. English only. */
import type { Pool } from './pool.js';

const ASKS_DATE =
  /\b(?:when (?:did|do|does|is|was|are|were|will|has|have|had|can|could|should|would)|(?:what|which) (?:year|date|month|week|day|time|century|decade)|how long ago|how recently)\b/i;
const DATE = new RegExp(
  '\\b(?:(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?|may,? \\d|\\d{1,2} may|(?:in|of|since|until|by|last|next|this) may|' +
    '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|tomorrow|today|tonight|recently|' +
    '(?:last|next|this|past) (?:week|weekend|month|year|night|morning|evening|summer|winter|fall|autumn|spring)|' +
    '(?:days?|weeks?|months?|years?) (?:ago|later|earlier)|century|centuries|decades?|' +
    '(?:1\\d|20)\\d\\ds?|\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4}|\\d{1,2} ?[ap]\\.?m|\\d{1,2}(?:st|nd|rd|th))\\b',
  'i',
);
const ASKS_NUMBER =
  /\bhow (?:many|much|old|long|far|tall|often|big|high|large|fast|heavy|deep|wide)\b|\bwhat (?:percentage|number|amount|age|price|cost)\b/i;
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|billions?|couple|several|once|twice|half)\b/i;

/** Returns 1 for each passage with a date, else 0; undefined if the question does not ask for a date. */
export const date = (pool: Pool) => expected(pool, ASKS_DATE, DATE);

/** Returns 1 for each passage with a number, else 0; undefined if the question does not ask for a number. */
export const number = (pool: Pool) => expected(pool, ASKS_NUMBER, NUMBER);

function expected({ question, passages }: Pool, asks: RegExp, has: RegExp): Float64Array | undefined {
  if (!asks.test(question.text)) return undefined;
  return Float64Array.from(passages, ({ text }) => Number(has.test(text)));
}
