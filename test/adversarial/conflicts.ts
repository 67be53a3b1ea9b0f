/** Changes of one fact. None of the pairs may be merged. */
import { each, type Rule, words } from './rules.js';
import { STATEMENTS } from './sentences.js';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const NO_NAMES = new Set([
  ...MONTHS,
  ...DAYS,
  ...[...DAYS].map((day) => `${day}s`),
  'API',
  'pH',
  'Nm',
  'I',
  'C',
  'MB',
]);

/** The entry that follows, so that every value of a list is taken and given. */
const next = (list: readonly string[]) => (entry: string) => list[(list.indexOf(entry) + 5) % list.length];
const otherDigit = (digits: string) => digits.slice(0, -1) + ((Number(digits.at(-1)) + 1) % 10);

/** Capitals within a sentence. */
const NAME = /(?<=[\p{Ll}\p{N},] )\p{Lu}\p{Ll}+(?![\p{L}\p{N}])/gu;
const NAMES = [
  ...new Set(STATEMENTS.flat().flatMap((text) => Array.from(text.matchAll(NAME), ([name]) => name))),
].filter((name) => !NO_NAMES.has(name));

/** Names of one or two words, also at the start, that can take each other's place. */
const FULL_NAME =
  /(?:(?<=[\p{Ll}\p{N},] )|(?<=^(?:Emperor |Queen |Coach |Mayor )?)(?=Valencia|Fenwick|Corvus|Jakob|Isolde|Otto|Luis|Ingrid|Tom))\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?/gu;

const exchangedNames: Rule = {
  kind: 'name',
  name: 'two names change places',
  variants(text) {
    const found = [...text.matchAll(FULL_NAME)].filter(({ 0: name }) => !NO_NAMES.has(name));
    const [first, second] = found;
    if (first === undefined || second === undefined) return [];
    const between = text.slice(first.index + first[0].length, second.index);
    if (between === ' and ') return [];
    const before = text.slice(0, first.index);
    return [before + second[0] + between + first[0] + text.slice(second.index + second[0].length)];
  },
};

