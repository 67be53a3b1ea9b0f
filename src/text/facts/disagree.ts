import { factsOnlyInEach } from './facts.js';
import type { Facts } from './reader.js';

/**
 * Returns whether a text must not be evicted as redundant beside the other. This is wider than a contradiction, because
 * keeping a text costs little. Two texts disagree if each states a fact that the other lacks, if one denies more than the
 * other, or if the same words are in another order. A text that only adds content does not disagree.
 */
export function disagree(a: Facts, b: Facts): boolean {
  const sides = factsOnlyInEach(a, b);
  if (sides.some((side) => side.some(({ kind }) => kind === 'negation'))) return true;
  // "C" and "C++": nothing but a sign differs.
  if (a.signs !== b.signs && sides.flat().every(({ kind }) => kind === 'sign')) return true;
  // A script without capitals: every word may be a name.
  const isName = ({ kind, key }: { kind: string; key: string }) =>
    kind === 'name' && !/[\u3400-\u9fff]/.test(key);
  // A number may be part of a date, and a unit is part of a number.
  if (
    sides.every((side) => side.some(isName)) ||
    sides.every((side) => side.some(({ kind }) => kind !== 'name'))
  )
    return true;
  const keysOf = ({ items }: Facts) => items.map(({ key }) => key);
  const [left, right] = [keysOf(a), keysOf(b)];
  return left.join('\n') !== right.join('\n') && left.sort().join('\n') === right.sort().join('\n');
}
