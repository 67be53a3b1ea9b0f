/** Puts a difference into words of the texts: what each says between the words with which all begin and end. */
import { lazily } from '../../runtime/lazily.js';
import { NUMBER_WORDS } from '../../text/facts/number-words.js';

/** Most words of a value, and of the words around it. */
const MOST_SAID = 12;
const MOST_AROUND = 6;

export interface Wording {
  /** The words before the values, else those behind them: `retries a failed delivery for`. */
  readonly about: string;
  /** The words of each text that the others do not begin or end with: `6 hours`. */
  readonly says: readonly string[];
}

/** Returns the difference of texts in words. */
export function wordingOf(texts: readonly string[]): Wording {
  const all = texts.map((text) => text.split(/\s+/).filter((word) => /[^|]/.test(word)));
  const [first = []] = all;
  const least = Math.min(...all.map(({ length }) => length));
  const isEqual = (at: number) => all.every((words) => bare(words.at(at)) === bare(first.at(at)));
  let start = 0;
  while (start < least && isEqual(start)) start++;
  let end = 0;
  while (end < least - start && isEqual(-1 - end)) end++;
  // A side says the next word, too, if it has none of its own ("are supported", "are not supported") or ends with a number.
  const isBare = (words: readonly string[]) =>
    words.length === start + end || isNumber(words.at(-1 - end) ?? '');
  if (end > 0 && all.some(isBare)) end--;
  const around =
    start > 0 ? first.slice(0, start).slice(-MOST_AROUND) : first.slice(-end).slice(0, MOST_AROUND);
  const shown = (words: readonly string[]) => trimmed(words.slice(0, MOST_SAID).join(' '));
  return {
    about: start + end === 0 ? '' : shown(around),
    says: all.map((words) => shown(words.slice(start, words.length - end))),
  };
}

const NUMBERS = lazily(() => new Set(NUMBER_WORDS));
const isNumber = (word: string): boolean => /^\d[\d.,:]*$/.test(word) || NUMBERS().has(word.toLowerCase());
const bare = (word: string | undefined): string | undefined =>
  word?.toLowerCase().replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}%])[^\p{L}\p{N}%]+$/gu, '');
const trimmed = (text: string): string =>
  text.replace(/^[\s*_`"“#|•.,;:-]+/, '').replace(/(?<![\s*_`"”,;:.|])[\s*_`"”,;:.|]+$/, '');
