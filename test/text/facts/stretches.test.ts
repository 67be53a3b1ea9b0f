import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Cells, type Stretch, stretchesOf } from '../../../src/text/facts/stretches.js';

/** The formula as it is written, with a value for each pair of ends; then the way along the greatest values. */
function naive(a: readonly number[], b: readonly number[]): Stretch[] {
  const known = new Map<string, [apart: number, behind: number]>();
  const at = (row: number, column: number): [apart: number, behind: number] => {
    const key = `${row} ${column}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (row >= a.length || column >= b.length) return [0, 0];
    const skipped = Math.max(at(row + 1, column)[0], at(row, column + 1)[0]);
    const same = a[row] === b[column] ? 16 + at(row + 1, column + 1)[1] : 0;
    const apart = Math.max(skipped, same - 1);
    const found: [number, number] = [apart, Math.max(apart, same)];
    known.set(key, found);
    return found;
  };
  const stretches: Stretch[] = [];
  let [row, column] = [0, 0];
  while (row < a.length || column < b.length) {
    const [from, to] = [row, column];
    for (;;) {
      if (row < a.length && at(row, column)[0] === at(row + 1, column)[0]) row++;
      else if (column < b.length && at(row, column)[0] === at(row, column + 1)[0]) column++;
      else break;
    }
    if (row > from || column > to) stretches.push({ left: [from, row], right: [to, column] });
    const first = row;
    while (row < a.length && column < b.length && a[row] === b[column]) {
      const [apart, behind] = at(row, column);
      if (row > first && behind === apart) break;
      row++;
      column++;
    }
  }
  return stretches;
}

const LETTERS = 12;
/** Some letters are frequent, and some are in one sequence only. */
const letter = fc.tuple(fc.nat(LETTERS - 1), fc.nat(LETTERS - 1)).map(([a, b]) => Math.min(a, b));
const sequence = fc.array(letter, { maxLength: 14 });
/** The second is the first with changes, or another sequence. */
const pair = fc.oneof(
  fc.tuple(sequence, sequence),
  fc.tuple(sequence, sequence, fc.nat(14), fc.nat(5)).map(([a, b, at, length]) => {
    return [a, [...a.slice(0, at), ...b.slice(0, length), ...a.slice(at + length)]] as [number[], number[]];
  }),
);

const SURE = 8;
/** Whether the sequences are searched, because no common beginning or end is long, or all of one of them. */
function isSearched(a: readonly number[], b: readonly number[]): boolean {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let cut = 0;
  while (cut < most - start && a.at(-1 - cut) === b.at(-1 - cut)) cut++;
  return start < SURE && cut < SURE && start + cut < most;
}

test('stretches are those of the formula', () => {
  let compared = 0;
  const zeros = new Int32Array(LETTERS);
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const stretches = stretchesOf(Int32Array.from(a), Int32Array.from(b), zeros) as Stretch[];
      expect(zeros.every((each) => each === 0)).toBe(true);
      const without = (all: readonly number[], side: 'left' | 'right') =>
        all.filter((_, at) => !stretches.some((each) => each[side][0] <= at && at < each[side][1]));
      expect(without(a, 'left')).toEqual(without(b, 'right'));
      if (!isSearched(a, b)) return;
      compared++;
      expect(stretches).toEqual(naive(a, b));
    }),
    { numRuns: 3000, seed: 1 },
  );
  expect(compared).toBeGreaterThan(500);
});

/** A text, and the same with changes; of few words, or of words that it mostly has once. */
const nearCopy = fc
  .tuple(
    fc.integer({ min: 2, max: 400 }),
    fc.integer({ min: 1, max: 80 }),
    fc.double({ min: 0, max: 0.4, noNaN: true }),
  )
  .chain(([words, length, share]) =>
    fc
      .array(fc.tuple(fc.nat(words), fc.nat(words), fc.double({ min: 0, max: 1, noNaN: true })), {
        maxLength: length,
      })
      .map((all) => [
        all.map(([word]) => word),
        all.flatMap(([word, other, chance]) => {
          if (chance > share) return [word];
          return chance < share / 3 ? [] : chance < share / 2 ? [word, other] : [other];
        }),
      ]),
  );

test('near-copies: the band of the tables holds the best way', () => {
  const zeros = new Int32Array(402);
  const full = { cells: 0, taken: 0 };
  fc.assert(
    fc.property(nearCopy, ([a = [], b = []]) => {
      const cells = new Cells();
      const stretches = stretchesOf(Int32Array.from(a), Int32Array.from(b), zeros, cells);
      if (!isSearched(a, b)) return;
      expect(stretches).toEqual(naive(a, b));
      full.cells += (a.length + 1) * (b.length + 1);
      full.taken += new Cells().left - cells.left;
    }),
    { numRuns: 2000, seed: 1 },
  );
  expect(full.taken).toBeGreaterThan(0);
  expect(full.taken).toBeLessThan(full.cells / 2);
});

test('without tables, the stretches are those between anchors', () => {
  const zeros = new Int32Array(402);
  fc.assert(
    fc.property(fc.oneof(nearCopy, pair), ([a = [], b = []]) => {
      const cells = new Cells(0);
      const stretches = stretchesOf(Int32Array.from(a), Int32Array.from(b), zeros, cells);
      const without = (all: readonly number[], side: 'left' | 'right') =>
        all.filter((_, at) => !stretches.some((each) => each[side][0] <= at && at < each[side][1]));
      expect(without(a, 'left')).toEqual(without(b, 'right'));
      expect(zeros.every((each) => each === 0)).toBe(true);
      expect(cells.left).toBe(0);
    }),
    { numRuns: 2000, seed: 1 },
  );
  const [one, other] = ['a b c d e f g', 'a x b c y d e f g'].map((text) =>
    Int32Array.from(text.split(' '), (word) => word.charCodeAt(0)),
  ) as [Int32Array, Int32Array];
  expect(stretchesOf(one, other, zeros, new Cells(0))).toEqual(stretchesOf(one, other, zeros));
});

test('a table that would be too large is not made', () => {
  const zeros = new Int32Array(1201);
  const words = Array.from({ length: 1200 }, (_, at) => at % 2);
  const [one, other] = [Int32Array.from(words), Int32Array.from([0, 0, 0, 1, 1, 1, ...words])];
  const cells = new Cells();
  stretchesOf(one, other.reverse(), zeros, cells);
  expect(cells).toEqual({ left: new Cells().left, isSpent: true });
});
