/**
 * Whether two texts have so many words of their own that no spelling makes them the same, in a fifth of the time that
 * it takes to read and compare their facts.
 *
 * Words whose spelling may differ mostly begin alike: endings are stemmed, and `colour` is `color`. So of a word whose
 * first three letters begin no word of the other text, the other text hardly has another spelling. Words that may be
 * part of a number, a date, a unit or a negation do not count, and what the few exceptions come to (`grey` and `gray`,
 * `N.A.T.O.` and `NATO`) is far less than {@link SLACK}. It is not for texts with soft hyphens, which facts leave out.
 */
import type { Lexicon } from '../lexicon.js';
import { stem } from '../stem.js';
import type { Vocabulary } from '../vocabulary.js';
import { isListed } from './reader.js';
import { HIDDEN, oneEnglish } from './spelling.js';
import { isGlue } from './statement.js';

/** Share of the words of both texts that may begin otherwise and be the same. */
const SLACK = 0.1;
/** Shorter words are seldom of substance, and more often have other forms. */
const SHORTEST = 4;
const LETTERS = /[a-z]+/g;

/** The first three letters of words, as numbers that ascend. */
export interface Heads {
  /** Of all words, and of all parts of them. */
  readonly all: Uint16Array;
  /** Of those words that the facts of a text keep as they are, but for their endings. */
  readonly ordinary: Uint16Array;
  /** How many distinct words there are. */
  readonly words: number;
}

/** @returns nothing for a text with characters that facts leave out of words. */
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

/** Is the Jaccard distance of what the two texts state surely more than that? */
export function areFarther(a: Heads, b: Heads, distance: number): boolean {
  return missing(a.ordinary, b.all) + missing(b.ordinary, a.all) > (distance + SLACK) * (a.words + b.words);
}

/** Of each word of a vocabulary that is of letters twice its head, and {@link ORDINARY} if it is; 0 if not known yet. */
const known = new WeakMap<Vocabulary, Uint16Array>();
const ORDINARY = 1;
/** Instead for a word that has something else among its letters. */
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

/** In base 27, 0 for a letter that is not there. */
function headOf(letters: string): number {
  let head = 0;
  for (let at = 0; at < 3; at++) head = 27 * head + (at < letters.length ? letters.charCodeAt(at) - 96 : 0);
  return head;
}

/** Without repetitions. */
function ascending(numbers: readonly number[]): Uint16Array {
  const sorted = Uint16Array.from(numbers).sort();
  return sorted.filter((number, at) => at === 0 || number !== sorted[at - 1]);
}

/** How many of one list are not in the other; both ascend. */
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