export const CONFLICT_RULES: readonly Rule[] = [
  each('number', 'another digit', /\d+/g, otherDigit),
  each(
    'number',
    'ten times as much',
    // No day and no year: with another digit it is none.
    new RegExp(
      `(?<![\\d.,:/-]|(?:${MONTHS.join('|')}) )\\d+(?![\\d:]|[.,/-]\\d|st|nd|rd|th| (?:${MONTHS.join('|')}))`,
      'g',
    ),
    (digits) => `${digits}0`,
  ),
  each('number', 'no decimal point', /\d+\.\d+/g, (digits) => digits.replace('.', '')),
  each('number', 'the other sign', /-?\d+(?= °C)/g, (digits) =>
    digits[0] === '-' ? digits.slice(1) : `-${digits}`,
  ),
  words(
    'number',
    'another number in words',
    `two / four, three / five, four / seven, five / nine, six / eight, seven / six, ten / twelve,
    first / second, second / third, third / fourth, once / twice, twice / three times, million / billion,
    half / a quarter, Half / A quarter, one / two, Ten / Twelve`,
  ),
  each('number', 'another ordinal', /\d+(?=st|nd|rd|th)/g, (digits) => `${Number(digits) + 10}`),
  each('date', 'another month', new RegExp(`\\b(?:${MONTHS.join('|')})\\b`, 'g'), next(MONTHS)),
  each('date', 'another weekday', new RegExp(`\\b(?:${DAYS.join('|')})\\b`, 'g'), next(DAYS)),
  each('date', 'another year', /\b(?:1[4-9]|20)\d\d\b/g, (year) => `${Number(year) + 10}`),
  words(
    'date',
    'another relative date',
    'yesterday / today, today / tomorrow, tomorrow / today, last / next',
  ),
  each('date', 'another quarter', /\bQ\d\b|(?:second|first) quarter/g, (quarter) =>
    quarter === 'Q3' ? 'Q4' : quarter.replace('first', 'third').replace('second', 'fourth'),
  ),
  words(
    'unit',
    'another unit',
    `mg / g, g / mg, ml / l, km / miles, miles / km, kg / lb, cm / mm, mm / cm, m / km, metres / feet,
    litres / gallons, litre / gallon, hours / minutes, minutes / hours, hour / day, seconds / minutes,
    days / weeks, weeks / months, months / years, years / months, week / month, day / week, month / year,
    MB / GB, euros / dollars, dollars / euros, pounds / euros, cents / euros, kPa / bar, rpm / Hz, mol / mmol,
    tonnes / pounds, inches / feet, a.m / p.m, p.m / a.m, yearly / monthly`,
  ),
  each('unit', 'another currency', /[$€£](?=\d)/g, (sign) => (sign === '$' ? '€' : '$')),
  each('unit', 'another sign', /%|°C/g, (sign) => (sign === '%' ? ' dollars' : '°F')),
  each('name', 'another name', NAME, (name, text) => {
    if (NO_NAMES.has(name)) return undefined;
    const start = NAMES.indexOf(name) + 7;
    return [...NAMES.slice(start), ...NAMES].find((other) => !text.includes(other));
  }),
  each(
    'negation',
    'a negation more',
    /\b(?:is|was|are|were|has|had|will|may|must|shall|takes)\b(?! not)/g,
    (verb) => (verb === 'takes' ? 'never takes' : `${verb} not`),
  ),
  each(
    'negation',
    'a short negation more',
    /\b(?:is|was|are|were|has|had)\b(?! not)/g,
    (verb) => `${verb}n’t`,
  ),
  each('negation', 'a negation less', / not(?= )|(?<= )never |(?<=can)not/g, () => ''),
  words('negation', 'a negation turned', 'without / with, no / all, nobody / everybody, never / always'),
  words('negation', 'all and not all', 'all / not all, All / Not all'),
  words(
    'negation',
    'another duty',
    'must / may, must not / may, must not / must, may / must, shall / may, are required / are optional',
  ),
  words(
    'negation',
    'an opposite',
    `rose / fell, more / less, before / after, after / before, above / below, below / above, longer / shorter,
    enabled / disabled, won / lost, bought / sold, sold / bought, accepted / rejected, rejected / accepted,
    approved / rejected, opened / closed, open / closed, closed / open, guilty / innocent, positive / negative,
    increased / decreased, lowered / raised, raised / lowered, lowers / raises, higher / lower, included / excluded,
    includes / excludes, north / south, south / north, over / under, under / over, begins / ends, starts / ends,
    passed / failed, failed / passed, most / few, allowed / forbidden, exports / imports, first / last,
    unless / if, left / right, high / low, within / after, ended / began, added / removed`,
  ),
  words(
    'negation',
    'a prefix',
    `lawful / unlawful, suitable / unsuitable, insoluble / soluble, unstable / stable, valid / invalid,
    connections / disconnections, liable / unliable, contagious / noncontagious, limited / unlimited,
    injured / uninjured, known / unknown, idle / nonidle, paid / unpaid, fixed / unfixed, danger / nondanger`,
  ),
];

const WORD = /(?<= )\p{Ll}{6,}(?= )/gu;
const NOUNS = STATEMENTS.flat().flatMap((text) => Array.from(text.matchAll(WORD), ([word]) => word));

/** No other fact, yet another statement: it must not be merged either. */
export const OTHER_WORD_RULES: readonly Rule[] = [
  exchangedNames,
  each('word', 'another word', WORD, (word, text) => {
    const start = NOUNS.indexOf(word) + 3;
    return [...NOUNS.slice(start), ...NOUNS].find((other) => !text.includes(other) && other[0] !== word[0]);
  }),
];
