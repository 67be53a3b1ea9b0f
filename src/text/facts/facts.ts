/**
 * Finds facts that forbid a merge: numbers, dates, units, names, negations and signs.
 *
 * Two texts can share nearly all of their words and still contradict each other: "30 mg" and "50 mg", "is" and "is
 * not". Each text is read once, in linear time, into the set of its facts in a folded form, so that "1,000" and "1000",
 * "May 8, 2023" and "2023-05-08", "don't" and "do not" are equal. Pairs of texts are then compared by set difference.
 *
 * The reading is biased: a false difference costs a merge, a missed difference costs a fact. An uncertain fact (a
 * capital at the start of a sentence, a word of a script without capitals, "one", "yesterday") is *weak*: it counts
 * only in a swap, in which each text has such a fact that the other lacks. The same holds for opposites ("rose" and
 * "fell", "valid" and "invalid"), which count as negations. Folding removes letter case, except in units that differ
 * from others only in case (`unit-case`). Number words, date words and opposites are English (month names of seven more
 * languages are recognised beside a number); other negations are those of forty languages.
 *
 * A text passes through these steps: one spelling (`spelling`), signs (`signs`), tokens (`tokens`, `caseless`), facts (`reader`, which
 * asks one file for each kind of fact whether a fact starts at a token, and where it ends). `sequence` decides whether
 * texts without a difference say the same; it uses all words and their order.
 */
import type { FactKind } from '../../types.js';
import { swappedOpposites } from './opposites.js';
import { type Facts, readFacts } from './reader.js';
import { signsIn } from './signs.js';
import { oneSpelling } from './spelling.js';
import { tokensIn } from './tokens.js';

export const KINDS: readonly FactKind[] = ['number', 'date', 'unit', 'name', 'negation', 'sign', 'word'];

/** Kinds of facts whose folded form may be a plain word of the other text. */
const SPELLED: ReadonlySet<FactKind> = new Set(['name', 'number']);

type Missing = { key: string; kind: FactKind; weak: boolean };

/** Returns the facts of each of two texts that the other lacks or has less often. */
export function factsOnlyInEach(a: Facts, b: Facts): [Missing[], Missing[]] {
  const [ours, theirs] = swappedOpposites(a, b);
  return [factsOnlyIn(a, b, ours), factsOnlyIn(b, a, theirs)];
}

/**
 * Returns the facts of `a` that `b` lacks or has less often. The latter are weak: in "30 mg, then 30 mg, then 50 mg"
 * one changed dose leaves the set of doses unchanged. A number that `b` has with another unit is a difference of units.
 */
function factsOnlyIn(a: Facts, b: Facts, swapped: ReadonlySet<string>): Missing[] {
  const found: Missing[] = [];
  const opposites = new Set(swapped);
  for (const [key, { kind, weak, count, number }] of a.facts) {
    // "Enable it" contains no name.
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

/** Returns the count of a key, or 0. */
export function countOf(counts: ReadonlyMap<string, number>, key: string): number {
  return counts.get(key) ?? 0;
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Reads the facts of a text. It never throws. An empty text has no facts. */
export function factsOf(text: string): Facts {
  const plain = oneSpelling(text);
  const signs = signsIn(plain);
  return readFacts(
    tokensIn(
      plain,
      signs.filter(({ isFact }) => isFact),
    ),
    signs,
  );
}
