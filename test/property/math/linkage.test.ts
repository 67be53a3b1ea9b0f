import fc from 'fast-check';
import { type AgglomerationMethod, agnes } from 'ml-hclust';
import { describe, expect, it } from 'vitest';
import { LINKAGES } from '../../../src/input/options.js';
import { condensedIndex, cut, linkage, type Merge } from '../../../src/math/linkage.js';

/** The n (n - 1) / 2 distances of all pairs i < j, row by row: (0, 1), (0, 2), .., (n-2, n-1). */
function condensedDistances(n: number, distance: (i: number, j: number) => number): Float64Array {
  const packed = new Float64Array((n * (n - 1)) / 2);
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) packed[at++] = distance(i, j);
  }
  return packed;
}

/** mulberry32: numbers in 0..1, the same for a seed on every machine. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const onLine = (...xs: number[]) => condensedDistances(xs.length, (i, j) => Math.abs(xs[i]! - xs[j]!));
/** Half the squared distances, for Ward's linkage. */
const halfSquaresOnLine = (...xs: number[]) =>
  condensedDistances(xs.length, (i, j) => (xs[i]! - xs[j]!) ** 2 / 2);

const size = fc.integer({ min: 2, max: 40 });
/** Uniform distances, distinct, mostly not a metric. */
const matrix = fc.tuple(size, fc.integer()).map(([n, seed]) => {
  const random = generator(seed);
  const distances = condensedDistances(n, random);
  expect(new Set(distances).size).toBe(distances.length);
  return { n, distances };
});
/** Few different distances, so that there are ties everywhere, and they are not exact in binary. */
const tied = fc
  .tuple(fc.integer({ min: 2, max: 24 }), fc.integer({ min: 1, max: 4 }), fc.integer())
  .map(([n, kinds, seed]) => {
    const random = generator(seed);
    return { n, distances: condensedDistances(n, () => 0.1 * Math.floor(random() * kinds)) };
  });
const SEEDED = { seed: 20240917, numRuns: 60 };

function canonical(labels: readonly number[]): number[] {
  const order = [...new Set(labels)];
  return labels.map((label) => order.indexOf(label));
}

const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);
const heightsOf = (nodes: readonly { height: number }[]) => ascending(nodes.map(({ height }) => height));

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [i, value] of actual.entries()) {
    expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1e-9 * Math.max(Math.abs(expected[i]!), 1e-3));
  }
}

/** Below all heights, above all, and between some: never so close to one that rounding could decide. */
function cutsBetween(heights: readonly number[]): number[] {
  const gaps = heights.slice(1).flatMap((high, i) => {
    const low = heights[i]!;
    return high - low > 1e-7 ? [(high + low) / 2] : [];
  });
  const some = gaps.filter((_, i) => i % Math.ceil(gaps.length / 8) === 0);
  return [heights[0]! / 2, ...some, heights.at(-1)! * 1.5];
}

function expectTree(n: number, merges: readonly Merge[]): void {
  const sizes = Array.from({ length: n }, () => 1);
  const used = new Set<number>();
  for (const { a, b, size: total } of merges) {
    expect(a).toBeLessThan(b);
    expect(total).toBe(sizes[a]! + sizes[b]!);
    used.add(a).add(b);
    sizes.push(total);
  }
  expect(merges.length).toBe(Math.max(0, n - 1));
  expect(used.size).toBe(2 * merges.length);
}

