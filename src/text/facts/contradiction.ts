/**
 * Decides whether two texts contradict each other: one states a fact, the other states another fact at the same point,
 * and the words around that point are the same.
 *
 * The texts are aligned by their words of substance and their facts. A stretch that differs is a contradiction if each
 * side has a fact of the same kind that the other text lacks, or if one side denies a statement of the other. Content
 * of only one text is an addition, no contradiction. Comparing two lists of facts would not work: two true texts about
 * one thing have different facts, but at different points.
 */

import { lazyRegExp } from '../../runtime/lazily.js';
import type { FactKind } from '../../types.js';
import { type Alignment, alignmentOf, OPENING, type Place } from './alignment.js';
import { areDatesCompatible, areNamesAlike, areQuantitiesCompatible, isConvertible } from './compatible.js';
import { countOf, type FactDifference, factsOnlyInEach, KINDS } from './facts.js';
import { numbered, type Sequence } from './numbered.js';
import { isConnective } from './opposites.js';
import { type Fact, type Facts, type Item, keyOf } from './reader.js';
import { isTurnedRound, swappedFacts } from './statement.js';
import { isGlue } from './statement-words.js';
import { Cells } from './stretches.js';
import { setOf } from './word-lists.js';

/** Most items of one side of a place: the longest date or name, with its companions. */
const LONGEST = 12;
/** Least number of equal items next to a place. */
const CONTEXT = 3;
/** Least number if everything else is equal: "It opened in May", "It opened in June". */
const LEAST_CONTEXT = 2;
/** The number of items on each side of a place that decide whether the texts agree there. */
const REACH = 8;
/** Least share of these items that must be equal. */
const AGREEMENT = 0.85;
/** If more items than this are equal, the texts are about the same subject. */
export const ONE_STATEMENT = 16;
/** Most items that may differ along with a negation: "did not pay", "paid". */
const DENIED = 2;
/** Number of results that are kept for a text. When there are more, all are forgotten. */
const MOST_RESULTS = 64;

/**
 * Returns the facts that two texts state differently at the same point; `otherwise` if there are none, but each text says
 * something else at the same point (see {@link saysOtherwise}); or `undefined`. If the texts are swapped, only the sides
 * are swapped, unless several alignments are equally good.
 *
 * @param cells the work that is left. A result that is known takes as much as when it was found.
 */
export function rivalry(a: Facts, b: Facts, cells = new Cells()): Rivalry | undefined {
  const { results } = comparedOf(a);
  const { serial } = comparedOf(b);
  const known = results.get(serial);
  if (known !== undefined && known.cells <= cells.left) {
    cells.take(known.cells);
    return known.found;
  }
  const own = new Cells(cells.left);
  const alignment = alignmentOf(a, b, own);
  const found = contradictionIn(alignment, own) ?? (areOtherwise(alignment) ? 'otherwise' : undefined);
  const taken = cells.left - own.left;
  cells.left = own.left;
  cells.isSpent ||= own.isSpent;
  if (own.isSpent) return found;
  if (results.size === MOST_RESULTS) results.clear();
  results.set(serial, { found, cells: taken });
  return found;
}

export type Rivalry = FactDifference | 'otherwise';

/** The rivalries of a text with others. Texts that are retrieved again are compared with the same texts again. */
interface Compared {
  readonly serial: number;
  /** By serial number of the other text: a reference would keep that text in memory. */
  readonly results: Map<number, { readonly found: Rivalry | undefined; readonly cells: number }>;
}

const compared = new WeakMap<Facts, Compared>();
let texts = 0;

function comparedOf(facts: Facts): Compared {
  let own = compared.get(facts);
  if (own === undefined) {
    own = { serial: texts++, results: new Map() };
    compared.set(facts, own);
  }
  return own;
}

