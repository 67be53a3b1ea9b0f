/** Aligns two texts by their words of substance and their facts. */
import { type Numbered, numbered, oppositesOf } from './numbered.js';
import type { Swapped } from './opposites.js';
import { type Facts, type Item, keyOf } from './reader.js';
import { type Cells, stretchesOf } from './stretches.js';

/** Number of items that open a sentence: "Mount Serrat". */
export const OPENING = 2;

/** A stretch in which two aligned texts differ. */
export interface Place {
  readonly left: readonly Item[];
  readonly right: readonly Item[];
  /** Number of equal items directly before and after. */
  readonly before: number;
  readonly after: number;
  /** Whether the place is at the beginning of a sentence, or right behind the beginning. */
  readonly isSubject: boolean;
  /**
   * Whether nothing is equal before it or nothing behind it. There one text continues where the other begins or ends.
   */
  readonly isEdge: boolean;
  /** Items of each text that the other has nothing for: a heading, a citation, another sentence. */
  readonly added: readonly [left: readonly Item[], right: readonly Item[]];
}

/** Two texts, and where they differ. */
export interface Alignment {
  readonly a: Facts;
  readonly b: Facts;
  /** Whether one text has more negations than the other. A negation at another point does not count as one more. */
  readonly denials: boolean;
  readonly opposites: Swapped;
  /** In order. */
  readonly places: readonly Place[];
}

export function alignmentOf(a: Facts, b: Facts, cells?: Cells): Alignment {
  const [one, other] = numbered(a, b);
  const opposites = oppositesOf(a, b);
  const left = sideOf(a, one, opposites[0]);
  const right = sideOf(b, other, opposites[1]);
  const stretches = stretchesOf(left.keys, right.keys, one.numbering.counts, cells);
  const places = stretches.map((stretch, at) => {
    const end = stretches[at - 1]?.left[1] ?? 0;
    const next = stretches[at + 1]?.left[0] ?? left.keys.length;
    const before = stretch.left[0] - end;
    const after = next - stretch.left[1];
    const isStart = at === 0 && before <= 1;
    const isEnd = at === stretches.length - 1 && after <= 1;
    const isSubject = left.opensSentence(stretch.left[0]) && right.opensSentence(stretch.right[0]);
    const all = [left.items(...stretch.left), right.items(...stretch.right)] as const;
    if (!isStart && !isEnd) {
      return { left: all[0], right: all[1], added: NONE_ADDED, before, after, isSubject, isEdge: false };
    }
    const within = (side: Side, some: readonly Item[], [from, to]: readonly [number, number]) => {
      if (isStart === isEnd) return some;
      const { sentence } = side.item(isStart ? to : from - 1) as Item;
      return some.filter((item) => item.sentence === sentence);
    };
    const [ours, theirs] = [within(left, all[0], stretch.left), within(right, all[1], stretch.right)];
    return {
      left: ours,
      right: theirs,
      added: addedIn(all, ours, theirs),
      before,
      after,
      isSubject,
      isEdge: true,
    };
  });
  return { a, b, denials: one.denials !== other.denials, opposites, places };
}

const NONE_ADDED = [[], []] as const;

function addedIn(
  all: readonly [Item[], Item[]],
  ours: readonly Item[],
  theirs: readonly Item[],
): readonly [Item[], Item[]] {
  if (ours.length === 0 || theirs.length === 0) return all;
  const both = new Set([...ours, ...theirs]);
  return [all[0].filter((item) => !both.has(item)), all[1].filter((item) => !both.has(item))];
}

/** One text of two: its items without words that only hold sentences together, unless these are opposites. */
class Side {
  /** @param keys by place: the number of the item's key. */
  constructor(
    readonly text: Facts,
    readonly aligned: Uint32Array,
    readonly keys: Int32Array,
  ) {}

  item(place: number): Item | undefined {
    return this.text.items[this.aligned[place] as number];
  }

  items(from: number, to: number): Item[] {
    const found: Item[] = [];
    for (let place = from; place < to; place++) found.push(this.item(place) as Item);
    return found;
  }

  /** Returns whether the item is one of the first items of its sentence. */
  opensSentence(place: number): boolean {
    return place < OPENING || this.item(place - OPENING)?.sentence !== this.item(place)?.sentence;
  }
}

function sideOf(text: Facts, { keys, aligned, alignedKeys }: Numbered, opposites: ReadonlySet<string>): Side {
  if (opposites.size === 0) return new Side(text, aligned, alignedKeys);
  const places = new Uint32Array(keys.length);
  const own = new Int32Array(keys.length);
  let count = 0;
  let next = 0;
  for (const [at, item] of text.items.entries()) {
    if (aligned[next] === at) next++;
    else if (!opposites.has(keyOf(item))) continue;
    places[count] = at;
    own[count++] = keys[at] as number;
  }
  return new Side(text, places.subarray(0, count), own.subarray(0, count));
}
