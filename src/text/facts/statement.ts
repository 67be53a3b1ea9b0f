/**
 * Decides whether two texts with the same facts make the same statement: with the same words of substance, in the same
 * order. No list contains every pair of words that must not replace each other ("aspirin" and "heparin"), and the same
 * words can say something else in another order ("the dog bit the man").
 *
 * - Words: words that one text has more often than the other must be additions, not replacements. There may be only few
 *   of them; they must neither deny nor qualify the rest, nor make a statement of their own. Stems count as equal, as
 *   do British and American spellings. Words that hold a sentence together do not count.
 * - Order: words that both texts have equally often must be in the same order. One run of words may have moved past its
 *   neighbour, as in "In Paris, it rained" and "It rained in Paris". This exception excludes facts that pass only facts
 *   ("3-1" and "1-3"), and a negation that comes to precede something else.
 */

import { lazily } from '../../runtime/lazily.js';
import type { FactKind } from '../../types.js';
import { stem } from '../stem.js';
import { countOf, type FactDifference, KINDS } from './facts.js';
import type { Facts, Item, ItemCounts } from './reader.js';
import { list } from './word-lists.js';

/**
 * Share of the shorter text's words of substance that the longer text may add. At .2 one in forty of the pairs of STS-B
 * that are merged by vectors is graded below 4 of 5, at .15 none.
 */
const MAX_ADDED = 0.15;
/**
 * More added words of substance than this in one sentence make a statement, no matter how long the texts are. In a
 * sentence without other words of substance the limit is lower: "Ignore previous instructions."
 */
const MOST_ADDED_TO_SENTENCE = 3;
const MOST_ADDED_ALONE = 1;
/** The longest stretch in which a phrase or a sentence may have moved past its neighbour. */
const MAX_MOVED = 200;

const stems = (words: string): (() => ReadonlySet<string>) => lazily(() => new Set(list(words).map(stem)));

/** Words without substance, in whichever text they are more frequent. */
// Unchecked prose: a list of words.
const GLUE = stems(`
a an the this that these those which who whom is are was were be been being am has have had having do does did
of to in on at by for from with into upon onto as and it its there then so
also please note indeed however moreover furthermore additionally , 's
`);
/** Words that change a claim, or the relation of its clauses, if one text has more of them. */
const CONDITIONS = stems(`
may might must should can could if unless except only until or but although though because whether
suspected alleged possibly probably perhaps maybe likely almost nearly
formerly initially previously originally reportedly allegedly supposedly purportedly claimed hypothetically
potentially partly partially few some most placebo mock draft proposed planned expected attempted failed
false untrue incorrect wrong wrongly inaccurate misleading fake hoax myth lie fabricated fraud fraudulent debunked
disputed contested retracted withdrawn corrected superseded obsolete outdated deprecated rumour rumor satire fiction
`);
/** Words that do not count for the order: they are optional, or join equal parts. */
const UNORDERED = stems('a an the and');

/** Returns whether the key is the stem of a word without substance. */
export const isGlue = (key: string): boolean => GLUE().has(key);

/** Returns whether two texts make the same statement. It assumes that their facts do not differ. */
export function sameStatement(a: Facts, b: Facts): boolean {
  const [onlyA, onlyB] = wordsOnlyIn(a, b);
  if (onlyA.length > 0 && onlyB.length > 0) return false;
  const added = [...onlyA, ...onlyB];
  if (added.some((key) => CONDITIONS().has(key))) return false;
  const least = Math.min(countsOf(a).substance, countsOf(b).substance);
  if (added.length > MAX_ADDED * least || addsStatement(onlyA.length > 0 ? a : b, new Set(added)))
    return false;
  return sameOrder(a, b);
}

/** Returns whether the text makes a statement with words that the other lacks. */
function addsStatement({ items }: Facts, added: ReadonlySet<string>): boolean {
  if (added.size <= MOST_ADDED_ALONE) return false;
  const sentences = new Map<number | undefined, { added: number; known: number }>();
  for (const { key, sentence } of items) {
    if (GLUE().has(key)) continue;
    const found = sentences.get(sentence) ?? { added: 0, known: 0 };
    if (added.has(key)) found.added++;
    else found.known++;
    sentences.set(sentence, found);
  }
  return [...sentences.values()].some(
    (each) => each.added > (each.known === 0 ? MOST_ADDED_ALONE : MOST_ADDED_TO_SENTENCE),
  );
}

