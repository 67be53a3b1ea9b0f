/**
 * Decides whether two texts with the same facts make the same statement: with the same words of substance, in the same
 * order. No list contains every pair of words that must not replace each other ("aspirin" and "heparin"), and the same
 * words can say something else in another order ("the dog bit the man").
 *
 * - Words: words that one text has more often than the other must be additions, not replacements. There may be only few
 *   of them in each sentence; they must neither qualify the rest, nor make a statement of their own, in any language:
 *   each stands alone among words that both texts have. Stems count as equal, as do British and American spellings. Words
 *   that hold a sentence together do not count.
 * - Order: words that both texts have equally often must be in the same order. One run of words may have moved past its
 *   neighbour, as in "In Paris, it rained" and "It rained in Paris". This exception excludes facts that pass only facts
 *   ("3-1" and "1-3"), and a negation that comes to precede something else.
 */

import { lazily } from '../../runtime/lazily.js';
import type { FactKind } from '../../types.js';
import { type FactDifference, KINDS } from './facts.js';
import { CONDITION, GLUE, numbered, type Sequence, UNORDERED } from './numbered.js';
import { type Facts, type Item, keyOf, wholeSentence } from './reader.js';

/**
 * Share of its other words of substance that a sentence may add. It holds for each sentence: an added word may deny or
 * restrict a statement in any language, no matter how long the text around it is. At .2 one in forty of the pairs of
 * STS-B that are merged by vectors is graded below 4 of 5, at .15 none.
 */
const MAX_ADDED = 0.15;
/** More added words of substance than this in one sentence make a statement, no matter how long it is. */
const MOST_ADDED_TO_SENTENCE = 3;
/** The longest stretch in which a phrase or a sentence may have moved past its neighbour. */
const MAX_MOVED = 200;

/** Returns whether two texts make the same statement. It assumes that their facts do not differ. */
export function sameStatement(a: Facts, b: Facts): boolean {
  const [left, right] = numbered(a, b);
  const [onlyA, onlyB] = wordsOnlyIn(left, right);
  if (onlyA.length > 0 && onlyB.length > 0) return false;
  const added = [...onlyA, ...onlyB];
  const { traits } = left.numbering;
  if (added.some((key) => has(traits, key, CONDITION))) return false;
  if (added.length > MAX_ADDED * Math.min(left.words, right.words)) return false;
  const isInA = onlyA.length > 0;
  if (addsStatement(isInA ? left : right, new Set(added))) return false;
  return sameOrder(left, right);
}

/**
 * Returns whether the text makes a statement with words that the other lacks. These are: two added words in a row, one at
 * an end of a sentence that is not alone there ("This is invented: …"), or too many in one sentence.
 */
function addsStatement({ items, keys, numbering }: Sequence, added: ReadonlySet<number>): boolean {
  if (added.size === 0) return false;
  for (let at = 0; at < items.length; ) {
    const sentence = wholeSentence(items[at] as Item);
    const addedHere = new Set<number>();
    let known = 0;
    // Since the last word of substance that both texts have.
    let [words, addedWords] = [0, 0];
    for (; at < items.length && wholeSentence(items[at] as Item) === sentence; at++) {
      const key = keys[at] as number;
      if (added.has(key)) {
        addedHere.add(key);
        addedWords++;
      } else if (!has(numbering.traits, key, GLUE)) {
        if (known === 0 && isClause(words, addedWords)) return true;
        known++;
        [words, addedWords] = [0, 0];
        continue;
      }
      if (addedWords > 1) return true;
      if (items[at]?.key !== ',') words++;
    }
    if (isClause(words, addedWords)) return true;
    if (addedHere.size > Math.min(MOST_ADDED_TO_SENTENCE, MAX_ADDED * known)) return true;
  }
  return false;
}

/** Returns whether words at an end of a sentence are more than one added word. */
const isClause = (words: number, addedWords: number): boolean => addedWords > 0 && words > 1;

/** Orders texts that make the same statement: fewest words of substance first. */
export function fewestWordsFirst(a: Facts, b: Facts): number {
  const [left, right] = numbered(a, b);
  return left.words - right.words;
}

/** Returns whether one text has all words of the other, but in an order that says something else. */
export function isTurnedRound(a: Facts, b: Facts): boolean {
  const [left, right] = numbered(a, b);
  return wordsOnlyIn(left, right).some((words) => words.length === 0) && !sameOrder(left, right);
}

/**
 * Returns the facts that changed places if all other words are the same ("Ann sued Bob", "Bob sued Ann"): for each
 * kind, the facts in the order of each text. A negation is given with the word that it denies.
 */
export function swappedFacts(a: Sequence, b: Sequence): FactDifference | undefined {
  // Most texts have other numbers of words. Comparing these first saves comparing the words.
  if (a.words !== b.words || hasMoreOfWord(a, b)) return undefined;
  return sameOrder(a, b) ? undefined : swappedIn(...shared(a, b));
}

function swappedIn(one: readonly Item[], other: readonly Item[]): FactDifference | undefined {
  // In capitals all words may be names, in lower case none. So each text's kinds are tried for both texts.
  const kindOf = [ownKind, kindsOf(one), kindsOf(other)].find((kind) => haveOneFrame(one, other, kind));
  if (kindOf === undefined) return undefined;
  const kinds: FactKind[] = [];
  const differences: [string[], string[]] = [[], []];
  for (const kind of KINDS) {
    const [left, right] = [inOrder(one, kind, kindOf), inOrder(other, kind, kindOf)];
    if (left === right) continue;
    kinds.push(kind);
    differences[0].push(left);
    differences[1].push(right);
  }
  return kinds.length === 0 ? undefined : { kinds, differences };
}

