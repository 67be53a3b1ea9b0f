/** Detects questions that ask for a date, and texts that contain one. English only. */
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
/** Returns 1 for each passage with a date, else 0; undefined if the question does not ask for a date. */
export function date({ question, passages }: Pool): Float64Array | undefined {
  if (!ASKS_DATE.test(question.text)) return undefined;
  return Float64Array.from(passages, ({ text }) => Number(DATE.test(text)));
}