function contradictionIn(texts: Alignment, cells: Cells): FactDifference | undefined {
  const all = new Places(texts);
  const found = all.contradiction();
  if (found !== undefined || all.some()) return found;
  return turnedRound(texts) ?? (mayHaveHeading(texts) ? belowHeading(texts, cells) : undefined);
}

/** The places at which two texts have different facts. */
class Places {
  readonly #texts: Alignment;
  readonly #differences: (readonly Difference[] | undefined)[];

  constructor(texts: Alignment) {
    this.#texts = texts;
    this.#differences = texts.places.map(() => undefined);
  }

  contradiction(): FactDifference | undefined {
    const { places } = this.#texts;
    const isShort = sameItems(places) <= ONE_STATEMENT;
    const all: Difference[] = [];
    for (const [at, place] of places.entries()) {
      // Most places differ too much around them, which takes less time to see than their facts.
      if (!agreesAround(at, this.#texts)) continue;
      const differences = this.#at(at);
      if (differences.length > 0 && !(isShort && this.#isOfAnotherSubject(place))) all.push(...differences);
    }
    if (all.length === 0) return undefined;
    return {
      kinds: KINDS.filter((kind) => has(all, kind)),
      differences: [distinct(all.map(({ one }) => one)), distinct(all.map(({ other }) => other))],
    };
  }

  /** Whether there is a place with different facts that fulfils a condition. */
  some(condition: (place: Place) => boolean = () => true): boolean {
    return this.#texts.places.some((place, at) => condition(place) && this.#at(at).length > 0);
  }

  /**
   * Returns whether the sentence begins with something else and also has another number or date. Then it says the same
   * about another subject: "Mount Serrat is 2,345 metres high", "In 1990 it had 800 members".
   */
  #isOfAnotherSubject(place: Place): boolean {
    const sentence = place.left[0]?.sentence;
    const inIt = this.#texts.places.flatMap((each, at) => {
      const differences = each.left[0]?.sentence === sentence ? this.#at(at) : [];
      return differences.length === 0 ? [] : [{ place: each, differences }];
    });
    const [first, ...others] = inIt;
    if (first?.place.isSubject !== true) return false;
    const isMeasure = ({ kind }: Difference) => MEASURES.has(kind);
    const isBoth = first.differences.some(({ kind }) => kind === 'name') && first.differences.some(isMeasure);
    return isBoth || others.some(({ differences }) => differences.some(isMeasure));
  }

  #at(at: number): readonly Difference[] {
    const found = this.#differences[at] ?? differencesAt(at, this.#texts);
    this.#differences[at] = found;
    return found;
  }
}

/** Each string once, sorted. */
const distinct = (lists: readonly (readonly string[])[]): string[] =>
  lists.length === 1 && lists[0]?.length === 1 ? [...lists[0]] : [...new Set(lists.flat())].sort();

/** Finds facts that changed places, even if one text has more at its beginning, its end or both. */
function turnedRound({ a, b, places }: Alignment): FactDifference | undefined {
  const [left, right] = numbered(a, b);
  const whole = swappedFacts(left, right);
  if (whole !== undefined) return whole;
  // Only the places at the edges have something added.
  const edges = [...new Set([places[0], places.at(-1)])].flatMap((place) =>
    place === undefined ? [] : { added: place.added, words: place.added.map(wordsOf) as [number, number] },
  );
  for (const some of edges.length < 2 ? [edges] : [edges.slice(0, 1), edges.slice(1), edges]) {
    // With edges of other lengths, the words that remain cannot be the same.
    const words = (side: 0 | 1) => some.reduce((sum, edge) => sum + edge.words[side], 0);
    if (left.words - words(0) !== right.words - words(1)) continue;
    const [ours, theirs] = [some.flatMap(({ added }) => added[0]), some.flatMap(({ added }) => added[1])];
    // Without edges the texts are as before.
    if (ours.length + theirs.length === 0) continue;
    const swapped = swappedFacts(without(ours, left), without(theirs, right));
    // In scripts without spaces every word may be a name, and "in 1998 founded" is not a reversal of "founded in 1998".
    if (swapped !== undefined && !HAN().test(swapped.differences.flat().join(''))) return swapped;
  }
  return undefined;
}

