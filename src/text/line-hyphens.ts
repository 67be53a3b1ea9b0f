/**
 * Words that are divided at the end of a line. A soft hyphen divides one word. A hyphen may divide one ("retriev-⏎al"), or
 * join two ("well-⏎known"): other texts tell which. A program may have put a space in the place of the line end.
 */
import { lazyRegExp } from '../runtime/lazily.js';

const SOFT = /\u00ad(?:[ \t]*\r?\n[ \t]*)?/g;
/** A hyphen between letters of one case, with a line end or a space behind it. */
const DIVISION = lazyRegExp(
  String.raw`(?:(?<=\p{Ll}\p{M}?)[-‐](?=\s)[ \t]*(?:\r?\n[ \t]*)?(?=\p{Ll})|(?<=\p{Lu}\p{M}?)[-‐](?=\s)[ \t]*(?:\r?\n[ \t]*)?(?=\p{Lu}))`,
  'gu',
);
const WORD = lazyRegExp(String.raw`[\p{L}\p{M}]+`, 'gu');
/** Most characters of a part of a word. No part in a real text is longer, and the time is linear. */
const LONGEST = 40;

const isDivided = (text: string): boolean => /[^\s\d!-/:-@[-`{-~][-‐][ \t\r\n]/.test(text);

/**
 * Returns a function that gives a text without divided words. Two parts on two lines stay apart only if one of the texts
 * has them side by side and none has them as one word. Parts on one line become one only if a text has it ("pre- and").
 */
export function undivided(texts: readonly string[]): (text: string) => string {
  const known = texts.some(isDivided) ? wordsAndPairs(texts) : undefined;
  return (text) => {
    const plain = text.includes('\u00ad') ? text.replace(SOFT, '') : text;
    if (known === undefined || !isDivided(plain)) return plain;
    return plain.replace(DIVISION(), (division, at: number) => {
      const from = at + division.length;
      const left = plain
        .slice(Math.max(0, at - LONGEST), at)
        .toLowerCase()
        .match(WORD())
        ?.at(-1);
      const right = plain
        .slice(from, from + LONGEST)
        .toLowerCase()
        .match(WORD())?.[0];
      const isWord = known.has(`${left}${right}`);
      // No difference: "x- y".
      if (!division.includes('\n')) return isWord && left?.[1] && right?.[1] ? '' : division;
      if (isWord) return '';
      return known.has(`${left} ${right}`) ? '-' : '';
    });
  };
}

/** Returns all words and pairs of neighbouring words, without those at divisions. */
function wordsAndPairs(texts: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const part of texts.flatMap((text) => text.toLowerCase().split(DIVISION()))) {
    let last = '';
    for (const [word] of part.matchAll(WORD())) {
      found.add(word).add(`${last} ${word}`);
      last = word;
    }
  }
  return found;
}
