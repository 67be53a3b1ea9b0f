import { type Token, wordAt } from './tokens.js';
import { unitAt } from './units.js';
import { aliases, MONTH_NAMES, setOf } from './word-lists.js';

/**
 * Maps spellings to full names. The short spellings are also other words, so they are weekdays only directly before a
 * date.
 */
const WEEKDAYS = aliases(
  'monday mon, tuesday tue tues, wednesday wed, thursday thu thur thurs, friday fri, saturday sat, sunday sun',
);

/** Full names of the days in English, from Monday. */
export const WEEKDAY_NAMES = [...new Set(WEEKDAYS.values())];

/**
 * Maps spellings to full names, in seven more languages. Except for full names, spellings are months only beside a
 * number.
 */
const MONTHS = aliases(`
january jan januar janvier enero gennaio janeiro januari января
february feb februar février febrero febbraio fevereiro februari февраля
march mar märz mars marzo março maart марта
april apr avril abril aprile апреля
may mai mayo maggio maio mei мая
june jun juni juin junio giugno junho июня
july jul juli juillet julio luglio julho июля
august aug août agosto augustus августа
september sep sept septembre septiembre settembre setembro сентября
october oct oktober octobre octubre ottobre outubro октября
november nov novembre noviembre novembro ноября
december dec dezember décembre diciembre dicembre dezembro декабря
`);

/** Months that are also verbs. They are months only beside a number or after a word of `MONTH_CUES`. */
const VERB_MONTHS = setOf('march may');
const MONTH_CUES = setOf('in since until during early late mid');
const DAY_CUES = setOf('on by from since until of dated');
/** Tokens between the parts of a date. */
const JOINTS = setOf('. , of de del');

/** Words that place a statement in time, or order it. */
const RELATIVE = setOf('today yesterday tomorrow tonight before after');
const DEICTICS = setOf('last next this');
const PERIODS = setOf('hour day night week month quarter year decade century');

const YEAR = /^[12]\d{3}$/;
const ORDINAL = /^(?:st|nd|rd|th)$/;

interface FoundDate {
  key: string;
  /** Index of the token after it. */
  end: number;
}

/** All words with which a date may begin. */
export const DATE_WORDS = [...WEEKDAYS.keys(), ...MONTHS.keys(), ...RELATIVE, ...DEICTICS];

/** Returns the date that starts at a token: `2023-05-08`, `8 May`, `Friday`, `last week`. */
export function dateAt(tokens: readonly Token[], at: number): FoundDate | undefined {
  const word = wordAt(tokens, at);
  if (tokens[at]?.type === 'date') return { key: numericDate(word), end: at + 1 };
  const weekday = WEEKDAYS.get(word);
  if (weekday !== undefined && (weekday === word || calendarDateAt(tokens, skip(tokens, at + 1)))) {
    return { key: weekday, end: at + 1 };
  }
  const date = calendarDateAt(tokens, at);
  if (date !== undefined) return date;
  if (RELATIVE.has(word)) return { key: word, end: at + 1 };
  const period = wordAt(tokens, at + 1);
  if (!DEICTICS.has(word) || !PERIODS.has(period)) return undefined;
  return { key: `${word} ${period}`, end: at + 2 };
}

/** Returns a date with the name of its month: `8 May 2023`, `May 8`, `May 2023`, `in May`. */
function calendarDateAt(tokens: readonly Token[], at: number): FoundDate | undefined {
  const dayBefore = dayAt(tokens, at);
  const place = dayBefore === undefined ? at : skip(tokens, at + 1);
  const month = MONTHS.get(wordAt(tokens, place));
  if (month === undefined) return undefined;
  const after = skip(tokens, place + 1);
  // "They march 10 miles" has no date.
  const dayAfter =
    dayBefore === undefined && unitAt(tokens, after + 1) === undefined ? dayAt(tokens, after) : undefined;
  const day = dayBefore ?? dayAfter;
  const end = dayAfter === undefined ? place + 1 : after + 1;
  const yearPlace = skip(tokens, end);
  const year = tokens[yearPlace];
  if (year?.type === 'number' && year.suffix === '' && YEAR.test(year.raw)) {
    return {
      key: iso(year.raw, MONTH_NAMES.indexOf(month) + 1, ...(day === undefined ? [] : [day])),
      end: yearPlace + 1,
    };
  }
  if (dayAfter === undefined && !namesMonth(tokens, at, place)) return undefined;
  return { key: day === undefined ? month : `${month} ${day}`, end };
}

/**
 * Returns whether the word at `month` surely is a month, given that no year or day follows it. The date starts at
 * `start`.
 */
function namesMonth(tokens: readonly Token[], start: number, month: number): boolean {
  const word = wordAt(tokens, month);
  const before = wordAt(tokens, start - 1);
  // "the 8th may", "by 8 May", but not "these 8 may".
  if (start < month) return !VERB_MONTHS.has(word) || tokens[start]?.suffix !== '' || DAY_CUES.has(before);
  return VERB_MONTHS.has(word) ? MONTH_CUES.has(before) : MONTHS.get(word) === word;
}

function dayAt(tokens: readonly Token[], at: number): number | undefined {
  const token = tokens[at];
  if (token?.type !== 'number' || !/^\d\d?$/.test(token.raw)) return undefined;
  const day = Number(token.raw);
  return day >= 1 && day <= 31 && (token.suffix === '' || ORDINAL.test(token.suffix)) ? day : undefined;
}

function skip(tokens: readonly Token[], at: number): number {
  return JOINTS.has(wordAt(tokens, at)) ? at + 1 : at;
}

/** Returns `2023-05-08`, also for `8.5.2023` and `25/5/2023`. `5/8/2023` is ambiguous and is not converted. */
function numericDate(raw: string): string {
  const [a = '', b = '', c = ''] = raw.split(/[-/.]/);
  if (a.length === 4) return iso(a, b, c);
  if (raw.includes('.') || Number(a) > 12) return iso(c, b, a);
  return Number(b) > 12 ? iso(c, a, b) : `${Number(a)}/${Number(b)}/${c}`;
}

function iso(...parts: (string | number)[]): string {
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