const wordsOf = (items: readonly Item[]): number => items.filter(({ key }) => !isGlue(key)).length;

function without(added: readonly Item[], { numbering, items, keys, words }: Sequence): Sequence {
  const all = new Set(added);
  const left: Item[] = [];
  const own = new Int32Array(items.length - all.size);
  for (const [at, item] of items.entries()) {
    if (all.has(item)) continue;
    own[left.length] = keys[at] as number;
    left.push(item);
  }
  return { numbering, items: left, keys: own, words: words - wordsOf(added) };
}

const mayHaveHeading = ({ places: [first] }: Alignment): boolean =>
  first !== undefined && first.before <= OPENING && isOneSided(first);

/**
 * Compares the texts without the heading of the longer one. A heading often names the beginning of the sentence below
 * it, and is then aligned with that beginning.
 */
function belowHeading({ a, b }: Alignment, cells: Cells): FactDifference | undefined {
  const isInA = a.items.length > b.items.length;
  const rest = isInA ? withoutHeading(a) : withoutHeading(b);
  if (rest === undefined || rest.items.length < Math.min(a.items.length, b.items.length)) return undefined;
  return new Places(isInA ? alignmentOf(rest, b, cells) : alignmentOf(a, rest, cells)).contradiction();
}

/** Returns the text without its first sentence or line, if that is short. */
function withoutHeading(text: Facts): Facts | undefined {
  const start = text.items.findIndex(({ sentence }) => sentence !== text.items[0]?.sentence);
  if (start < 1 || start > LONGEST) return undefined;
  const facts = new Map(text.facts);
  const known = new Map(text.known);
  for (const item of text.items.slice(0, start)) {
    const key = keyOf(item);
    const fact = facts.get(key);
    if (fact !== undefined) facts.set(key, { ...fact, count: fact.count - 1 });
    if (known.has(key)) known.set(key, countOf(known, key) - 1);
  }
  return { ...text, facts, known, items: text.items.slice(start) };
}

/**
 * Returns whether each text says something else at the same point, with the same words around it. In long texts any
 * words suffice: no fact shows that they contradict each other ("a drama", "a comedy"), but neither says what the other
 * says. In short texts it takes a fact, of any subject.
 */
export function saysOtherwise(a: Facts, b: Facts): boolean {
  return areOtherwise(alignmentOf(a, b));
}

function areOtherwise(texts: Alignment): boolean {
  const { places } = texts;
  if (sameItems(places) > ONE_STATEMENT) {
    return places.some((place) => !isOneSided(place) && place.before + place.after > REACH);
  }
  const isAlike = ({ left, right, before, after }: Place) =>
    Math.max(left.length, right.length) <= before + after && before + after >= CONTEXT;
  return new Places(texts).some(isAlike);
}

/**
 * Returns whether a text must not be evicted as redundant beside the other. This is wider than a contradiction, because
 * keeping a text costs little. Two texts disagree if each states a fact that the other lacks, if one denies more than
 * the other, or if the same words are in another order. A text that only adds content, or that says the same in other
 * words, does not disagree. The result does not depend on the order of the arguments.
 */
export function disagree(a: Facts, b: Facts): boolean {
  const sides = factsOnlyInEach(a, b);
  if (sides.some((side) => side.some(({ kind }) => kind === 'negation'))) return true;
  // "C" and "C++": nothing but a sign differs.
  if (a.signs !== b.signs && sides.flat().every(({ kind }) => kind === 'sign')) return true;
  // A number may be part of a date, and a unit is part of a number.
  const isName = ({ kind, key }: { kind: string; key: string }) => kind === 'name' && !HAN().test(key);
  if (sides.every((side) => side.some(isName))) return true;
  if (sides.every((side) => side.some(({ kind }) => kind !== 'name'))) return true;
  return isTurnedRound(a, b) || saysOtherwise(a, b);
}

