/** Changes of the form alone: the pairs say the same and should be merged. */
import { each, type Rule, whole, words } from './rules.js';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DATE = new RegExp(`(\\d{1,2}) (${MONTHS.join('|')}) (\\d{4})`, 'g');
const dateAs = (
  name: string,
  write: (day: string, month: string, year: string) => string | undefined,
): Rule =>
  each('date', name, DATE, (date) => {
    const [day, month, year] = date.split(' ') as [string, string, string];
    return write(day, month, year);
  });
const two = (number: number | string) => String(number).padStart(2, '0');
const wide = (letter: string) => String.fromCodePoint((letter.codePointAt(0) as number) + 0xfee0);

export const REWRITE_RULES: readonly Rule[] = [
  whole('case', 'upper case', (text) => text.toUpperCase()),
  whole('case', 'lower case', (text) => text.toLowerCase()),
  whole(
    'space',
    'line breaks and double spaces',
    (text) => `  ${text.replace(/ /g, (_, at) => (at % 2 ? '\n' : '  '))}`,
  ),
  whole('punctuation', 'no stops and commas', (text) => text.replace(/[,.](?= |$)/g, '')),
  whole('punctuation', 'exclamation', (text) => text.replace(/\.$/, '!')),
  whole('typography', 'round quotes and long dashes', (text) =>
    text
      .replace(/"(?=[\p{L}])/gu, '“')
      .replace(/"/g, '”')
      .replace(/'/g, '’')
      .replace(/, (?=and|but)/, ' – '),
  ),
  whole('typography', 'Unicode forms', (text) => text.normalize('NFD').replace(/[a-z](?=[a-z]*\.$)/g, wide)),
  whole('typography', 'soft hyphens', (text) => text.replace(/(?<=\p{L}{4})(?=\p{L}{4})/gu, '\u00ad')),
  whole('markdown', 'emphasis', (text) => text.replace(/(?<= )(\p{L}{5,})(?= )/gu, '**$1**')),
  whole('markdown', 'bullet', (text) => `* ${text}`),
  each('number', 'thousands', /\d,\d{3}/g, (number) => number.replace(',', '')),
  each('number', 'thousands with a space', /\d,\d{3}/g, (number) => number.replace(',', '\u202f')),
  words(
    'number',
    'in digits',
    'two / 2, three / 3, four / 4, five / 5, six / 6, Ten / 10, third / 3rd, first / 1st',
  ),
  each('number', 'in words', /(?<![\d.,:/-])\b(?:[2-9]|1[0-2])\b(?![\d:]|[.,/-]\d| [A-Z])/g, (digits) =>
    'two three four five six seven eight nine ten eleven twelve'.split(' ').at(Number(digits) - 2),
  ),
  dateAs('month first', (day, month, year) => `${month} ${day}, ${year}`),
  dateAs('short month', (day, month, year) => `${day} ${month.slice(0, 3)} ${year}`),
  dateAs('ISO', (day, month, year) => `${year}-${two(MONTHS.indexOf(month) + 1)}-${two(day)}`),
  dateAs('dots', (day, month, year) => `${two(day)}.${two(MONTHS.indexOf(month) + 1)}.${year}`),
  each('unit', 'percent in words', /%/g, () => ' percent'),
  each('unit', 'a space before the sign', /(?<=\d)%/g, () => ' %'),
  words(
    'unit',
    'in full',
    `mg / milligrams, ml / millilitres, km / kilometres, kg / kilograms, cm / centimetres, mm / millimetres,
    MB / megabytes, °C / degrees Celsius`,
  ),
  each('unit', 'no space', /(?<=\d) (?=(?:mg|ml|km|kg|cm|mm|MB)\b)/g, () => ''),
  each(
    'unit',
    'the currency behind',
    /\$[\d,.]*\d(?: million| billion)?/g,
    (amount) => `${amount.slice(1)} dollars`,
  ),
  each('unit', 'the sign before', /(?<![\d.,])\d[\d,]* euros/g, (amount) => `€${amount.slice(0, -6)}`),
  words(
    'contraction',
    'short',
    `is not / isn't, was not / wasn't, did not / didn't, does not / doesn't, must not / mustn't, will not / won't,
    are not / aren't, cannot / can't, had not / hadn't, I will / I'll`,
  ),
  words(
    'spelling',
    'American',
    'metres / meters, litres / liters, tumour / tumor, licence / license, enrolled / enroled, labour / labor',
  ),
  whole('filler', 'also', (text) => text.replace(/ (is|was|has|had|will|are) /, ' $1 also ')),
  whole('filler', 'indeed', (text) => `Indeed, ${text.charAt(0).toLowerCase()}${text.slice(1)}`),
];
