import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NearSets } from '../../src/math/near-sets.js';

const SIZE = 40;
/** Small numbers are in many lists, as common words are. */
const element = fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1)).map(([a, b]) => Math.min(a, b));
const list = fc.array(element, { maxLength: 20 });
const pool = fc
  .array(
    fc.oneof(
      list.map((fresh) => ({ fresh, copied: 0 })),
      fc.record({ fresh: fc.array(element, { maxLength: 3 }), copied: fc.double({ min: 0.5, max: 1 }) }),
    ),
    { maxLength: 30 },
  )
  .map((drafts) => {
    const lists: Int32Array[] = [];
    for (const { fresh, copied } of drafts) {
      const previous = lists.at(-1) ?? new Int32Array(0);
      lists.push(Int32Array.from([...previous.subarray(0, previous.length * copied), ...fresh]));
    }
    return lists;
  });

function jaccard(a: Int32Array, b: Int32Array): number {
  const [left, right] = [new Set(a), new Set(b)];
  const shared = [...left].filter((each) => right.has(each)).length;
  return shared === 0 ? 0 : shared / (left.size + right.size - shared);
}

describe('near sets', () => {
  const least = fc.oneof(fc.constantFrom(-0.5, 0, 1 / 3, 0.5, 2 / 3, 0.94, 1), fc.double({ min: 0, max: 1 }));

  test('are the nearest that are as similar as that, among those that were added and are admitted', () => {
    let near = 0;
    let farther = 0;
    fc.assert(
      fc.property(pool, least, fc.nat(3), fc.integer({ min: 1, max: 8 }), (lists, bound, every, most) => {
        fc.pre(Number.isFinite(bound));
        const sets = NearSets.of(lists, SIZE, bound);
        const added: number[] = [];
        const admits = (place: number) => place % 5 !== 1;
        for (const [place, own] of lists.entries()) {
          const all = added.map((other) => ({ place: other, similarity: jaccard(own, lists[other]!) }));
          for (const { place: other, similarity } of all) {
            expect(sets.similarity(place, other)).toBe(similarity);
          }
          const expected = all
            .filter(({ place: other, similarity }) => admits(other) && similarity >= bound - 1e-9)
            .sort((a, b) => b.similarity - a.similarity || a.place - b.place);
          const nearest = expected.slice(0, most).sort((a, b) => a.place - b.place);
          expect(sets.nearest(place, most, admits)).toEqual(
            nearest.map(({ place: other, similarity }) => ({ place: other, distance: 1 - similarity })),
          );
          near += nearest.length;
          farther += expected.length - nearest.length;
          if (place % (every + 1) === 0) {
            sets.add(place);
            added.push(place);
          }
        }
      }),
      { numRuns: 2000, seed: 1 },
    );
    expect(near).toBeGreaterThan(2000);
    expect(farther).toBeGreaterThan(1000);
  });
});
