/**
 * Facts that forbid a merge: numbers, dates, units, names and negations.
 *
 * Two texts can share nearly all of their words and still contradict each other: "30 mg" and "50 mg",
 * "is" and "is not". Each text is read once, in linear time, into the set of its facts in a folded form,
 * so that "1,000" and "1000", "May 8, 2023" and "2023-05-08", "don't" and "do not" are the same; pairs of
 * texts are then compared by set difference.
 *
 * The reading leans to one side: a difference that is none costs a merge, a missed one costs a fact. What
 * is only perhaps a fact (a capital at the start of a sentence, a word of a script without capitals,
 * "one", "yesterday") is *weak*: it counts only in a swap, where both texts have such a fact that the
 * other lacks. So do opposites ("rose" and "fell", "valid" and "invalid"), which are negations. Folding
 * covers letter case, so "5 mW" equals "5 MW". Number and date words and opposites are English (month names
 * of seven languages are known beside a number), other negations are those of eighteen languages.
 *
 * The way of a text: one spelling (`spelling`), tokens (`tokens`, `caseless`), facts
 * (`reader`, which asks one file per kind what starts at a token, and how far it goes). Whether texts without
 * a difference say the same is asked of `statement`, which sees all words and their order.
 */
import type { FactKind } from '../../types.js';
import { type Opposites, swappedOpposites } from './opposites.js';
import { readFacts } from './reader.js';
import { tokensOf } from './tokens.js';

/** What one text states, ready to be compared. Made by {@link factsOf}. */
export interface Facts {
  /** By folded form. */
  readonly facts: ReadonlyMap<string, Fact>;
  /** All words, stemmed, and facts, in order. */
  readonly items: readonly Item[];
  /** How often each folded word occurs: a name that the other text writes in lower case is not missing there. */
  readonly known: ReadonlyMap<string, number>;
  /** Numbers without their units, and how often each occurs. */
  readonly numbers: ReadonlyMap<string, number>;
  /** How often each occurs. */
  readonly negations: ReadonlyMap<string, number>;
  readonly opposites: Opposites;
  /** Made when the text is first compared by its statement. */
  counts?: ItemCounts;
}

/** How often each key occurs among items. */
export interface ItemCounts {
  readonly all: ReadonlyMap<string, number>;
  readonly ofSubstance: ReadonlyMap<string, number>;
  /** How many items are of substance. */
  readonly substance: number;
}

export interface Item {
  key: string;
  /** The word itself, where the key is its stem. */
  shown?: string;
  /** Of facts, and of what may be one. */
  kind?: FactKind;
  /** Which sentence or line of the text it is in. */
  sentence?: number;
}

export interface Fact {
  kind: FactKind;
  weak: boolean;
  count: number;
  /** Of a quantity: its number without the unit. */
  number?: string;
}

export interface FactDifference {
  /** At least one, in the order number, date, unit, name, negation. */
  kinds: FactKind[];
  /** The folded facts of those kinds that only the first, only the second text has, sorted. */
  differences: [string[], string[]];
}

export const KINDS: readonly FactKind[] = ['number', 'date', 'unit', 'name', 'negation'];

/** What two texts state differently, or `undefined`. Swapping the texts swaps the sides, nothing else. */
export function factDifferences(a: Facts, b: Facts): FactDifference | undefined {
  const onlyA = factsOnlyIn(a, b);
  const onlyB = factsOnlyIn(b, a);
  const kinds = KINDS.filter((kind) => {
    const both = [onlyA, onlyB].map((side) => side.filter((fact) => fact.kind === kind));
    return both.every((side) => side.length > 0) || both.flat().some((fact) => !fact.weak);
  });
  if (kinds.length === 0) return undefined;
  const shown = (side: Missing[]): string[] =>
    side
      .filter((fact) => kinds.includes(fact.kind))
      .map((fact) => fact.key)
      .sort();
  return { kinds, differences: [shown(onlyA), shown(onlyB)] };
}

/** Kinds whose folded form may be a plain word of the other text. */
const SPELLED: ReadonlySet<FactKind> = new Set(['name', 'number']);

type Missing = { key: string; kind: FactKind; weak: boolean };

/**
 * The facts of `a` that `b` lacks, or has less often, which is weak: in "30 mg, then 30 mg, then 50 mg" one
 * changed dose leaves the set of doses as it is. A number that `b` has with another unit differs in its unit.
 */
export function factsOnlyIn(a: Facts, b: Facts): Missing[] {
  const found: Missing[] = [];
  const opposites = swappedOpposites(a, b);
  for (const [key, { kind, weak, count, number }] of a.facts) {
    // "Enable it" has no name.
    if (weak && opposites.has(key)) continue;
    opposites.delete(key);
    const others = Math.max(b.facts.get(key)?.count ?? 0, (SPELLED.has(kind) && b.known.get(key)) || 0);
    if (count <= others) continue;
    const sameNumber = number !== undefined && countOf(b.numbers, number) >= countOf(a.numbers, number);
    found.push({ key, kind: sameNumber ? 'unit' : kind, weak: weak || others > 0 });
  }
  for (const key of opposites) found.push({ key, kind: 'negation', weak: false });
  if (total(a.negations) === total(b.negations)) return found;
  for (const [key, count] of a.negations) {
    if (count > countOf(b.negations, key)) found.push({ key, kind: 'negation', weak: false });
  }
  return found;
}

export function countOf(counts: ReadonlyMap<string, number>, key: string): number {
  return counts.get(key) ?? 0;
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Reads the facts of a text. Never throws; an empty text has none. */
export function factsOf(text: string): Facts {
  return readFacts(tokensOf(text));
}