export const sameItems = (places: readonly Place[]): number =>
  places.reduce((sum, { before }) => sum + before, places.at(-1)?.after ?? 0);

export interface Difference {
  readonly kind: FactKind;
  readonly one: readonly string[];
  readonly other: readonly string[];
}

export function differencesAt(at: number, { a, b, denials, opposites, places }: Alignment): Difference[] {
  const place = places[at] as Place;
  const { left, right } = place;
  const found = isOneSided(place) ? [] : otherFacts(place, ownFacts(left, a, b), ownFacts(right, b, a));
  const [word, opposite] = [wordsIn(left, opposites[0]), wordsIn(right, opposites[1])];
  const rest = Math.max(left.length - word.length, right.length - opposite.length);
  const isTurned = word.length > 0 && opposite.length > 0 && rest <= (word.every(isConnective) ? 0 : DENIED);
  const poles = new Set([...word, ...opposite]);
  const [one, other] = [left, right].map((items) =>
    negationsIn(items).filter((each) => !poles.has(each)),
  ) as [string[], string[]];
  const beside = Math.max(left.length - one.length, right.length - other.length);
  const denied = one.length > 0 ? right : left;
  const isNegated = denials && one.length !== other.length && beside <= DENIED;
  // "Not open" is "closed", "not successful" is "unsuccessful", but "must not" is not "may".
  if (isNegated && isTurned && !word.some(isModal)) return found;
  if (isNegated && !denied.some(isImplicit)) found.push({ kind: 'negation', one, other });
  if (isTurned) found.push({ kind: 'negation', one: word, other: opposite });
  return found;
}

/** Returns the differences between facts that each side has and the other text lacks. */
function otherFacts(place: Place, ours: readonly OwnFact[], theirs: readonly OwnFact[]): Difference[] {
  if (ours.length === 0 && theirs.length === 0) return [];
  const found: Difference[] = [];
  for (const kind of KINDS) {
    if (!has(ours, kind) && !has(theirs, kind)) continue;
    const [one, other] = ofKind(kind, ours, theirs);
    if (kind === 'name' && [...one, ...other].some(({ key }) => HAN().test(key))) {
      const words = [place.left, place.right].map(wordsWithoutSpaces) as [string, string];
      if (areOtherWords(...words)) found.push({ kind, one: [words[0]], other: [words[1]] });
    } else if (one.length > 0 && other.length > 0 && !areCompatible(kind, one, other)) {
      const sameNumber = one.every(({ number }) => other.some((each) => each.number === number));
      const isUnit = kind === 'number' && sameNumber;
      found.push({ kind: isUnit ? 'unit' : kind, one: keysOf(one), other: keysOf(other) });
    }
  }
  return found.length === 0 ? otherwiseRead(place, ours, theirs) : found;
}

/** Handles "12 September 2022" and "120 September 2022": the number 120 is not a day, so one side has no date. */
function otherwiseRead(
  { left, right }: Place,
  ours: readonly OwnFact[],
  theirs: readonly OwnFact[],
): Difference[] {
  // The other text may contain the month of the invalid date.
  if (!has(left, 'date') || !has(right, 'date')) return [];
  if (has(ours, 'number') === has(theirs, 'number')) return [];
  const measures = (facts: readonly OwnFact[]) => facts.filter(({ kind }) => MEASURES.has(kind));
  const [one, other] = [measures(ours), measures(theirs)];
  return one.length > 0 && other.length > 0 ? [{ kind: 'date', one: keysOf(one), other: keysOf(other) }] : [];
}

function has(items: readonly { readonly kind: FactKind | undefined }[], kind: FactKind): boolean {
  for (const item of items) if (item.kind === kind) return true;
  return false;
}

