/**
 * Finds abbreviations by counting: an abbreviation nearly always has its full stop, and within a sentence a small letter,
 * a comma or a number follows. The last word of a sentence is also used without a stop.
 *
 * Source: T. Kiss and J. Strunk, Unsupervised multilingual sentence boundary detection, Computational Linguistics 32(4),
 * 2006. Their likelihood ratios need a large corpus. A pool has few texts, so counts decide: of n uses of a word at most
 * n / 20 have no stop, and at least max(1, letters − 3) stops are within a sentence.
 */

import { fold } from '../fold.js';
import type { Lexicon } from '../lexicon.js';
import { wordsOf } from '../words.js';
import { isBeginner, LEANING, VOWEL } from './word-lists.js';

/** The uses of a word in texts. */
interface Uses {
  stopped: number;
  /** Stops within a sentence. */
  within: number;
  /** Other words with a capital that follow. Undefined if a stop ends a line, or a word follows that begins sentences. */
  names?: Set<string> | undefined;
}

/**
 * A stop behind a word of up to nine letters, and what follows. A number of four digits is a year; thousands and shares are
 * amounts.
 */
const STOP =
  /\.(?<=(?<![\w.\xc0-\u1fff])([A-Za-z\xc0-\u1fff]{1,9})\.)(?![\w.\xc0-\u1fff])(?:([,;:])|[ \xa0](?:(\d{1,3}(?!\d|[.,]\d{3}(?!\d)| ?%))|([A-Za-z\xc0-\u1fff]{1,24}))|[\n\r]|$)?/g;
/** A short word behind a stop, before another with a small letter, where the stop may belong to an abbreviation. */
const FOLLOWER =
  /\. (?<=(?<![A-Za-z\xc0-\u1fff])[A-Za-z\xc0-\u1fff]{1,4}\. )([A-Z\xc0-\u1fff][a-z\xc0-\u1fff]{0,5}) (?=[a-z\xc0-\u1fff])/g;
/** A title, or a word of addresses, has only names behind it. Fewer uses may be ends of sentences. */
const TITLE = { longest: 4, uses: 5, names: 4 };

/**
 * Returns the abbreviations in a text, in lower case, and words with a capital that occur without one, too: behind a stop
 * they begin a sentence. Each text of the lexicon's pool counts once, so neither the order of the texts nor a copy has an
 * influence. Default: only the text itself counts.
 */
export function abbreviationsIn(text: string, lexicon?: Lexicon): ReadonlySet<string> {
  const known = lexicon?.foundInPool(abbreviationsOf) ?? abbreviationsOf([text]);
  const small = lexicon?.foundInPool(smallWords) ?? smallWords([text]);
  if (known.size + small.size === 0) return known;
  const uses = lexicon?.found(text, usesIn) ?? usesIn(text);
  const followers = lexicon?.found(text, followersIn) ?? followersIn(text);
  const beginners = followers.filter((word) => small.has(word.toLowerCase()));
  return new Set([...[...uses.keys()].filter((word) => known.has(word)), ...beginners]);
}

const followersIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(FOLLOWER), ([, word = '']) => word).filter(
    (word) => word !== word.toLowerCase() && !isBeginner(word),
  );

/** Returns the words that follow stops with a capital, and stand between spaces without one. In lower case. */
function smallWords(texts: readonly string[], lexicon?: Lexicon): ReadonlySet<string> {
  const followers = texts.flatMap((text) => lexicon?.found(text, followersIn) ?? followersIn(text));
  const wanted = new Set(followers.map((word) => word.toLowerCase()));
  const byNumber = new Map(Array.from(wanted, (word) => [lexicon?.vocabulary.idOf(fold(word)), word]));
  const marks = marksOf(byNumber.keys(), lexicon);
  const found = new Set<string>();
  if (wanted.size === 0) return found;
  for (const text of texts) {
    const starts = lexicon?.starts(text);
    if (lexicon === undefined || starts === undefined) {
      for (const word of text.split(' ')) if (wanted.has(word)) found.add(word);
      continue;
    }
    // Numbers of words are far faster to compare than words.
    const ids = lexicon.words(text);
    for (let place = 0; place < ids.length; place++) {
      if (marks[ids[place] as number] !== 1) continue;
      const word = byNumber.get(ids[place]);
      if (word === undefined || found.has(word)) continue;
      const start = starts[place] as number;
      if (text[start - 1] === ' ' && text.startsWith(`${word} `, start)) found.add(word);
    }
  }
  return found;
}

