/** Aligns two statements by their words with substance and their facts. */
import { lcs } from '../../math/lcs.js';
import { isConnective } from './opposites.js';
import { type Facts, type Item, keyOf } from './reader.js';
import { isGlue, isParticle } from './statement-words.js';

/** A part in which two aligned statements differ. One side may be empty. */
export interface Place {
  readonly left: readonly Item[];
  readonly right: readonly Item[];
  /** Number of equal items directly before and after. */
  readonly before: number;
  readonly after: number;
}

export interface Alignment {
  /** In order. */
  readonly places: readonly Place[];
  /** Number of equal items. */
  readonly same: number;
}

/** Longer statements are lists, or texts without stops. In items. */
const LONGEST = 400;

export function alignmentOf(a: Facts, b: Facts): Alignment {
  const connectives = new Set(differing(a, b).filter(isConnective));
  const aligned = ({ items }: Facts) =>
    items.filter((item) => counts(item) || connectives.has(keyOf(item))).slice(0, LONGEST);
  const [left, right] = [aligned(a), aligned(b)];
  const numbers = new Map<string, number>();
  const keysOf = (items: readonly Item[]) =>
    items.map(({ key }) => {
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return known;
    });
  const pairs = lcs(keysOf(left), keysOf(right));
  const stretches: { left: [number, number]; right: [number, number] }[] = [];
  let [at, from] = [0, 0];
  for (const [one, other] of [...pairs, [left.length, right.length] as const]) {
    if (one > at || other > from) stretches.push({ left: [at, one], right: [from, other] });
    [at, from] = [one + 1, other + 1];
  }
  const moved = movedIn(
    stretches.map((each) => left.slice(...each.left)),
    stretches.map((each) => right.slice(...each.right)),
  );
  const places = stretches.map((each, place): Place => {
    const next = stretches[place + 1]?.left[0] ?? left.length;
    return {
      left: moved(left.slice(...each.left), 0),
      right: moved(right.slice(...each.right), 1),
      before: each.left[0] - (stretches[place - 1]?.left[1] ?? 0),
      after: next - each.left[1],
    };
  });
  return { places: places.filter((each) => each.left.length + each.right.length > 0), same: pairs.length };
}

const counts = ({ key, kind }: Item): boolean =>
  !isParticle(key) && !(isGlue(key) && (kind ?? 'name') === 'name');

/** Returns the words that one text has more often than the other. */
function differing({ known: a }: Facts, { known: b }: Facts): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((word) => (a.get(word) ?? 0) !== (b.get(word) ?? 0));
}

/** Returns a function that leaves out the items of a side that stand at another place of the other statement. */
function movedIn(
  left: readonly (readonly Item[])[],
  right: readonly (readonly Item[])[],
): (items: readonly Item[], side: 0 | 1) => Item[] {
  const count = (all: readonly (readonly Item[])[]) => {
    const found = new Map<string, number>();
    for (const { key } of all.flat()) found.set(key, (found.get(key) ?? 0) + 1);
    return found;
  };
  const [ours, theirs] = [count(left), count(right)];
  const both = [0, 1].map(
    () => new Map(Array.from(ours, ([key, times]) => [key, Math.min(times, theirs.get(key) ?? 0)])),
  );
  return (items, side) =>
    items.filter(({ key }) => {
      const left = both[side]?.get(key) ?? 0;
      both[side]?.set(key, left - 1);
      return left <= 0;
    });
}