describe('trees worked by hand', () => {
  type Subtree = [leaves: number[], height: number];
  const chained = (first: number, second: number, third: number): Subtree[] => [
    [[0, 1], first],
    [[0, 1, 2], second],
    [[0, 1, 2, 3], third],
  ];
  const paired = (first: number, second: number, third: number): Subtree[] => [
    [[0, 1], first],
    [[2, 3], second],
    [[0, 1, 2, 3], third],
  ];
  const plain = { chain: onLine(0, 1, 3, 7), pairs: onLine(0, 1, 4, 6) };
  const halved = { chain: halfSquaresOnLine(0, 1, 3, 7), pairs: halfSquaresOnLine(0, 1, 4, 6) };

  function subtrees(n: number, merges: readonly Merge[]): Subtree[] {
    const leaves = Array.from({ length: n }, (_, i) => [i]);
    for (const { a, b } of merges) leaves.push(ascending([...leaves[a]!, ...leaves[b]!]));
    return merges.map(({ height }, i): Subtree => [leaves[n + i]!, height]);
  }

  it.each([
    ['single', plain, chained(1, 2, 4), paired(1, 2, 3)],
    ['complete', plain, chained(1, 3, 7), paired(1, 2, 6)],
    ['average', plain, chained(1, 2.5, 17 / 3), paired(1, 2, 4.5)],
    ['ward', halved, chained(1 / 2, 25 / 6, 289 / 12), paired(1 / 2, 2, 81 / 4)],
  ] as const)('%s, four points on a line', (method, { chain, pairs }, ifChained, ifPaired) => {
    for (const [distances, expected] of [
      [chain, ifChained],
      [pairs, ifPaired],
    ] as const) {
      const merges = linkage(4, distances, method);
      expectTree(4, merges);
      const actual = subtrees(4, merges);
      expect(actual.map(([leaves]) => leaves)).toEqual(expected.map(([leaves]) => leaves));
      expectClose(
        actual.map(([, height]) => height),
        expected.map(([, height]) => height),
      );
    }
  });

  it.each(LINKAGES)('%s lists merges by height, though the chain found the higher one first', (method) => {
    expect(linkage(4, onLine(0, 3, 10, 11), method)).toMatchObject([
      { a: 2, b: 3, height: 1, size: 2 },
      { a: 0, b: 1, height: 3, size: 2 },
      { a: 4, b: 5, size: 4 },
    ]);
  });

  it.each(LINKAGES)('%s, fewer than three points', (method) => {
    for (const n of [0, 1]) {
      const merges = linkage(n, new Float64Array(0), method);
      expect(merges).toEqual([]);
      expect(cut(n, merges, 1)).toEqual(new Int32Array(n));
    }
    const merges = linkage(2, Float64Array.of(0.3), method);
    expect(merges).toEqual([{ a: 0, b: 1, height: 0.3, size: 2 }]);
    expect([...cut(2, merges, 0.29)]).toEqual([0, 1]);
    expect([...cut(2, merges, 0.3)]).toEqual([0, 0]);
  });
});

describe('against ml-hclust', () => {
  const square = (n: number, distances: Float64Array) =>
    Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (_, j) => (i === j ? 0 : distances[condensedIndex(n, i, j)]!)),
    );

  function expectAsAgnes(
    n: number,
    distances: Float64Array,
    merges: Merge[],
    method: AgglomerationMethod,
  ): void {
    const tree = agnes(square(n, distances), { method, isDistanceMatrix: true });
    const heights: number[] = [];
    tree.traverse((cluster) => !cluster.isLeaf && heights.push(cluster.height));
    heights.sort((a, b) => a - b);
    expectClose(heightsOf(merges), heights);
    for (const at of cutsBetween(heights).filter((distance) => distance >= 0)) {
      const labels: number[] = [];
      for (const cluster of tree.cut(at)) {
        for (const leaf of cluster.indices()) labels[leaf] = Math.min(...cluster.indices());
      }
      expect([...cut(n, merges, at)]).toEqual(canonical(labels));
    }
  }

  it.each(LINKAGES)('%s', (method) => {
    fc.assert(
      fc.property(matrix, ({ n, distances }) => {
        const merges = linkage(n, distances, method);
        expectTree(n, merges);
        expectAsAgnes(n, distances, merges, method);
      }),
      SEEDED,
    );
  });

  it('ward2 is the root of ward over squares', () => {
    fc.assert(
      fc.property(matrix, ({ n, distances }) => {
        const merges = linkage(
          n,
          distances.map((distance) => distance ** 2),
          'ward',
        );
        const rooted = merges.map((merge) => ({ ...merge, height: Math.sqrt(merge.height) }));
        expectAsAgnes(n, distances, rooted, 'ward2');
      }),
      SEEDED,
    );
  });
});

