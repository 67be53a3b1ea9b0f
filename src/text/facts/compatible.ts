/**
 * Compares facts that may both be true in spite of different forms: a year and a day of that year, an acronym and its
 * name.
 */
import { MONTH_NAMES, setOf } from './word-lists.js';

/**
 * Returns whether both dates may be true of one event: the parts that both contain (`2015-03`, `march 5`) are equal. A
 * weekday, a month and "last week" have no part in common.
 */
export function areDatesCompatible(one: string, other: string): boolean {
  const [left, right] = [partsOf(one), partsOf(other)];
  return Object.entries(left).every(([part, value]) => right[part] === undefined || right[part] === value);
}

/** The parts of a date, by name. */
type DateParts = Readonly<Record<string, string>>;

function partsOf(key: string): DateParts {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(key) ?? [];
  if (year !== undefined) return given({ year, month, day });
  const [first = '', second] = key.split(' ');
  const place = MONTH_NAMES.indexOf(first);
  if (place >= 0) return given({ month: two(place + 1), day: second && two(second) });
  if (/day$/.test(key) && !RELATIVE.has(key) && second === undefined) return { weekday: key };
  if (RELATIVE.has(key)) return { relative: key };
  return second === undefined ? { order: key } : { period: key };
}

const RELATIVE = setOf('today yesterday tomorrow tonight');
const given = (parts: Record<string, string | undefined>): DateParts =>
  Object.fromEntries(Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined));
const two = (number: string | number): string => String(number).padStart(2, '0');

const VAGUE = /^(?:dozens|hundreds|thousands|millions|billions)$/;

/** Returns whether two quantities may both be true. Another number of another unit may be the same converted. */
export function areQuantitiesCompatible(one: string, other: string): boolean {
  const [number = '', unit = ''] = one.split(' ');
  const [otherNumber = '', otherUnit = ''] = other.split(' ');
  if (VAGUE.test(number) || VAGUE.test(otherNumber)) return true;
  if (unit !== otherUnit && unit !== '' && otherUnit !== '') return number !== otherNumber;
  const [left, right] = [numericValue(number), numericValue(otherNumber)];
  if (Number.isNaN(left) || Number.isNaN(right)) return number === otherNumber;
  const [less, greater] = left < right ? [left, right] : [right, left];
  if (less === greater || (less < 1000 && SCALES.includes(greater / less))) return true;
  return isRounded(number, otherNumber);
}

/** In a table, the word for the scale (`million`) may be in the heading instead of behind the number. */
const SCALES = [1e3, 1e6, 1e9];

/** Returns the numeric value, for an ordinal or a decade as well. */
function numericValue(number: string): number {
  const value = Number(number);
  return Number.isNaN(value) ? Number(number.replace(/(?:s|st|nd|rd|th)$/, '')) : value;
}

/** Returns whether one number is the other rounded: 4.4 and 4, 64700000000 and 65000000000. */
function isRounded(one: string, other: string): boolean {
  if (![one, other].some((number) => number.includes('.') || number.endsWith('00000'))) return false;
  const digits = (number: string) =>
    number
      .replace(/^-?[0.]*/, '')
      .replace(number.includes('.') ? /$/ : /(?<!0)0+$/, '')
      .replace('.', '').length;
  const [fewer, more] = digits(one) < digits(other) ? [one, other] : [other, one];
  const precision = digits(fewer);
  return (
    precision > 0 && precision < digits(more) && Number(Number(more).toPrecision(precision)) === Number(fewer)
  );
}

const ALIASES = [
  'us usa american americans united states america',
  'uk britain british united kingdom',
  'eu european union',
  'gop republican',
].map((names) => new Set(names.split(' ')));

/** Returns whether two names may name the same: aliases, abbreviations, or names spelled alike. */
export function areNamesAlike(one: readonly string[], other: readonly string[]): boolean {
  if (ALIASES.some((names) => one.every((name) => names.has(name)) && other.every((name) => names.has(name))))
    return true;
  if (abbreviates(one, other) || abbreviates(other, one)) return true;
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one];
  return fewer.every((name) => more.some((each) => areSpelledAlike(name, each)));
}

/** Returns whether one name abbreviates the other: `ucla` for `university`, `california`, `los`, `angeles`. */
function abbreviates(short: readonly string[], long: readonly string[]): boolean {
  if (long.length < 2) return false;
  const initials = long.map((name) => name.charAt(0)).join('');
  return short.some(
    (name) =>
      name.length > 1 &&
      name.length <= long.length + 1 &&
      (initials.startsWith(name) || name.startsWith(initials)),
  );
}

function areSpelledAlike(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (/\d/.test(short + long)) return false;
  if (long.startsWith(short) && short.length !== 2) return true;
  if (short.length >= 4 && long.endsWith(short)) return true;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let end = 0;
  while (end < short.length - start && short[short.length - 1 - end] === long[long.length - 1 - end]) end++;
  const differing = long.length - start - end;
  return start >= 1 && short.length >= 5 && differing <= (long.length >= 7 ? 2 : 1);
}
