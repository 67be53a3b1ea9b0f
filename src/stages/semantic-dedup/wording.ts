/** Puts a difference into words of the texts: the value of each side, and the words around it. */
import { surfacesOf } from '../../text/facts/surfaces.js';
import type { Statement } from './statements.js';

/** Most words of a value, and of the words around it. */
const MOST_SAID = 10;
const MOST_AROUND = 6;

export interface Wording {
  /** The words around the values, such as `retries a failed delivery for`. */
  readonly about: string;
  /** The value of each side. */
  readonly says: readonly string[];
}

/**
 * Returns the difference in words.
 *
 * @param facts by side: the folded facts that differ.
 */
export function wordingOf(sides: readonly Statement[], facts: readonly (readonly string[])[]): Wording {
  const rows = sides.map(({ text, kind }) =>
    kind === 'row' || kind === 'record' ? cellsOf(text) : undefined,
  );
  if (rows.every((row) => row !== undefined)) return wordingOfRows(rows, cellsOf(sides[0]?.header ?? ''));
  const texts = sides.map(({ text }) => text);
  const stated = texts.map((text, side) => inOrder(text, surfacesOf(text, facts[side] ?? [])));
  const says = stated.every((words) => words.length > 0)
    ? stated.map((words, side) => labelled(texts[side] as string, words).join(', '))
    : remainders(texts);
  const [first = ''] = texts;
  const at = stated[0]?.[0] === undefined ? first.indexOf(says[0] ?? '') : first.indexOf(stated[0][0]);
  const before = wordsOf(first.slice(0, Math.max(0, at))).slice(-MOST_AROUND);
  const around =
    before.length > 0 ? before : wordsOf(first.slice(at + (says[0]?.length ?? 0))).slice(0, MOST_AROUND);
  const heading = before.length < 2 ? (sides[0]?.headingText ?? '') : '';
  return { about: [heading, trimmed(around.join(' '))].filter((part) => part !== '').join(': '), says };
}

/** The first cell of the row, and the headers of the cells that differ. */
function wordingOfRows(rows: readonly (readonly string[])[], header: readonly string[]): Wording {
  const [first = []] = rows;
  const columns = [...first.keys()].filter((at) => rows.some((row) => row[at] !== first[at]));
  const names = columns.map((at) => header[at] ?? '');
  // Each of several values has its header beside it.
  const isOne = columns.length === 1;
  const about = [first[0] ?? '', isOne ? names[0] : ''].filter((part) => part !== '').join(': ');
  const valuesIn = (row: readonly string[]) =>
    columns.map((at, place) => `${isOne ? '' : names[place]} ${row[at] ?? ''}`.trim()).join(', ');
  return { about, says: rows.map(valuesIn) };
}

const cellsOf = (row: string): string[] =>
  row
    .replace(/^\s*\||\|\s*$/g, '')
    .split(/[|\t;]/)
    .map((cell) => cell.trim());

/** Returns the words of each text that are left without the words that all begin and end with. */
function remainders(texts: readonly string[]): string[] {
  const all = texts.map(wordsOf);
  const [first = []] = all;
  const least = Math.min(...all.map(({ length }) => length));
  const isEqual = (from: (words: string[]) => string | undefined) =>
    all.every((words) => bare(from(words)) === bare(from(first)));
  let start = 0;
  while (start < least && isEqual((words) => words[start])) start++;
  let end = 0;
  while (end < least - start && isEqual((words) => words.at(-1 - end))) end++;
  // A side without a word of its own says the next one: "are supported" beside "are not supported".
  if (all.some(({ length }) => length === start + end) && end > 0) end--;
  return all.map((words) =>
    trimmed(
      words
        .slice(start, words.length - end)
        .slice(0, MOST_SAID)
        .join(' '),
    ),
  );
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const bare = (word: string | undefined): string | undefined =>
  word?.toLowerCase().replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}%])[^\p{L}\p{N}%]+$/gu, '');
const trimmed = (text: string): string =>
  text.replace(/^[\s*_`"“#|•.,;:-]+/, '').replace(/(?<![\s*_`"”,;:.|])[\s*_`"”,;:.|]+$/, '');

/**
 * Gives each of several bare numbers the next word of the text, such as `6 attempts`. Short words are left out, because most of
 * them are no nouns.
 */
function labelled(text: string, runs: readonly string[]): readonly string[] {
  if (runs.length < 2) return runs;
  let end = 0;
  return runs.map((run) => {
    const at = text.indexOf(run, end);
    if (at < 0) return run;
    end = at + run.length;
    const [next = ''] = /\p{L}/u.test(run) ? [] : (/^ \p{L}{4,}/u.exec(text.slice(end)) ?? []);
    return run + next;
  });
}

/** Returns runs of words in the order of the text. */
const inOrder = (text: string, runs: readonly string[]): string[] =>
  runs
    .toSorted((one, other) => text.indexOf(one) - text.indexOf(other) || other.length - one.length)
    .map(trimmed);