describe('ties', () => {
  it.each(LINKAGES)('%s: equal distances all merge at exactly that height', (method) => {
    for (const n of [2, 4, 37]) {
      const merges = linkage(
        n,
        condensedDistances(n, () => 0.1),
        method,
      );
      expectTree(n, merges);
      expect(merges.every(({ height }) => height === 0.1)).toBe(true);
      expect(new Set(cut(n, merges, 0.1))).toEqual(new Set([0]));
    }
    const pairs = linkage(
      4,
      condensedDistances(4, () => 0.1),
      method,
    ).map(({ a, b }) => [a, b]);
    expect(pairs).toEqual([
      [0, 1],
      [2, 4],
      [3, 5],
    ]);
  });

  it('prefer the cluster that the chain came from over a lower index', () => {
    // 0 leads to 2, 2 to 3; 3 is as near to 1 as to 2. Then 1 is as near to {2, 3} as to 0.
    expect(linkage(4, Float64Array.of(4, 3, 5, 4, 2, 2), 'complete')).toEqual([
      { a: 2, b: 3, height: 2, size: 2 },
      { a: 0, b: 1, height: 4, size: 2 },
      { a: 4, b: 5, height: 5, size: 4 },
    ]);
  });

  it.each(LINKAGES)('%s: duplicates join at height 0', (method) => {
    const merges = linkage(6, halfSquaresOnLine(5, 1, 5, 1, 9, 5), method);
    expectTree(6, merges);
    expect([...cut(6, merges, 0)]).toEqual([0, 1, 0, 1, 2, 0]);
  });

  it.each(LINKAGES)('%s: no merge is lower than its children, not even by rounding', (method) => {
    fc.assert(
      fc.property(tied, ({ n, distances }) => {
        const merges = linkage(n, distances, method);
        expectTree(n, merges);
        const heights = merges.map(({ height }) => height);
        for (const { a, b, height } of merges) {
          expect(height).toBeGreaterThanOrEqual(Math.max(heights[a - n] ?? 0, heights[b - n] ?? 0));
        }
        expect(heights).toEqual(ascending(heights));
      }),
      SEEDED,
    );
  });
});

describe('every linkage', () => {
  const either = fc.oneof(matrix, tied);

  it.each(LINKAGES)('%s gives the same tree twice and leaves its input alone', (method) => {
    fc.assert(
      fc.property(either, ({ n, distances }) => {
        const before = distances.slice();
        const merges = linkage(n, distances, method);
        expect(distances).toEqual(before);
        expect(linkage(n, distances, method)).toEqual(merges);
      }),
      SEEDED,
    );
  });

  it.each(LINKAGES)('%s: clusters do not depend on the order of the points', (method) => {
    fc.assert(
      fc.property(matrix, fc.integer(), ({ n, distances }, seed) => {
        const random = generator(seed);
        const keys = Array.from({ length: n }, random);
        const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => keys[i]! - keys[j]!);
        const permuted = condensedDistances(n, (i, j) => distances[condensedIndex(n, order[i]!, order[j]!)]!);
        const merges = linkage(n, distances, method);
        const mergesPermuted = linkage(n, permuted, method);
        for (const at of cutsBetween(heightsOf(merges))) {
          const labels = cut(n, merges, at);
          expect([...cut(n, mergesPermuted, at)]).toEqual(canonical(order.map((leaf) => labels[leaf]!)));
        }
      }),
      SEEDED,
    );
  });
});
