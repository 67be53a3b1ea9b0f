/**
 * Finds the ends of sentences.
 *
 * Source: Unicode Standard Annex #29, sentence boundaries: a terminator (the property Sentence_Terminal), closing
 * characters behind it, and no lower case after that. Further rules cover cases that the annex leaves to tailoring:
 * abbreviations, initials, ordinals, marks of footnotes, quotations and brackets within a sentence. It is a scanner of its own
 * rather than `Intl.Segmenter`, so that every engine and version of ICU finds the same ends.
 */
import { lazyRegExp } from '../../runtime/lazily.js';
import {
  AFTER_ORDINALS,
  BEFORE_NUMBERS,
  isBeginner,
  MONTHS_AND_DAYS,
  NEVER_LAST,
  SELDOM_LAST,
  VOWEL,
} from './word-lists.js';

/** A terminator; or a letter of a script without terminators, before a space that may be one. */
const CANDIDATE = /[.!?…]|[\u0e00-\u0eff](?= )|(?![!-~])\p{Sentence_Terminal}/gu;
const TERMINATOR = /[.!?…]|\p{Sentence_Terminal}/uy;
const WEAK = '.!?…';
const CLOSING = '"\'”’»›)]}」』】〉》）］｝"*_`¹²³⁴⁵⁶⁷⁸⁹⁰†‡';
/** Matches `[12]`, `[a]`, `[note 3]`, `[citation needed]`. After a space it matches only numbers. */
const FOOTNOTE = /\[[\p{L}\d][\p{L}\d ]{0,19}\]| \[\d{1,3}\](?=\s|\[|$)/uy;
const OPENING = /^["'“‘«‹([{„‚¿¡*_`]{1,8}/;
const NOT_OF_WORDS = '"\'“”‘’«»„()[]{}*_`/–—-';
const INITIALS = lazyRegExp(
  String.raw`^(?:[\p{Lu}\p{Ll}]|(?:[\p{Lu}\p{Ll}]{1,2}\.)+[\p{Lu}\p{Ll}]{1,3})$`,
  'u',
);
/** Brackets, but no sad face, and inline code. They hold no end of a sentence, unless they are longer. */
const WHOLE =
  /(?<![:;]-?)\((?:[^()]|\([^()]{0,99}\)){1,400}\)|\[[^[\]]{1,400}\]|\{[^{}]{1,400}\}|(?<![\w`])`[^`\n]{1,400}`/g;
/** Words before an ordinal number. */
const GERMAN = /(?<!\p{L})(?:[Ii]m|vom|zum|beim|zur|der|des|dem)\s$/u;
const OF_SCRIPTS_WITH_VOWELS = /^[A-Za-z\xc0-\u052f]{2,5}$/;
/** In Czech, for instance, a liquid between other consonants is the vowel of a word. */
const SYLLABIC = /[^lr][lr][^lr]/;
const FIRST_WORD = lazyRegExp(String.raw`^(?:\p{Lu}\.|[\p{L}\p{M}]+)`, 'u');
const ASCII = /^[\0-\x7f]*$/;
/** Least number of characters of Thai or Lao between two spaces that are more likely a sentence than a phrase. */
const SHORTEST_UNMARKED = 40;
const LONGEST_WORD = 24;

/**
 * Yields the ends of the sentences of a text, ascending, each on demand. White space behind a sentence does not belong
 * to it. A line break is white space like any other. The last end is that of the text.
 */
export function* sentenceEnds(text: string): Generator<number> {
  let [wholeStart, wholeEnd] = [0, 0];
  let start = skipSpace(text, 0);
  let at = start;
  for (;;) {
    const found = candidateFrom(text, at);
    if (found < 0) break;
    const { end, strong } = terminatorEnd(text, found);
    at = end;
    if (end === text.length || !isEnd(text, { start, at: found, end, strong })) continue;
    while (wholeEnd <= end) {
      WHOLE.lastIndex = wholeEnd;
      const found = WHOLE.exec(text);
      [wholeStart, wholeEnd] = found ? [found.index, WHOLE.lastIndex] : [text.length, Infinity];
    }
    if (wholeStart < end) continue;
    yield end;
    at = start = skipSpace(text, end);
  }
  const end = text.trimEnd().length;
  if (start < end) yield end;
}

/** Yields the sentences between two offsets, without the white space around them. */
export function* sentencesIn(
  text: string,
  from: number,
  to: number,
): Generator<{ start: number; end: number }> {
  const piece = text.slice(from, to);
  let at = 0;
  for (const end of sentenceEnds(piece)) {
    yield { start: from + skipSpace(piece, at), end: from + end };
    at = end;
  }
}

/**
 * Returns the index of the next match of `CANDIDATE`. It does not run the expression as long as all characters are
 * ASCII.
 */
function candidateFrom(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 46 || code === 33 || code === 63) return at;
    if (code < 128) continue;
    CANDIDATE.lastIndex = at;
    return CANDIDATE.exec(text)?.index ?? -1;
  }
  return -1;
}

/**
 * Returns the end of the terminators and the closing characters behind them. `strong`: one of the terminators ends a
 * sentence without a space after it.
 */
function terminatorEnd(text: string, at: number): { end: number; strong: boolean } {
  let strong = false;
  let end = at;
  for (;;) {
    const character = text[end];
    TERMINATOR.lastIndex = FOOTNOTE.lastIndex = end;
    if (end > at && character !== undefined && CLOSING.includes(character)) end++;
    else if (TERMINATOR.test(text)) {
      strong ||= !WEAK.includes(character as string);
      end = TERMINATOR.lastIndex;
    } else if (end > at && (character === '[' || character === ' ') && FOOTNOTE.test(text))
      end = FOOTNOTE.lastIndex;
    else return { end: Math.max(end, at + 1), strong };
  }
}

function isEnd(
  text: string,
  { start, at, end, strong }: { start: number; at: number; end: number; strong: boolean },
): boolean {
  const next = skipSpace(text, end);
  const beginning = text.slice(next, next + LONGEST_WORD);
  const following = beginning.replace(OPENING, '');
  if (strong) return !/^[とっ]/.test(following) || /[。！？]/.test(text[end - 1] as string);
  const mark = text[at] as string;
  if (!WEAK.includes(mark)) return end - start >= SHORTEST_UNMARKED && /^[\u0e00-\u0eff]/.test(following);
  if (next === end) return text[end - 1] === ']' && /^\p{Lu}/u.test(following);
  const before = wordBefore(text, Math.max(start, at - LONGEST_WORD), at);
  // Code begins a sentence with any letter: "`parse()` throws".
  if (/^\p{Ll}/u.test(following) && text[next] !== '`')
    return isUncapitalised(text, start, before) && end - at === 1;
  const isAlone = !WEAK.includes(text[at + 1] as string);
  if (mark === '.' && isAlone)
    return !/^[,;:)]/.test(following) && isFullStop(text, { start, at }, before, following);
  // In "Go!" (1999), the mark belongs to a title.
  return end - at === 1 || text[next] !== '(';
}

function wordBefore(text: string, from: number, to: number): string {
  let start = to;
  while (
    start > from &&
    !isSpace(text.charCodeAt(start - 1)) &&
    !NOT_OF_WORDS.includes(text[start - 1] as string)
  )
    start--;
  return text.slice(start, to);
}

/** Returns whether a full stop ends the sentence and not just the word before it. */
function isFullStop(
  text: string,
  { start, at }: { start: number; at: number },
  before: string,
  following: string,
): boolean {
  const word = (ASCII.test(following) ? /^(?:[A-Z]\.|[A-Za-z]+)/ : FIRST_WORD()).exec(following)?.[0] ?? '';
  const from = at - before.length;
  if (/^\d+$/.test(before)) {
    const isOrdinal =
      AFTER_ORDINALS.has(word) || (word !== '' && GERMAN.test(text.slice(Math.max(0, from - 6), from)));
    return from > start && (before.length > 2 || isBeginner(word) || !isOrdinal);
  }
  const folded = before.toLowerCase();
  if (NEVER_LAST.has(folded)) return false;
  if (/^[#\d]/.test(following) && (MONTHS_AND_DAYS.has(before) || BEFORE_NUMBERS.has(folded))) return false;
  if (isBeginner(word)) return true;
  // After a number, small letters without a vowel are a unit: `10 kg`, `5 s`, `10 Gbit/s`.
  const isUnit = before === folded && /\d\s$|\p{L}\/$/u.test(text.slice(from - 2, from));
  return !(
    SELDOM_LAST.has(folded) ||
    SELDOM_LAST.has(before) ||
    (isInitials(before) && !(isUnit && /^[ghlms]$/.test(before))) ||
    (isVowelless(before) && !isUnit)
  );
}

/** Most words are refused before the expression with Unicode classes is compiled. */
const isInitials = (word: string): boolean =>
  (word.length < 3 || word.includes('.')) &&
  (ASCII.test(word) ? /^(?:[a-z]|(?:[a-z]{1,2}\.)+[a-z]{1,3})$/i : INITIALS()).test(word);

/** Returns whether a short word has no vowel, and is no acronym. */
function isVowelless(word: string): boolean {
  if (!OF_SCRIPTS_WITH_VOWELS.test(word)) return false;
  const [rest, letters] = [word.slice(1), word.normalize('NFD').toLowerCase()];
  if (rest !== rest.toLowerCase() || VOWEL.test(letters)) return false;
  return word !== word.toLowerCase() || !SYLLABIC.test(letters);
}

/** Returns whether the author writes without capitals, so that a small letter may begin a sentence. */
function isUncapitalised(text: string, start: number, before: string): boolean {
  return (
    /^\p{Ll}/u.test(text.slice(start, start + 2)) &&
    /^\p{Ll}{3,}$/u.test(before) &&
    !NEVER_LAST.has(before) &&
    !SELDOM_LAST.has(before)
  );
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)));
}