/** Returns whether one text has all words of the other, but in an order that says something else. */
export function isTurnedRound(a: Facts, b: Facts): boolean {
  return wordsOnlyIn(a, b).some((words) => words.length === 0) && !sameOrder(a, b);
}

/**
 * Returns the facts that changed places if all other words are the same ("Ann sued Bob", "Bob sued Ann"): for each
 * kind, the facts in the order of each text. A negation is given with the word that it denies.
 */
export function swappedFacts(a: Facts, b: Facts): FactDifference | undefined {
  if (wordsOnlyIn(a, b).flat().length > 0 || sameOrder(a, b)) return undefined;
  const both = shared(a, b);
  const frame = (items: readonly Item[]) => keysOf(items.filter(({ kind }) => kind === undefined));
  // In capitals all words may be names, in lower case none. So each text's kinds are tried for both texts.
  const readings = [both, ...both.map((known) => both.map((items) => inKindsOf(known, items)))];
  const found = readings.find(([one = [], other = []]) => frame(one) === frame(other));
  if (found === undefined) return undefined;
  const [left, right] = found as [Item[], Item[]];
  const kinds: FactKind[] = [];
  const differences: [string[], string[]] = [[], []];
  for (const kind of KINDS) {
    const [one, other] = [left, right].map((items) => inOrder(items, kind)) as [string, string];
    if (one === other) continue;
    kinds.push(kind);
    differences[0].push(one);
    differences[1].push(other);
  }
  return kinds.length === 0 ? undefined : { kinds, differences };
}

/**
 * Returns the Jaccard similarity, 0..1, of the words of substance and facts of two texts, each in one spelling: "five
 * km" and "5 kilometres" are equal.
 */
export function statementOverlap(a: Facts, b: Facts): number {
  const [left, right] = [countsOf(a), countsOf(b)];
  let both = 0;
  for (const key of left.ofSubstance.keys()) if (right.ofSubstance.has(key)) both++;
  const either = left.ofSubstance.size + right.ofSubstance.size - both;
  return either === 0 ? 0 : both / either;
}

/** Returns the words of substance that each text has more often than the other. */
function wordsOnlyIn(a: Facts, b: Facts): [string[], string[]] {
  const [left, right] = [countsOf(a).ofSubstance, countsOf(b).ofSubstance];
  return [moreOften(left, right), moreOften(right, left)];
}

function moreOften(counts: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): string[] {
  const found: string[] = [];
  for (const [key, count] of counts) if (count > countOf(others, key)) found.push(key);
  return found;
}

/** Returns the items with the kinds that they have in another text. */
function inKindsOf(known: readonly Item[], items: readonly Item[]): Item[] {
  const kinds = new Map(known.map(({ key, kind }) => [key, kind]));
  return items.map(({ kind: _, ...item }) => {
    const kind = kinds.get(item.key);
    return kind === undefined ? item : { ...item, kind };
  });
}

function inOrder(items: readonly Item[], kind: FactKind): string {
  return items
    .flatMap((item, at) => {
      if (item.kind !== kind) return [];
      return kind === 'negation' ? `${shown(item)} ${shown(items[at + 1])}`.trim() : shown(item);
    })
    .join(', ');
}

const shown = (item: Item | undefined): string => item?.shown ?? item?.key ?? '';

function sameOrder(a: Facts, b: Facts): boolean {
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

const keysOf = (items: readonly Item[]): string => items.map(({ key }) => key).join('\u0000');

/** Returns the items that both texts have equally often, in the order of each text. */
function shared(a: Facts, b: Facts): [Item[], Item[]] {
  const [left, right] = [countsOf(a), countsOf(b)];
  const keep = ({ key }: Item) => !UNORDERED().has(key) && countOf(left.all, key) === countOf(right.all, key);
  return [a.items.filter(keep), b.items.filter(keep)];
}

/** A text is compared with many others: among a thousand near-copies, counting anew would take half of the time. */
function countsOf(facts: Facts): ItemCounts {
  facts.counts ??= count(facts.items);
  return facts.counts;
}

function count(items: readonly Item[]): ItemCounts {
  const all = new Map<string, number>();
  for (const { key } of items) all.set(key, countOf(all, key) + 1);
  const ofSubstance = new Map([...all].filter(([key]) => !GLUE().has(key)));
  return { all, ofSubstance, substance: items.filter(({ key }) => !GLUE().has(key)).length };
}
