/**
 * Converts Chinese and Japanese numbers and dates to the spelling of other languages: 三百 and 3百 become 300, 一万二千
 * becomes 12000, 3.5亿 becomes 350000000, 二〇一五 becomes 2015, 百分之五 becomes 5%, 2015年3月5日 becomes 2015-03-05.
 *
 * A single numeral is a number only if a counter follows (三个) or an ordinal precedes (第三). Elsewhere it is mostly a
 * part of a word (三明治 "sandwich"). 一 before a counter may mean "one" or "a".
 */
import { lazily, lazyRegExp } from '../../runtime/lazily.js';

const DIGITS: Readonly<Record<string, number>> = {
  〇: 0,
  零: 0,
  一: 1,
  二: 2,
  两: 2,
  兩: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const UNITS: Readonly<Record<string, number>> = {
  十: 10,
  百: 100,
  千: 1e3,
  万: 1e4,
  萬: 1e4,
  亿: 1e8,
  億: 1e8,
  兆: 1e12,
};
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

const HAN = `[${Object.keys(DIGITS).join('')}${Object.keys(UNITS).join('')}]`;
const ARABIC = String.raw`\d+(?:,\d{3}){0,9}(?:\.\d+)?`;
const MAYBE = lazyRegExp(`${HAN}|[年月]`, 'u');
const PERCENT = lazyRegExp(`百分之((?:${HAN}|${ARABIC})+)`, 'gu');
const NUMERAL = lazyRegExp(`第?(?:(?<!\\d)${ARABIC})?${HAN}(?:${HAN}|${ARABIC})*`, 'gu');
const PART = lazyRegExp(`${ARABIC}|${HAN}`, 'gu');
const COUNTER =
  /^[年月日号號个個名人次岁歲歳天回件台本位只隻支场場届屆层層条條份种種座家所张張批倍点點时時分秒元円圆圓米度楼樓級级]/;

const DATES = lazily((): readonly [RegExp, (match: string, ...parts: string[]) => string][] => [
  [
    /(?<!\d)(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号號]/g,
    (_, year, month, day) => ` ${year}-${month}-${day} `,
  ],
  [/(?<!\d)(\d{4})\s*年\s*(\d{1,2})\s*月/g, (match, year, month) => spelled(match, month, year as string)],
  [
    /(?<!\d)(\d{1,2})\s*月\s*(\d{1,2})\s*[日号號]/g,
    (match, month, day) => spelled(match, month, day as string),
  ],
  [/(?<!\d)(\d{4})\s*年/g, (_, year) => ` ${year} `],
]);

function spelled(match: string, month: string | undefined, rest: string): string {
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? match : ` ${name} ${rest} `;
}

/**
 * Returns the text with numbers and dates in ASCII.
 *
 * @param text a text whose digits are ASCII.
 */
export function withAsciiNumbers(text: string): string {
  if (!MAYBE().test(text)) return text;
  let plain = text
    .replace(PERCENT(), (match, numeral: string) => {
      const value = readNumeral(numeral);
      return value === undefined ? match : ` ${value}% `;
    })
    .replace(NUMERAL(), (match: string, at: number, all: string) => {
      const numeral = match.replace('第', '');
      const isSingle = numeral.length === 1;
      if (isSingle && numeral === match && !COUNTER.test(all.slice(at + 1, at + 3).trimStart())) return match;
      if (match === '一') return ' one ';
      const value = isSingle && numeral in UNITS && numeral !== '十' ? undefined : readNumeral(numeral);
      return value === undefined ? match : `${numeral === match ? '' : '第'} ${value} `;
    });
  for (const [from, to] of DATES()) plain = plain.replace(from, to);
  return plain;
}

/** Reads consecutive digits (二〇一五), or digits and units (一万二千). Returns `undefined` if they form no number. */
function readNumeral(numeral: string): string | undefined {
  const parts = numeral.match(PART()) ?? [];
  if (parts.every((part) => part in DIGITS)) return parts.map((part) => DIGITS[part]).join('');
  let sum = 0;
  let group = 0;
  let digit: number | undefined;
  let last = 1;
  for (const part of parts) {
    const unit = UNITS[part];
    if (unit === undefined) {
      if (digit !== undefined && digit !== 0) return undefined;
      digit = DIGITS[part] ?? Number(part.replaceAll(',', ''));
      if (digit === 0) last = 1;
      continue;
    }
    if (unit < 1e4) group += (digit ?? 1) * unit;
    else {
      const before = group + (digit ?? 0);
      if (before === 0) sum = Math.max(1, sum) * unit;
      else sum += before * unit;
      group = 0;
    }
    digit = undefined;
    last = unit;
  }
  // 三百五 is 350.
  const rest = digit === undefined ? 0 : digit < 10 && last >= 100 ? (digit * last) / 10 : digit;
  return String(Number((sum + group + rest).toPrecision(15)));
}
