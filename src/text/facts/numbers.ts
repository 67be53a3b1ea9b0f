import { numberWordsAt, SCALES } from './number-words.js';
import { type Token, wordAt } from './tokens.js';
import { moneyOf, type Unit, unitAt, unitOf } from './units.js';

/** Letters that are scales after a currency sign and a number (`$5m`), not metres or bytes. */
const MONEY_SCALES: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['m', 1e6],
  ['mn', 1e6],
  ['b', 1e9],
  ['t', 1e12],
]);

const ORDINAL = /^(?:st|nd|rd|th)$/;
const DECADE = /^[12]\d{3}s$/;

/** A number with its unit. */
export interface Quantity {
  /** Mostly one number; all numbers of a list without spaces (`1,2,3`). */
  numbers: string[];
  /** Empty if there is no unit. */
  unit: string;
  /** For a time of day: its form of 24 hours. Its number is what a clock shows. */
  key: string | undefined;
  /** The denominator of the unit: `kg` in `30 mg/kg` is a fact of its own. */
  per: string | undefined;
  /** Index of the token of the number, which a currency may precede, and index of the token after the quantity. */
  at: number;
  end: number;
}

interface Reading {
  numbers: string[];
  end: number;
  unit?: Unit | undefined;
}

/** Returns the quantity that starts at a token, in digits or words: `30 mg`, `$5 million`, `two weeks`. */
export function quantityAt(tokens: readonly Token[], start: number): Quantity | undefined {
  const money = moneyOf(wordAt(tokens, start));
  const at = money === undefined ? start : start + 1;
  const found = tokens[at]?.type === 'number' ? digitsAt(tokens, at, money) : inWords(tokens, at);
  if (found === undefined) return undefined;
  const reading = withHalf(tokens, found);
  const after = money === undefined ? (reading.unit ?? unitAt(tokens, reading.end)) : undefined;
  const [unit = '', per] = (money ?? after?.name ?? '').split('/');
  const end = after?.end ?? reading.end;
  const [number = ''] = reading.numbers;
  const time = reading.numbers.length === 1 ? timeOf(number, unit) : undefined;
  if (time !== undefined) return { numbers: [time.face], unit: '', key: time.key, per: undefined, at, end };
  const share = fractionOf(number);
  if (share !== undefined && unit === '' && wordAt(tokens, end) === 'of') {
    return { numbers: [times(share, 100)], unit: '%', key: undefined, per: undefined, at, end };
  }
  const numbers = share === undefined || reading.numbers.length > 1 ? reading.numbers : [share];
  return { numbers, unit, key: undefined, per, at, end };
}

/** Returns what a clock shows and the time in 24 hours: `5:30` and `17:30` for "5:30 pm" and "17:30". */
function timeOf(number: string, unit: string): { face: string; key: string } | undefined {
  const isHalf = unit === 'am' || unit === 'pm';
  const [, hours, minutes = '00'] = /^(\d{1,2})(?::(\d\d))?$/.exec(number) ?? [];
  if (hours === undefined || !(isHalf || (unit === '' && number.includes(':')))) return undefined;
  const hour = Number(hours);
  if (hour > (isHalf ? 12 : 24)) return undefined;
  const ofDay = isHalf ? (hour % 12) + (unit === 'pm' ? 12 : 0) : hour % 24;
  const shown = minutes === '00' ? '' : `:${minutes}`;
  return { face: `${ofDay % 12 || 12}${shown}`, key: `${ofDay}:${minutes}` };
}

/** Returns a proper fraction as a decimal if it has few digits: 0.75 for `3/4`. */
function fractionOf(number: string): string | undefined {
  const [, part, whole] = /^(\d)\/(2|4|5|8|10)$/.exec(number) ?? [];
  return part === undefined || Number(part) >= Number(whole)
    ? undefined
    : String(Number(part) / Number(whole));
}

function inWords(tokens: readonly Token[], at: number): Reading | undefined {
  // "Half an hour" is half of the unit.
  if (wordAt(tokens, at) === 'half' && /^an?$/.test(wordAt(tokens, at + 1))) {
    const unit = unitAt(tokens, at + 2);
    if (unit !== undefined) return { numbers: ['0.5'], end: unit.end, unit };
  }
  const found = numberWordsAt(tokens, at);
  return found && { numbers: [found.number], end: found.end };
}

/** Reads `and a half` behind a number. */
function withHalf(tokens: readonly Token[], reading: Reading): Reading {
  const { numbers, end } = reading;
  const [number] = numbers.map(Number);
  const isHalf = ['and', 'a', 'half'].every((word, step) => wordAt(tokens, end + step) === word);
  if (!isHalf || numbers.length > 1 || !Number.isInteger(number)) return reading;
  return { numbers: [String((number as number) + 0.5)], end: end + 3 };
}

/** Returns `undefined` if the letters behind the digits are neither a scale nor a unit: `3D` is a name. */
function digitsAt(tokens: readonly Token[], at: number, money: string | undefined): Reading | undefined {
  const { raw, suffix } = tokens[at] as Token;
  if (ORDINAL.test(suffix) || DECADE.test(raw + suffix)) return { numbers: [raw + suffix], end: at + 1 };
  const numbers = canonical(raw);
  const next = wordAt(tokens, at + 1) === '-' ? at + 2 : at + 1;
  const word = suffix === '' ? wordAt(tokens, next) : suffix;
  const scale = SCALES.get(word) ?? (money === undefined ? undefined : MONEY_SCALES.get(word));
  if (scale !== undefined) {
    const end = suffix === '' ? next + 1 : at + 1;
    return { numbers: numbers.map((number) => times(number, scale)), end };
  }
  if (suffix === '') return { numbers, end: at + 1 };
  const name = unitOf(suffix);
  return name === undefined ? undefined : { numbers, end: at + 1, unit: { name, end: at + 1 } };
}

/**
 * Returns digits without grouping, with a decimal point. A single group after a dot stays unchanged: "1.000" may be a
 * thousand or one. A list without spaces (`1,2,3`) yields several numbers.
 */
function canonical(raw: string): string[] {
  // 1,234.5 and 12,00,000 and 1 234.5 and 1'234.5
  const decimalPoint = /^-?\d{1,3}(?:(?:,\d{2,3})*,\d{3}|(?:[ ']\d{3})+)(?:\.\d+)?$/;
  // 1.234,5 and 1 234,5 and 1.234.567
  const decimalComma = /^-?\d{1,3}(?:(?:[. ]\d{3})+,\d+|(?:\.\d{3}){2,})$/;
  if (decimalPoint.test(raw)) return [raw.replace(/[, ']/g, '')];
  if (decimalComma.test(raw)) return [raw.replace(/[. ]/g, '').replace(',', '.')];
  if (/^-?\d+,\d+$/.test(raw)) return [raw.replace(',', '.')];
  // 09:30 is 9:30.
  return raw.replace(/^0(?=\d:)/, '').split(',');
}

/**
 * Multiplies with fifteen significant digits, so that 2.3 million is 2300000. Fractions, times and products that
 * overflow stay unchanged.
 */
function times(value: string, scale: number): string {
  const product = Number(value) * scale;
  return Number.isFinite(product) ? String(Number(product.toPrecision(15))) : value;
}
