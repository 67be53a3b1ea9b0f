/**
 * Converts Chinese and Japanese dates, percentages and rows of digits to the spelling of other languages: 二〇一五 becomes
 * 2015, 百分之5 becomes 5%, 2015年3月5日 becomes 2015-03-05. Numerals with units such as 十 and 万 stay words.
 */
import { lazily, lazyRegExp } from '../../runtime/lazily.js';
import { MONTH_NAMES } from './word-lists.js';

const DIGITS = '〇一二三四五六七八九';
const MAYBE = lazyRegExp(`[${DIGITS}年月分]`, 'u');
/** Two digits or more: a single one is mostly a part of a word (三明治 "sandwich"). */
const ROW = lazyRegExp(`[零${DIGITS}]{2,}(?![十百千万萬亿億兆])`, 'gu');

const DATES = lazily((): readonly [RegExp, (match: string, ...parts: string[]) => string][] => [
  [/百分之(\d+(?:\.\d+)?)/g, (_, value) => ` ${value}% `],
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
  const name = MONTH_NAMES[Number(month) - 1];
  return name === undefined ? match : ` ${name} ${rest} `;
}

/**
 * Returns the text with rows of digits and dates in ASCII.
 *
 * @param text a text whose digits are ASCII.
 */
export function withAsciiNumbers(text: string): string {
  if (!MAYBE().test(text)) return text;
  let plain = text.replace(ROW(), (row) =>
    Array.from(row, (digit) => (digit === '零' ? 0 : DIGITS.indexOf(digit))).join(''),
  );
  for (const [from, to] of DATES()) plain = plain.replace(from, to);
  return plain;
}