function abbreviationsOf(texts: readonly string[], lexicon?: Lexicon): ReadonlySet<string> {
  const all = new Map<string, Uses>();
  for (const text of texts) {
    for (const [word, { stopped, within, names }] of lexicon?.found(text, usesIn) ?? usesIn(text)) {
      const uses = usesOf(word, all);
      uses.stopped += stopped;
      uses.within += within;
      if (names === undefined) uses.names = undefined;
      else for (const name of names) uses.names?.add(name);
    }
  }
  const likely = [...all].filter(isLikely);
  if (likely.length === 0) return new Set();
  // Numbers of words are far faster to count than words.
  const keyOf = (word: string) => lexicon?.vocabulary.idOf(word) ?? word;
  const keysOf = (text: string): Iterable<string | number> => lexicon?.words(text) ?? wordsOf(text);
  const counts = new Map<string | number, number>(likely.map(([word]) => [keyOf(fold(word)), 0]));
  const marks = marksOf(counts.keys(), lexicon);
  for (const text of texts) {
    for (const key of keysOf(text)) {
      if (typeof key === 'number' && marks[key] !== 1) continue;
      const count = counts.get(key);
      if (count !== undefined) counts.set(key, count + 1);
    }
  }
  const abbreviations = likely.filter(([word, { stopped }]) => {
    const count = counts.get(keyOf(fold(word))) as number;
    return count - stopped <= count / 20;
  });
  return new Set(abbreviations.map(([word]) => word));
}

/** By number of a word: 1 if it is one of these. A map is much slower, and all words of all texts are looked up. */
function marksOf(words: Iterable<string | number | undefined>, lexicon: Lexicon | undefined): Uint8Array {
  const marks = new Uint8Array(lexicon?.vocabulary.size ?? 0);
  for (const word of words) marks[word as number] = 1;
  return marks;
}

function isLikely([word, { stopped, within, names }]: [string, Uses]): boolean {
  if (LEANING.has(word)) return false;
  if (within >= Math.max(1, word.length - 3)) return true;
  return (
    word.length <= TITLE.longest && stopped >= TITLE.uses && names !== undefined && names.size >= TITLE.names
  );
}

function usesIn(text: string): ReadonlyMap<string, Uses> {
  const all = new Map<string, Uses>();
  // If sentences begin with small letters, those prove nothing.
  const proves = !isSmall(text.trimStart().charAt(0));
  for (const [found, written = '', comma, number, next] of text.matchAll(STOP)) {
    const uses = usesOf(written.toLowerCase(), all);
    uses.stopped++;
    const first = next?.charAt(0) ?? '';
    if (comma !== undefined || (number !== undefined && !isWhole(written)) || (isSmall(first) && proves))
      uses.within++;
    else if (first !== first.toLowerCase() && !isBeginner(next as string)) uses.names?.add(next as string);
    else if (next !== undefined || found !== '.') uses.names = undefined;
  }
  return all;
}

/** Few letters are left of a word, up to a consonant. Before a number, other words may end a sentence. */
function isWhole(word: string): boolean {
  if (word !== word.toLowerCase()) return false;
  const vowels = Array.from(word.normalize('NFD').replace(/\p{M}/gu, ''), (letter) => VOWEL.test(letter));
  return (
    word.length > 4 ||
    vowels.at(-1) === true ||
    /^(?:up|out|off)$/.test(word) ||
    (vowels.slice(-3, -1).includes(true) && word.length > 3)
  );
}

function usesOf(word: string, all: Map<string, Uses>): Uses {
  const uses = all.get(word) ?? { stopped: 0, within: 0, names: new Set() };
  all.set(word, uses);
  return uses;
}

const isSmall = (character: string): boolean => character !== character.toUpperCase();
