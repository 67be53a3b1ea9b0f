/**
 * What a search should find besides the plain words of a text: identifiers, paths, addresses, versions and
 * numbers as wholes, and the words within identifiers. So "max retries" finds `maxRetries`, however it is
 * spelled, and `max_retries` finds `max_retries` before `maxRetries`.
 *
 * | in the text         | plain words             | and these                        |
 * |---------------------|-------------------------|----------------------------------|
 * | `maxRetries`        | maxretries              | max, retries                     |
 * | `max_retries`       | max_retries             | maxretries, max, retries         |
 * | `--max-retries`     | max, retries            | max-retries, maxretries          |
 * | `getUserByID2`      | getuserbyid2            | get, user, by, id                |
 * | `src/text/words.ts` | src, text, words, ts    | src/text/words.ts, words.ts      |
 * | `v1.2.3`            | v1, 2, 3                | v1.2.3                           |
 * | `1,000`             | 1, 000                  | 1000                             |
 * | `C++`               | c                       | c++                              |
 */
const WORD = '[A-Za-z0-9_]{1,128}';
/** A number with its thousands set off, or words joined by marks. The bounds keep it linear. */
const TOKEN = new RegExp(
  '(?<![\\p{L}\\p{M}\\p{N}_])(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}(?:\\.[0-9]{1,32})?(?![\\p{L}\\p{N}_])|' +
    `${WORD}(?:[-.:/@#\\\\]{1,3}${WORD}){0,32}(?:\\+\\+|#)?)`,
  'gu',
);
/** Most tokens: nothing to take apart. */
const PLAIN = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/;
const IDENTIFIER = /^[A-Za-z]+[0-9]*$/;
const HUMP = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** @returns wholes and parts, in lower case, without what are plain words of the text already. */
export function compoundsOf(text: string): string[] {
  return locatedCompounds(text).flatMap(({ compounds }) => compounds);
}

/** The same, by where in the text they are. */
export function locatedCompounds(text: string): { start: number; compounds: string[] }[] {
  const found: { start: number; compounds: string[] }[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (!PLAIN.test(token)) found.push({ start: index, compounds: [...compoundsIn(token)] });
  }
  return found;
}

function compoundsIn(token: string): Set<string> {
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