/**
 * Returns the Jaccard similarity, 0..1, of the words of substance and facts of two texts, each in one spelling: "five
 * km" and "5 kilometres" are equal.
 */
export function statementOverlap(a: Facts, b: Facts): number {
  const [left, right] = numbered(a, b);
  const { traits, counts } = left.numbering;
  let [both, either] = [0, 0];
  for (const key of left.keys) {
    if (has(traits, key, GLUE) || counts[key] === IN_ONE) continue;
    counts[key] = IN_ONE;
    either++;
  }
  for (const key of right.keys) {
    if (has(traits, key, GLUE) || counts[key] === SEEN) continue;
    if (counts[key] === IN_ONE) both++;
    else either++;
    counts[key] = SEEN;
  }
  clear(counts, left, right);
  return either === 0 ? 0 : both / either;
}

const IN_ONE = 1;
const SEEN = 2;

const has = (traits: Uint8Array, key: number, trait: number): boolean =>
  ((traits[key] as number) & trait) !== 0;

/** Returns the words of substance that each text has more often than the other. */
function wordsOnlyIn(a: Sequence, b: Sequence): [number[], number[]] {
  const { traits, counts } = a.numbering;
  balance(counts, a, b);
  const [onlyA, onlyB]: [number[], number[]] = [[], []];
  for (const key of a.keys) {
    if ((counts[key] as number) <= 0 || has(traits, key, GLUE)) continue;
    onlyA.push(key);
    counts[key] = 0;
  }
  for (const key of b.keys) {
    if ((counts[key] as number) >= 0 || has(traits, key, GLUE)) continue;
    onlyB.push(key);
    counts[key] = 0;
  }
  clear(counts, a, b);
  return [onlyA, onlyB];
}

/** Returns whether the first text has a word of substance more often than the second. */
function hasMoreOfWord(a: Sequence, b: Sequence): boolean {
  const { traits, counts } = a.numbering;
  balance(counts, a, b);
  const found = a.keys.some((key) => (counts[key] as number) > 0 && !has(traits, key, GLUE));
  clear(counts, a, b);
  return found;
}

/** Counts each key: how much more often the first text has it than the second. */
function balance(counts: Int32Array, a: Sequence, b: Sequence): void {
  for (const key of a.keys) counts[key] = (counts[key] as number) + 1;
  for (const key of b.keys) counts[key] = (counts[key] as number) - 1;
}

function clear(counts: Int32Array, a: Sequence, b: Sequence): void {
  for (const key of a.keys) counts[key] = 0;
  for (const key of b.keys) counts[key] = 0;
}

type KindOf = (item: Item) => FactKind | undefined;

const ownKind: KindOf = ({ kind }) => kind;

/** Returns the kind of an item as a text reads it. */
function kindsOf(text: readonly Item[]): KindOf {
  const kinds = lazily(() => new Map(text.map(({ key, kind }) => [key, kind])));
  return ({ key }) => kinds().get(key);
}

/** Returns whether two texts have the same words in the same order beside their facts. */
function haveOneFrame(one: readonly Item[], other: readonly Item[], kindOf: KindOf): boolean {
  const isWord = (item: Item) => kindOf(item) === undefined;
  const [left, right] = [one.filter(isWord), other.filter(isWord)];
  return left.length === right.length && left.every(({ key }, at) => key === right[at]?.key);
}

function inOrder(items: readonly Item[], kind: FactKind, kindOf: KindOf): string {
  return items
    .flatMap((item, at) => {
      if (kindOf(item) !== kind) return [];
      return kind === 'negation' ? `${shown(item)} ${shown(items[at + 1])}`.trim() : shown(item);
    })
    .join(', ');
}

const shown = (item: Item | undefined): string => (item === undefined ? '' : keyOf(item));

function sameOrder(a: Sequence, b: Sequence): boolean {
  // Texts that are equal but for a heading are equal without it.
  if (a.keys.length === b.keys.length && a.keys.every((key, at) => key === b.keys[at])) return true;
  const [left, right] = shared(a, b);
  const differs = (at: number) => left[at]?.key !== right[at]?.key;
  let start = 0;
  while (start < left.length && !differs(start)) start++;
  if (start === left.length) return true;
  let end = left.length;
  while (!differs(end - 1)) end--;
  if (end - start > MAX_MOVED) return false;
  const middle = left.slice(start, end);
  const { length } = middle;
  for (let split = 1; split < length; split++) {
    if (!middle.every((_, at) => right[start + at]?.key === middle[(split + at) % length]?.key)) continue;
    const onlyFacts = middle.every(({ kind }) => kind !== undefined);
    const before = [left[start - 1], middle[split - 1], middle.at(-1)];
    return !onlyFacts && before.every((item) => item?.kind !== 'negation');
  }
  return false;
}

/** Returns the items that both texts have equally often, in the order of each text. */
function shared(a: Sequence, b: Sequence): [Item[], Item[]] {
  const { traits, counts } = a.numbering;
  balance(counts, a, b);
  const keep = ({ items, keys }: Sequence) =>
    items.filter((_, at) => {
      const key = keys[at] as number;
      return counts[key] === 0 && !has(traits, key, UNORDERED);
    });
  const both: [Item[], Item[]] = [keep(a), keep(b)];
  clear(counts, a, b);
  return both;
}
