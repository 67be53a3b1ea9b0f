import { lazily, lazyRegExp } from '../../runtime/lazily.js';
import { normalForm } from '../characters.js';
import { withAsciiNumbers } from './han-numbers.js';
import { SMALLER_UNIT, smallerUnit } from './unit-case.js';

/**
 * Unifies spellings of one thing that depend on neighbouring letters, which single tokens no longer have. Each
 * expression begins with a letter or a mark and looks behind it afterwards. If an expression began with the
 * look-behind, engines would try it at every offset of the text, and some would take ten times as long.
 */
export function oneSpelling(text: string): string {
  let plain = EXOTIC.test(text) ? withAsciiNumbers(plainCharacters(text)) : text;
  // One signature covers both kinds of replacement.
  for (const [from, to] of SPELLINGS()) plain = plain.replace(from, to as string);
  return plain;
}

/** Letters, as far as their neighbours tell: characters beyond ASCII that {@link plainCharacters} leaves are letters. */
const L = String.raw`A-Za-z\xaa-\uffff`;

const SPELLINGS: () => readonly (readonly [
  RegExp,
  string | ((match: string, ...groups: string[]) => string),
])[] = lazily(() => [
  // .5 -> 0.5, -$5 -> $-5
  [new RegExp(String.raw`\.(?<![${L}\d.]\.)(?=\d)`, 'g'), '0.'],
  [new RegExp(String.raw`-(?<![${L}\d]-)([$€£¥₹₽₩₺₴])(?=\d)`, 'g'), '$1-'],
  // v2.1 -> 2.1, python3.10 -> python 3.10
  [new RegExp(String.raw`[vV](?<![${L}\d_][vV])(?=\d+(?:\.\d+)*(?![${L}\d_]))`, 'g'), ''],
  [new RegExp(String.raw`\d(?<=[${L}]\d)(?=\d*\.\d)`, 'g'), ' $&'],
  // 5 mW -> 5 milliwatt
  [SMALLER_UNIT(), smallerUnit],
  // U.S. -> US
  [new RegExp(String.raw`[${L}]\.(?<![${L}\d.][${L}]\.)(?:[${L}]\.)*[${L}](?![${L}])\.?`, 'g'), withoutDots],
  // can't -> can not, don't -> do not, n'est -> ne est
  [new RegExp(`(?<![${L}])(?:can't|cannot)(?![${L}])`, 'gi'), 'can not'],
  [new RegExp(`(?<![${L}])won't(?![${L}])`, 'gi'), 'will not'],
  [new RegExp(`[nN]'(?<=[${L}][nN]')[tT](?![${L}])`, 'g'), ' not'],
  [new RegExp(`(?<![${L}])n'(?=[${L}])`, 'gi'), 'ne '],
  // we'll -> we will
  [new RegExp(`'(?<=[${L}]')(m|re|ve|ll)(?![${L}])`, 'gi'), longForm],
  // kein -> nicht ein
  [new RegExp(`k(?<![${L}]k)(?=ein(?:e[mnrs]?)?(?![${L}]))`, 'gi'), 'nicht '],
  // up to 5 -> at most 5
  [
    new RegExp(
      String.raw`up(?<![${L}]up) to(?=\s(?:[$€£]?\d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)(?![${L}])))`,
      'gi',
    ),
    'at most',
  ],
  // R&D -> R and D
  [/&(?<=[^\s(,=&|]\s?&)(?!&|=|\w+;|#)(?=\s?[^\s&=])/g, ' and '],
  [new RegExp(`(?<![${L}])per cent(?![${L}])`, 'gi'), 'percent'],
  // degrees Celsius, ° C -> °C
  [new RegExp(String.raw`(?:°\s?|(?<![${L}])degrees?\s)(c|f)(?:elsius|ahrenheit)?(?![${L}])`, 'gi'), '°$1'],
]);

/** Soft hyphens, joiners, byte order marks, the variants of a symbol. */
const HIDDEN = /[\ufe0e-\ufe0f\u00ad\u200b\u2060\ufeff]/g;

/** Characters beyond ASCII, and the grave accent, which stands for an apostrophe. */
const EXOTIC = /[`\u0080-\uffff]/;
const FOREIGN_DIGIT = lazyRegExp(String.raw`[^\P{Nd}0-9]`, 'gu');
/** Ends of sentences that have no space behind them, or that are not those of European languages. */
const FOREIGN_STOP = lazyRegExp(String.raw`[^\P{Sentence_Terminal}.!?]`, 'gu');
const ANY_DIGIT = lazyRegExp(String.raw`\p{Nd}`, 'u');

/** Replaces compatibility forms, digits, quotation marks and dashes of all scripts by ASCII. */
export function plainCharacters(text: string): string {
  if (!EXOTIC.test(text)) return text;
  // NFKC would turn 10⁵ into 105, and 3½ into 31/2.
  const written = text
    .replace(/[™℠]/g, '')
    .replace(/(?<=\d)[²³¹⁰⁴-⁹]+/g, '^$&')
    .replace(/(?<=\d)(?=[¼-¾⅐-⅞])/g, ' ')
    .replace(FOREIGN_STOP(), '。');
  return (
    normalForm(written, 'NFKC')
      .replace(FOREIGN_DIGIT(), asciiDigit)
      .replace(HIDDEN, '')
      .replace(/[‘’ʼ`´]/g, "'")
      .replace(/[“”„«»]/g, '"')
      .replace(/[‐-―−]/g, '-')
      .replace(/⁄/g, '/')
      // Arabic decimal and thousands separators.
      .replace(/٫/g, '.')
      .replace(/٬/g, ',')
  );
}

/** Decimal digits of one script have consecutive code points, beginning with zero. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && ANY_DIGIT().test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

const LONG_FORMS: Readonly<Record<string, string>> = { m: ' am', re: ' are', ve: ' have', ll: ' will' };

function longForm(_: string, letters: string): string {
  return LONG_FORMS[letters.toLowerCase()] as string;
}

/** Rejects most words, which have one spelling. One test is faster than eight. */
const MAYBE_BRITISH = /our|[iy]s[eia]|[bt]re|ll[ei]|[cf]ence|logue|gramme|^grey/;

/** Returns one spelling of a lower-case word for British and American English: colour, centre, organise, travelled. */
export function oneEnglish(word: string): string {
  if (!MAYBE_BRITISH.test(word)) return word;
  return word
    .replace(/(?<=[a-z]{2})our(?=(?:s|ed|ing|ful|less|able|ably|ite|ites|hood|hoods)?$)/, 'or')
    .replace(/(?<=[a-z]{2})([iy])s(?=(?:e|es|ed|ing|er|ers|ation|ations)$)/, '$1z')
    .replace(/(?<=[a-z]{2}[bt])re(?=s?$)/, 'er')
    .replace(/(?<=[aeiou][a-z]{1,30}[aeiou])ll(?=(?:ed|er|ers|ing)$)/, 'l')
    .replace(/(?<=[cf]en)c(?=es?$)/, 's')
    .replace(/(?<=log)ue(?=s?$)/, '')
    .replace(/^grey/, 'gray')
    .replace(/(?<=program)me(?=s?$)/, '');
}

function withoutDots(acronym: string): string {
  return acronym.replaceAll('.', '');
}
