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

/** Most words that are searched for in each text before its words are read: the time is linear in their number. */
const MOST_SEARCHED = 100;

const isDivided = (text: string): boolean => /[^\s\d!-/:-@[-`{-~][-‐][ \t\r\n]/.test(text);

/** A division, with the word or the part of a word on each side. */
interface Division {
  readonly start: number;
  readonly end: number;
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly isAtLineEnd: boolean;
}

/**
 * Returns a function that gives a text without divided words. Two parts on two lines stay apart only if one of the texts
 * has them side by side and none has them as one word. Parts on one line become one only if a text has it ("pre- and").
 */
export function undivided(texts: readonly string[]): (text: string) => string {
  const found = texts.map((text) => divisionsIn(withoutSoft(text)));
  const known = found.some(({ length }) => length > 0) ? wordsAndPairs(texts, found.flat()) : undefined;
  return (text) => {
    const plain = withoutSoft(text);
    if (known === undefined) return plain;
    let whole = '';
    let from = 0;
    for (const { start, end, left, right, isAtLineEnd } of divisionsIn(plain)) {
      const isWord = known.has(`${left}${right}`);
      // One letter beside a hyphen is no part of a word: "x- y".
      const isOne = isAtLineEnd
        ? isWord || !known.has(`${left} ${right}`)
        : isWord && left?.[1] !== undefined && right?.[1] !== undefined;
      const isJoined = !isOne && isAtLineEnd;
      whole += plain.slice(from, isOne || isJoined ? start : end) + (isJoined ? '-' : '');
      from = end;
    }
    return whole + plain.slice(from);
  };
}

const withoutSoft = (text: string): string => (text.includes('\u00ad') ? text.replace(SOFT, '') : text);

function divisionsIn(text: string): Division[] {
  if (!isDivided(text)) return [];
  return Array.from(text.matchAll(DIVISION()), ({ 0: division, index: start }) => {
    const end = start + division.length;
    const [before, behind] = [
      text.slice(Math.max(0, start - LONGEST), start),
      text.slice(end, end + LONGEST),
    ];
    const left = before.toLowerCase().match(WORD())?.at(-1);
    const right = behind.toLowerCase().match(WORD())?.[0];
    return { start, end, left, right, isAtLineEnd: division.includes('\n') };
  });
}

/**
 * Returns words and pairs of neighbouring words, without those at divisions: all of each text that may have what a division
 * asks for. Most texts do not, and are not read.
 */
function wordsAndPairs(texts: readonly string[], divisions: readonly Division[]): Set<string> {
  const wanted = new Set(
    divisions.flatMap(({ left, right, isAtLineEnd }) => [
      `${left}${right}`,
      ...(isAtLineEnd ? [`${right}`] : []),
    ]),
  );
  const found = new Set<string>();
  for (const text of texts) {
    const lower = text.toLowerCase();
    if (wanted.size <= MOST_SEARCHED && ![...wanted].some((word) => lower.includes(word))) continue;
    for (const part of lower.split(DIVISION())) {
      let last = '';
      for (const [word] of part.matchAll(WORD())) {
        found.add(word).add(`${last} ${word}`);
        last = word;
      }
    }
  }
  return found;
}
