/**
 * Decides whether two texts with the same facts make the same statement: with the same words, in the same order. No list
 * contains every pair of words that must not replace each other ("aspirin" and "heparin"), every word that turns a
 * statement round ("only", "nur", "solo"), or every phrase that says something else in another place. So each word and its
 * place count, in any language, except for the words and forms that {@link sequenceOf} names.
 */

import { lazily } from '../../runtime/lazily.js';
import type { FactKind } from '../../types.js';
import { type FactDifference, KINDS } from './facts.js';
import { GLUE, numbered, type Sequence, UNORDERED } from './numbered.js';
import { type Facts, type Item, keyOf } from './reader.js';
import { isEnglish, mergedForm } from './statement-words.js';
import { setOf } from './word-lists.js';

/** The longest stretch in which a phrase or a sentence may have moved past its neighbour. */
const MAX_MOVED = 200;

/**
 * Returns the facts, the stems and the signs of a text in order. Texts with another sequence never merge. The following
 * makes no difference:
 *
 * - the articles of English, commas, and the words that {@link mergedForm} drops or joins;
 * - "be" before a participle: "is playing", "plays". Elsewhere it turns the deed round: "was sued", "sued";
 * - a preposition before a date: "on Tuesday";
 * - "to" between numbers. Its sign tells a span from a list: "6-12", "6, 12".
 */
export function sequenceOf({ items, signs }: Facts): string {
  const english = new Set(items.flatMap(({ word, sentence }) => (isEnglish(word) ? [sentence] : [])));
  const kept = items.filter((item, at) => formOf(item) !== '' && !isArticle(items, at, english));
  const keys: string[] = [];
  for (const [at, item] of kept.entries()) {
    const next = kept[at + 1];
    const last = keys.at(-1) ?? '';
    // "It's red", "Ann's dog".
    const form = item.key === "'s" && SUBJECTS.has(last) ? 'be' : formOf(item);
    if (form === 'be' && (last === 'be' || next?.word?.folded.endsWith('ing'))) continue;
    if (next?.kind === 'date' && DATE_PREPOSITIONS.has(form)) continue;
    if (form === 'to' && next?.kind === 'number' && kept[at - 1]?.kind === 'number') continue;
    keys.push(form);
  }
  return `${keys.join(' ').replaceAll('pleas note that ', '')}\n${signs}`;
}

const SUBJECTS = setOf('it he she that there here what');
const DATE_PREPOSITIONS = setOf('on in at');

const formOf = ({ key, word }: Item): string =>
  key === ',' ? '' : ((word && mergedForm(word.folded)) ?? key);

/**
 * Returns whether an item is an article. A capital inside a sentence is a name ("hepatitis A"). Before a name the word may be
 * a preposition of another language ("Ana llamó a Luis", "er verkauft an Anna").
 *
 * @param english the sentences that are English beyond doubt.
 */
function isArticle(items: readonly Item[], at: number, english: ReadonlySet<number>): boolean {
  const { word, sentence } = items[at] as Item;
  if (word === undefined || !ARTICLES.has(word.folded)) return false;
  const [before, after] = [items[at - 1], items[at + 1]];
  const beside = before?.word ?? after?.word;
  if (word.raw === 'A' && before?.sentence === sentence && beside?.isAcronym === false) return false;
  return english.has(sentence) || after?.word?.isCapital !== true || after.word.isAcronym;
}

const ARTICLES = setOf('a an the');

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
