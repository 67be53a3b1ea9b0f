/**
 * Decides whether two texts have so many different words that no respelling makes them equal. It takes a fifth of the
 * time of reading and comparing their facts.
 *
 * Spellings of one word mostly begin alike: endings are stemmed, and `colour` is `color`. So if no word of the other
 * text begins with the first three letters of a word, the other text is unlikely to contain another spelling of it.
 * Words that may be part of a number, a date, a unit or a negation do not count. The few exceptions (`grey` and
 * `gray`, `N.A.T.O.` and `NATO`) amount to far less than {@link SLACK}. The check does not apply to texts with soft
 * hyphens, which facts leave out.
 */
import type { Lexicon } from '../lexicon.js';
import { stem } from '../stem.js';
import type { Vocabulary } from '../vocabulary.js';
import { isListed } from './reader.js';
import { HIDDEN, oneEnglish } from './spelling.js';
import { isGlue } from './statement-words.js';

/** Share of the words of both texts that may begin differently and still be equal. */
const SLACK = 0.1;
/** Shorter words seldom have substance, and more often have other forms. */
const SHORTEST = 4;
const LETTERS = /[a-z]+/g;

/** The first three letters of words, as ascending numbers. */
export interface Heads {
  /** Heads of all words, and of all parts of words. */
  readonly all: Uint16Array;
  /** Heads of the words that the facts of a text keep unchanged, except for their endings. */
  readonly ordinary: Uint16Array;
  /** Number of distinct words. */
  readonly words: number;
}

/** Returns the heads of a text, or undefined if it has characters that facts remove from words. */
export function headsOf(text: string, lexicon: Lexicon): Heads | undefined {
  if (HIDDEN.test(text)) return undefined;
  const words = lexicon.words(text);
  const { vocabulary } = lexicon;
  const known = knownOf(vocabulary);
  const all: number[] = [];
  const ordinary: number[] = [];
  let distinct = 0;
  let last = -1;
  for (const id of words.toSorted()) {
    if (id === last) continue;
    last = id;
    distinct++;
    const word = vocabulary.wordOf(id);
    known[id] ||= classOf(word);
    const kind = known[id] as number;
    if (kind === OF_PARTS) for (const part of word.match(LETTERS) ?? []) all.push(headOf(part));
    else all.push(kind >> 1);
    if (kind !== OF_PARTS && (kind & ORDINARY) === ORDINARY) ordinary.push(kind >> 1);
  }
  return { all: ascending(all), ordinary: ascending(ordinary), words: distinct };
}

/** Returns whether the Jaccard distance between the statements of two texts is certainly greater than `distance`. */
export function areFarther(a: Heads, b: Heads, distance: number): boolean {
  return missing(a.ordinary, b.all) + missing(b.ordinary, a.all) > (distance + SLACK) * (a.words + b.words);
}

/**
 * By word of a vocabulary: for a word of letters twice its head, plus {@link ORDINARY} if it is ordinary; 0 if not
 * known yet.
 */
const known = new WeakMap<Vocabulary, Uint16Array>();
const ORDINARY = 1;
/** Replaces the head if a word contains other characters than letters. */
const OF_PARTS = 0xffff;

function knownOf(vocabulary: Vocabulary): Uint16Array {
  const before = known.get(vocabulary);
  if (before !== undefined && before.length >= vocabulary.size) return before;
  const more = new Uint16Array(2 * vocabulary.size);
  if (before !== undefined) more.set(before);
  known.set(vocabulary, more);
  return more;
}

function classOf(word: string): number {
  if (!/^[a-z]+$/.test(word)) return OF_PARTS;
  const isOrdinary = word.length >= SHORTEST && !isListed(word) && !isGlue(stem(oneEnglish(word)));
  return 2 * headOf(word) + (isOrdinary ? ORDINARY : 0);
}

/** Encodes the first three letters in base 27, with 0 for a missing letter. */
function headOf(letters: string): number {
  let head = 0;
  for (let at = 0; at < 3; at++) head = 27 * head + (at < letters.length ? letters.charCodeAt(at) - 96 : 0);
  return head;
}

/** Sorts numbers and removes duplicates. */
function ascending(numbers: readonly number[]): Uint16Array {
  const sorted = Uint16Array.from(numbers).sort();
  return sorted.filter((number, at) => at === 0 || number !== sorted[at - 1]);
}

/** Counts the numbers of one list that the other lacks. Both lists ascend. */
function missing(from: Uint16Array, others: Uint16Array): number {
  let count = 0;
  let place = 0;
  for (let at = 0; at < from.length; at++) {
    const head = from[at] as number;
    while (place < others.length && (others[place] as number) < head) place++;
    if (others[place] !== head) count++;
  }
  return count;
}