/**
 * Returns the facts of a kind on each side. A year counts as a date if the other side has a date, though it may be any
 * number.
 */
function ofKind(
  kind: FactKind,
  ours: readonly OwnFact[],
  theirs: readonly OwnFact[],
): [OwnFact[], OwnFact[]] {
  const of = (facts: readonly OwnFact[]) => facts.filter((fact) => fact.kind === kind);
  const years = (facts: readonly OwnFact[]) => facts.filter(({ key }) => YEAR.test(key));
  const [one, other] = [of(ours), of(theirs)];
  if (kind !== 'date' || one.length > 0 === other.length > 0) return [one, other];
  return one.length > 0 ? [one, years(theirs)] : [years(ours), other];
}

const YEAR = /^[12]\d{3}$/;

const MEASURES: ReadonlySet<FactKind> = new Set(['number', 'date', 'unit']);

const HAN = lazyRegExp(String.raw`\p{sc=Han}`, 'u');

/** Joins the names and other words of a stretch, as written. */
const wordsWithoutSpaces = (items: readonly Item[]): string =>
  items
    .filter(({ kind }) => kind === 'name')
    .map(keyOf)
    .filter((word) => !CONNECTIVES.has(word))
    .join('');

/** Words of one character often only connect sentences. A part of a name counts as that name. */
const areOtherWords = (one: string, other: string): boolean =>
  one.length > 1 && other.length > 1 && !one.includes(other) && !other.includes(one);

/** Chinese words that replace each other without a change of meaning. */
// Unchecked prose: a list of words.
const CONNECTIVES = setOf(`
但是 然而 不过 因为 由于 所以 因此 以及 并且 而且 同时 其中 其他 进行 开展 使用 采用 利用 大约 大概 左右 目前 现在 当时 后来
之后 以后 之前 以前 随后 期间 时候 非常 可以 能够 已经 通过 根据 按照 对于 关于 为了 如果 虽然 尽管 这个 那个 这些 那些 一些 许多 很多 大量
我们 他们 她们 它们 自己 该 此 其 是 为 曾经 曾 曾在 在 于 和 与 及 并 而 从 自 由 被 把 将 也 都 就 还 又 约 等 中 里 内 上 下 后 前 时 一个 作为 成为 位于 处于 拥有 具有
包括 包含 表示 认为 称 说 指出 举行 举办 开始 开展 获得 取得 得到 增加 增长 提高 上升 减少 下降 降低
`);

interface OwnFact {
  readonly key: string;
  readonly kind: FactKind;
  readonly weak: boolean;
  readonly number: string | undefined;
  readonly approximate: boolean;
}

/** Returns the facts among items that the other text lacks or contains less often. */
function ownFacts(items: readonly Item[], own: Facts, other: Facts): OwnFact[] {
  const found: OwnFact[] = [];
  for (const [at, item] of items.entries()) {
    if (item.kind === undefined) continue;
    const key = keyOf(item);
    const fact = own.facts.get(key) ?? partOfName(item, own);
    if (fact === undefined) continue;
    const { kind, weak, number } = fact;
    const others = Math.max(other.facts.get(key)?.count ?? 0, countOf(other.known, key));
    // A word that is a name here may occur elsewhere in lower case, in both texts.
    const times = item.kind === 'name' ? Math.max(fact.count, countOf(own.known, key)) : fact.count;
    if (times <= others) continue;
    found.push({ key, kind, weak, number, approximate: isApproximate(items[at - 1]) });
  }
  return found;
}

