/**
 * Finds the search terms of a text besides its plain words: whole identifiers, paths, addresses, versions and numbers,
 * and the words within identifiers. So "max retries" finds `maxRetries` in any spelling, and `max_retries` finds
 * `max_retries` before `maxRetries`.
 *
 * | in the text         | plain words             | and these                        |
 * |---------------------|-------------------------|----------------------------------|
 * | `maxRetries`        | maxretries              | max, retries                     |
 * | `max_retries`       | max_retries             | maxretries, max, retries         |
 * | `--max-retries`     | max, retries            | max-retries, maxretries          |
 * | `getUserByID2`      | getuserbyid2            | get, user, by, id                |
 * | `src/text/words.ts` | src, text, words, ts    | src/text/words.ts, words.ts      |
 * | `v1.2.3`            | v1, 2, 3                | v1.2.3                           |
 * | `~1.2.3`            | 1, 2, 3                 | 1.2.3, ~1.2.3                    |
 * | `>= 5`              | 5                       | >=5                              |
 * | `1,000`             | 1, 000                  | 1000                             |
 * | `C++`               | c                       | c++                              |
 */

import { lazyRegExp } from '../runtime/lazily.js';
import { classOf, LETTER, NUMBER } from './characters.js';
import { codePointAt, codeUnitsOf } from './code-units.js';

const WORD = '[A-Za-z0-9_]{1,128}';
/** A number with thousands separators, or words joined by marks. The bounds keep matching linear. */
const TOKEN = lazyRegExp(
  '(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}(?:\\.[0-9]{1,32})?(?![\\p{L}\\p{N}_])|' +
    `${WORD}(?:[-.:/@#\\\\]{1,3}${WORD}){0,32}(?:\\+\\+|#)?)`,
  'uy',
);
/** Most tokens are plain: they have no parts. */
const PLAIN = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/;
const IDENTIFIER = /^[A-Za-z]+[0-9]*$/;
const HUMP = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** Returns wholes and parts, in lower case, without those that are plain words of the text. */
export function compoundsOf(text: string): string[] {
  return locatedCompounds(text).flatMap(({ compounds }) => compounds);
}

/** Returns the compounds of {@link compoundsOf}, each list with the offset at which its token begins. */
export function locatedCompounds(text: string): { start: number; compounds: string[] }[] {
  const found: { start: number; compounds: string[] }[] = [];
  const units = codeUnitsOf(text);
  for (let at = 0; at < text.length; ) {
    const start = at;
    const first = kindAt(units, at);
    if (first === NO_WORD) {
      at++;
      continue;
    }
    // Nine of ten tokens are recognised as plain without a regular expression. That saves nine tenths of the time.
    const second = kindAt(units, ++at);
    const rest = first === UPPER && second === LOWER ? LOWER : first;
    while (kindAt(units, at) === rest) at++;
    const operator = first === DIGIT ? operatorBefore(text, start) : '';
    const isPlain = rest <= DIGIT && kindAt(units, at) === NO_WORD && !goesOn(units, at);
    if ((!isPlain || operator !== '') && first !== FOREIGN) {
      const expression = TOKEN();
      expression.lastIndex = start;
      const [token] = expression.exec(text) as RegExpExecArray;
      const isWord = PLAIN.test(token);
      const compounds = isWord ? [] : [...compoundsIn(token)];
      if (operator !== '') compounds.push(operator + token.toLowerCase());
      if (!isWord || operator !== '') found.push({ start, compounds });
      at = start + token.length;
    }
    // A token cannot begin directly behind a word.
    if (kindAt(units, at - 1) !== NO_WORD) while (kindAt(units, at) !== NO_WORD) at++;
  }
  return found;
}

/** Operators of a version range: `~`, `^`, and comparisons, which a space may follow. */
const OPERATOR = /(?:(?<![~^\w])[~^]|(?<![<>=!-])[<>]=? ?)$/;

