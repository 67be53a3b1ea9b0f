import { haveOpposites } from './opposites.js';
import { type Facts, type Item, keyOf } from './reader.js';

/**
 * Returns whether a text must not be evicted as redundant beside the other. This is wider than a contradiction, because
 * keeping a text costs little. A text that only adds content does not disagree. Two texts disagree
 *
 * - if each states a fact that the other lacks;
 * - if one denies more than the other;
 * - if a word of each is the opposite of one of the other;
 * - if the same words are in another order.
 */
export function disagree(a: Facts, b: Facts): boolean {
  if (a.negations !== b.negations || haveOpposites(a.known, b.known)) return true;
  const [ours, theirs] = [timesOf(a), timesOf(b)];
  const sides = [onlyIn(a, b, ours, theirs), onlyIn(b, a, theirs, ours)];
  const all = sides.flat();
  // "C" and "C++": nothing but a sign differs.
  if (all.length > 0 && all.every(({ kind }) => kind === 'sign')) return true;
  // A script without capitals: every word may be a name. A number may be part of a date, and a unit is part of a number.
  const isName = ({ kind, key }: Item) => kind === 'name' && !/[\u3400-\u9fff]/.test(key);
  const isOther = ({ kind }: Item) => kind !== 'name';
  if (sides.every((side) => side.some(isName)) || sides.every((side) => side.some(isOther))) return true;
  const haveSame = ours.size === theirs.size && [...ours].every(([key, times]) => theirs.get(key) === times);
  return haveSame && a.items.some((item, at) => item.key !== b.items[at]?.key);
}

/** Returns the facts that `a` has more often than `b`, each once. A name here may be no name there. */
function onlyIn(a: Facts, b: Facts, ours: Times, theirs: Times): Item[] {
  const facts = new Map(a.items.map((item) => [item.key, item]));
  return [...facts.values()].filter((item) => {
    const { key, kind } = item;
    if (kind === undefined || kind === 'negation') return false;
    const isSpelled = kind === 'name' || kind === 'number';
    const others = Math.max(theirs.get(key) ?? 0, isSpelled ? (b.known.get(keyOf(item)) ?? 0) : 0);
    return (ours.get(key) as number) > others;
  });
}

type Times = ReadonlyMap<string, number>;

function timesOf({ items }: Facts): Times {
  const times = new Map<string, number>();
  for (const { key } of items) times.set(key, (times.get(key) ?? 0) + 1);
  return times;
}