function areCompatible(kind: FactKind, one: readonly OwnFact[], other: readonly OwnFact[]): boolean {
  if (kind === 'name') return areNamesAlike(keysOf(one), keysOf(other));
  const isSame = (fact: OwnFact, each: OwnFact): boolean => {
    if (kind === 'sign') return false;
    if (kind === 'unit') return (fact.weak || each.weak) && isConvertible(fact.key, each.key);
    if (kind === 'date') return areDatesCompatible(fact.key, each.key);
    return areQuantitiesCompatible(fact.key, each.key, fact.approximate || each.approximate);
  };
  if (one.length === other.length) return one.every((fact, at) => isSame(fact, other[at] as OwnFact));
  return one.every((fact) => other.some((each) => isSame(fact, each)));
}

/** Returns a fact for a part of an identifier (`Z4`), whose parts are items. */
function partOfName({ key, kind, word }: Item, { known }: Facts): Fact | undefined {
  return kind === 'name' && word === undefined
    ? { kind, weak: false, count: countOf(known, key) }
    : undefined;
}

const APPROXIMATE = setOf(
  'about some around almost near nearli than least most approxim rough roughli estim approach close mani',
);
const isApproximate = (item: Item | undefined): boolean => item !== undefined && APPROXIMATE.has(item.key);

const keysOf = (facts: readonly OwnFact[]): string[] => facts.map(({ key }) => key);
const wordsIn = (items: readonly Item[], words: ReadonlySet<string>): string[] =>
  words.size === 0 ? [] : items.map(opposable).filter((word) => words.has(word));
/** "First day" is read as a quantity, "last day" as a date. */
const opposable = (item: Item): string => {
  const [word = ''] = keyOf(item).split(' ');
  return word === '1st' ? 'first' : word;
};
const negationsIn = (items: readonly Item[]): string[] =>
  items.filter(({ kind }) => kind === 'negation').map(keyOf);

// Unchecked prose: a list of words.
const MODALS = setOf('must shall should may might can');
const isModal = (word: string): boolean => MODALS.has(word);

/** Words that deny by themselves. */
const IMPLICIT =
  /^(?:fail|non\w|refus|den[iy]|lack|avoid|reject|declin|unable|un(?!d|i)\w{4,}|without|instead|rather)/;
const isImplicit = (item: Item): boolean => IMPLICIT.test(keyOf(item));

/**
 * Returns whether most items around a place are equal. Content of one text before the beginning or behind the end of
 * the other is not a difference.
 */
function agreesAround(at: number, { places, opposites }: Alignment): boolean {
  const place = places[at] as Place;
  const { left, right, before, after } = place;
  if (Math.max(left.length, right.length) > LONGEST) return false;
  const isOnly = places.every((each) => each === place || (each.isEdge && isOneSided(each)));
  if (before + after < (isOnly ? LEAST_CONTEXT : CONTEXT)) return false;
  let same = 0;
  let other = Math.max(
    plainWords(left) - wordsIn(left, opposites[0]).length,
    plainWords(right) - wordsIn(right, opposites[1]).length,
  );
  for (const step of [-1, 1]) {
    let reached = step < 0 ? before : after;
    for (let next = at + step; reached < REACH; next += step) {
      const neighbour = places[next];
      if (neighbour === undefined || neighbour.isEdge) break;
      other += differing(neighbour);
      reached += step < 0 ? neighbour.before : neighbour.after;
    }
    same += Math.min(reached, REACH);
  }
  return same / (same + other) >= AGREEMENT;
}

/** Content of only one text replaces no fact of the other. It counts as that many words. */
function differing({ left, right }: Place): number {
  if (isOneSided({ left, right })) return left.length + right.length;
  return Math.max(plainWords(left), plainWords(right));
}

const isOneSided = ({ left, right }: Pick<Place, 'left' | 'right'>): boolean =>
  left.length === 0 || right.length === 0;
/** Counts words that are neither facts nor initials of names. */
export function plainWords(items: readonly Item[]): number {
  let count = 0;
  for (const { kind, key } of items) if (kind === undefined && !INITIAL.test(key)) count++;
  return count;
}
const INITIAL = /^[a-z]$/;
