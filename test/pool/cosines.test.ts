import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../src/input/options.js';
import { toCandidates } from '../../src/input/to-candidates.js';
import { condensedIndex } from '../../src/math/linkage.js';
import { Cosines } from '../../src/pool/cosines.js';

const candidatesOf = (n: number) =>
  toCandidates(
    {
      query: '',
      chunks: Array.from({ length: n }, (_, at) => ({
        id: `c${at}`,
        text: '',
        embedding: [1, 2, 3, 4, 5].map((axis) => Math.sin(at * axis + axis)),
      })),
    },
    resolveOptions(),
  ).candidates;

describe.each([
  ['few candidates, whose cosines are kept', 300],
  ['many, whose cosines are computed where they are asked for', 2100],
])('of %s', (_, n) => {
  const candidates = candidatesOf(n);

  test('all ways to ask give the cosine, off by no more than is said', async () => {
    const cosines = new Cosines();
    cosines.pack(candidates);
    const others = Int32Array.of(n - 1, 0, 7, 150);
    for (const slot of [0, 1, 127, 128, 200, n - 2, n - 1, 5]) {
      const expectNear = (found: number | undefined, other: number) =>
        expect(Math.abs((found as number) - cosines.exact(slot, other))).toBeLessThanOrEqual(
          cosines.rounding,
        );
      for (const [at, found] of cosines.between(slot, others).entries())
        expectNear(found, others[at] as number);
    }
    const among = cosines.among(others);
    for (const [i, a] of others.entries()) {
      for (const [j, b] of others.entries()) {
        if (i === j) continue;
        const found = among[condensedIndex(others.length, i, j)] as number;
        expect(Math.abs(found - cosines.exact(a, b))).toBeLessThanOrEqual(cosines.rounding);
      }
    }
  });

  test('a part of the pool, in another order, has the slots that it had', async () => {
    const cosines = new Cosines();
    cosines.pack(candidates);
    const part = candidates.filter(({ index }) => index % 3 === 1).toReversed();
    cosines.pack(part);
    expect(part.map((each) => cosines.slotOf(each))).toEqual(part.map(({ index }) => index));
  });
});