function operatorBefore(text: string, at: number): string {
  const before = text.charCodeAt(at - 1);
  // An operator ends with one of `<=>`, maybe before a space, or with `^` or `~`.
  const last = before === SPACE ? text.charCodeAt(at - 2) : before;
  const isComparison = last >= 60 && last <= 62;
  if (!isComparison && (before === SPACE || (last !== 94 && last !== 126))) return '';
  return OPERATOR.exec(text.slice(Math.max(0, at - 4), at))?.[0].trimEnd() ?? '';
}

const SPACE = 32;
const NO_WORD = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const UNDERSCORE = 4;
/** A letter, mark or digit beyond ASCII, or half of one. */
const FOREIGN = 5;
/** Kinds of the ASCII characters. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code === 95 ? UNDERSCORE : NO_WORD;
});

function kindAt(units: Uint16Array, at: number): number {
  const code = units[at] as number;
  return code < 128 ? (KINDS[code] as number) : kindBeyondAscii(units, at, code);
}

function kindBeyondAscii(units: Uint16Array, at: number, code: number): number {
  const isSecondHalf = code >= 0xdc00 && code < 0xe000 && at > 0 && isFirstHalf(units[at - 1] as number);
  const of = classOf(isSecondHalf ? codePointAt(units, at - 1) : codePointAt(units, at));
  return of === LETTER || of === NUMBER ? FOREIGN : NO_WORD;
}

/** The marks that join words, one or several in a row. */
const JOINTS = Uint8Array.from({ length: 128 }, (_, code) =>
  '-.:/@#\\'.includes(String.fromCharCode(code)) ? 1 : 0,
);
const [HASH, PLUS, COMMA] = [35, 43, 44];

/** Returns whether the mark behind a word can continue its token: a joint before a joint or a word, `#`, `++`, `,1`. */
function goesOn(units: Uint16Array, at: number): boolean {
  const [mark, next] = [units[at] as number, units[at + 1] as number];
  if (mark >= 128) return false;
  if (JOINTS[mark] === 1)
    return mark === HASH || (next < 128 && (JOINTS[next] === 1 || KINDS[next] !== NO_WORD));
  return mark === PLUS ? next === PLUS : mark === COMMA && next < 128 && KINDS[next] === DIGIT;
}

const isFirstHalf = (code: number) => code >= 0xd800 && code < 0xdc00;

/** Words that are not joined of others. */
const SINGLE = '(?:[A-Z]?[a-z]+|[A-Z]+)';
const HYPHENATED = new RegExp(`^${SINGLE}(?:-${SINGLE})+$`);
const DOTTED = new RegExp(`^(?:${SINGLE}|[0-9]+)(?:\\.(?:${SINGLE}|[0-9]+))+$`);

function compoundsIn(token: string): Iterable<string> {
  // Two kinds of tokens are most of them. For these the steps below come to the same, in ten times the time.
  const isDotted = DOTTED.test(token);
  if (isDotted || HYPHENATED.test(token)) {
    const whole = token.toLowerCase();
    return isDotted ? [whole] : [whole, whole.replaceAll('-', '')];
  }
  if (token.includes(',')) return new Set([token.replaceAll(',', '')]);
  const found = new Set([token]);
  for (const piece of token.split(/[:/@#\\]+/)) {
    found.add(piece);
    const words = piece.split(/[-._]+/);
    if (!piece.includes('.') && words.every((word) => IDENTIFIER.test(word))) found.add(words.join(''));
    if (piece.includes('_')) for (const word of words) found.add(word);
    for (const word of words) {
      const humps = IDENTIFIER.test(word) ? (word.match(HUMP) ?? []) : [];
      if (humps.length > 1) for (const hump of humps) if (hump.length > 1) found.add(hump);
    }
  }
  const lower = new Set(Array.from(found, (each) => each.toLowerCase()));
  for (const word of token.split(/[^A-Za-z0-9_]+/)) lower.delete(word.toLowerCase());
  lower.delete('');
  return lower;
}
