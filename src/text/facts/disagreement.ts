/**
 * Whether a text may not go for being redundant beside another one: wider than a contradiction, for to keep a text costs
 * little. Each states a fact that the other lacks, one denies more than the other, or the same words stand in another
 * order. A text that only says more, or says the same in other words, does not disagree.
 */
import { HAN, saysOtherwise } from './contradiction.js';
import { type Facts, factsOnlyIn } from './facts.js';
import { isTurnedRound } from './statement.js';

/** Do two texts disagree? In either order the same. */
export function disagree(a: Facts, b: Facts): boolean {
  const sides = [factsOnlyIn(a, b), factsOnlyIn(b, a)];
  if (sides.some((side) => side.some(({ kind }) => kind === 'negation'))) return true;
  // A date may be told in a number, and a unit is part of one.
  const isName = ({ kind, key }: { kind: string; key: string }) => kind === 'name' && !HAN().test(key);
  if (sides.every((side) => side.some(isName))) return true;
  if (sides.every((side) => side.some(({ kind }) => kind !== 'name'))) return true;
  return isTurnedRound(a, b) || saysOtherwise(a, b);
}
