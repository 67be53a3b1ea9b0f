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

const WORD = '[A-Za-z0-9_]{1,128}';
/** Marks between the words of a token. */
const JOINT = '[-.:/@#\\\\]{1,3}';
/**
 * A number with thousands separators, or words joined by marks; no word without parts, as most are. The bounds keep matching
 * linear.
 */
const TOKEN = lazyRegExp(
  `(?<![\\p{L}\\p{M}\\p{N}_])(?!(?:[A-Z]?[a-z]{1,127}|[A-Z]{1,128})(?!\\w|${JOINT}\\w|\\+\\+|#))` +
    '(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}(?:\\.[0-9]{1,32})?(?![\\p{L}\\p{N}_])|' +
    `${WORD}(?:${JOINT}${WORD}){0,32}(?:\\+\\+|#)?)`,
  'gu',
);
/** Most tokens are plain: they have no parts. */
const PLAIN = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/;
const IDENTIFIER = /^[A-Za-z]+[0-9]*$/;
const HUMP = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
/** Operators of a version range: `~`, `^`, and comparisons, which a space may follow. */
const OPERATOR = /(?:(?<![~^\w])[~^]|(?<![<>=!-])[<>]=? ?)$/;
/** Characters before a token that an operator may have. */
const BEFORE = 4;

/** Returns wholes and parts, in lower case, without those that are plain words of the text. */
export function compoundsOf(text: string): string[] {
  return locatedCompounds(text).flatMap(({ compounds }) => compounds);
}

/** Returns the compounds of {@link compoundsOf}, each list with the offset at which its token begins. */
export function locatedCompounds(text: string): { start: number; compounds: string[] }[] {
  const found: { start: number; compounds: string[] }[] = [];
  for (const { 0: token, index: start } of text.matchAll(TOKEN())) {
    const isPlain = PLAIN.test(token);
    const compounds = isPlain ? [] : [...compoundsIn(token)];
    if (/^[0-9]/.test(token)) {
      const operator = OPERATOR.exec(text.slice(Math.max(0, start - BEFORE), start))?.[0].trimEnd();
      if (operator !== undefined) compounds.push(operator + token.toLowerCase());
    }
    if (!isPlain || compounds.length > 0) found.push({ start, compounds });
  }
  return found;
}

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
