import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cosines, gram, type Packed, pack } from '../../src/math/gram/gram.js';
import { kernel, simdKernel } from '../../src/math/gram/kernel.js';
import { MODULE } from '../../src/math/gram/simd-module.js';
import { condensedIndex } from '../../src/math/linkage.js';
import { dot, packVector } from '../../src/math/vectors.js';

/** Numbers in -1..1 that look random: xorshift. */
function* noise(seed: number): Generator<number, never> {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  while (true) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state / 2 ** 31;
  }
}

/** Unit vectors; among them zeros, copies and opposites of the one before, and components that underflow. */
function vectorsOf({ n, d, seed }: { n: number; d: number; seed: number }): Float32Array[] {
  const numbers = noise(seed);
  const vectors: Float32Array[] = [];
  for (let i = 0; i < n; i++) {
    const kind = Math.floor(Math.abs(numbers.next().value) * 10);
    const previous = vectors.at(-1);
    const components = Float64Array.from({ length: d }, (_, k) => {
      if (kind === 0) return 0;
      if (kind === 1 && previous) return previous[k] as number;
      if (kind === 2 && previous) return -(previous[k] as number);
      return numbers.next().value * (kind === 3 && k % 3 > 0 ? 1e-30 : 1);
    });
    vectors.push(packVector(components, 'v'));
  }
  return vectors;
}

const shape = (most: { n: number; d: number }) =>
  fc.record({
    n: fc.integer({ min: 0, max: most.n }),
    d: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: most.d })),
    seed: fc.integer(),
  });

/** Most that a cosine may be off, of vectors that are of unit length but for the rounding of components. */
const errorBound = (d: number) => (Math.min(Math.ceil(d / 4), 128) + Math.ceil(d / 512) + 5) * 2 ** -24;

const bits = (values: Float32Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex');

/** A fresh copy of the code, that finds this in the place of WebAssembly. */
async function gramWith(webAssembly: unknown) {
  vi.stubGlobal('WebAssembly', webAssembly);
  vi.resetModules();
  const code = await import('../../src/math/gram/gram.js');
  const kernels = await import('../../src/math/gram/kernel.js');
  expect(kernels.simdKernel()).toBeUndefined();
  kernels.kernel();
  vi.unstubAllGlobals();
  return code;
}

const forbidden = {
  Module: class {
    constructor() {
      throw new EvalError('Refused to compile or instantiate WebAssembly module');
    }
  },
};

afterEach(() => vi.unstubAllGlobals());

describe('cosines', () => {
  test('of all pairs, and of rows, are within the bound of 64-bit arithmetic', () => {
    fc.assert(
      fc.property(shape({ n: 20, d: 3000 }), ({ n, d, seed }) => {
        const vectors = vectorsOf({ n, d, seed });
        const packed = pack(vectors);
        const triangle = gram(packed);
        const table = cosines(packed, packed);
        expect(triangle).toHaveLength((n * (n - 1)) / 2);
        expect(table).toHaveLength(n * n);
        for (let i = 0; i < n; i++) {
          for (let j = 0; j < n; j++) {
            const exact = dot(vectors[i]!, vectors[j]!);
            expect(Math.abs(table[i * n + j]! - exact)).toBeLessThanOrEqual(errorBound(d));
            if (i !== j) expect(triangle[condensedIndex(n, i, j)]).toBe(table[i * n + j]);
          }
        }
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  test('of a pair are the same whichever call computed it, and in whichever order', () => {
    fc.assert(
      fc.property(
        shape({ n: 300, d: 600 }),
        fc.array(fc.nat(300), { maxLength: 5 }),
        ({ n, d, seed }, cuts) => {
          const vectors = vectorsOf({ n, d, seed });
          const packed = pack(vectors);
          const bounds = [0, ...cuts.filter((cut) => cut < n).sort((a, b) => a - b), n];
          const table = cosines(packed, packed);
          const symmetric = Float32Array.from(table, (_, at) => table[(at % n) * n + Math.floor(at / n)]!);
          expect(bits(table)).toBe(bits(symmetric));
          expect(bits(joined(bounds, (from, to) => cosines(packed, packed, from, to)))).toBe(bits(table));
          expect(bits(joined(bounds, (from, to) => cosines(pack(vectors.slice(from, to)), packed)))).toBe(
            bits(table),
          );
          const upper = Float32Array.from(table.filter((_, at) => at % n > Math.floor(at / n)));
          expect(bits(gram(packed))).toBe(bits(upper));
          expect(bits(joined(bounds, (from, to) => gram(packed, from, to)))).toBe(bits(upper));
        },
      ),
      { numRuns: 60, seed: 2 },
    );
  });

  test('stay within -1..1 where rounding would carry them out', () => {
    const numbers = noise(4);
    const vectors = Array.from({ length: 200 }, (_, i) =>
      packVector(
        Float64Array.from({ length: 50 + i }, () => numbers.next().value),
        'v',
      ),
    );
    const self = vectors.map((vector) => cosines(pack([vector]), pack([vector, vector.map((x) => -x)])));
    expect(Math.max(...self.map(([same]) => same!))).toBe(1);
    expect(Math.min(...self.map(([, opposite]) => opposite!))).toBe(-1);
  });

  test('with a zero vector are 0', () => {
    const packed = pack([new Float32Array(5), packVector([1, 2, 3, 4, 5], 'v'), new Float32Array(5)]);
    expect(Array.from(gram(packed))).toEqual([0, 0, 0]);
    expect(Array.from(cosines(packed, packed, 2))).toEqual([0, 0, 0]);
  });

  test('of none or one', () => {
    const none = pack([]);
    const one = pack([packVector([3, 4], 'v')]);
    expect(
      [gram(none), gram(one), cosines(none, one), cosines(one, none)].map(({ length }) => length),
    ).toEqual([0, 0, 0, 0]);
    expect(cosines(one, one)[0]).toBeCloseTo(1, 6);
  });

  test('leave the vectors as they are, and do not follow their changes', () => {
    const vectors = vectorsOf({ n: 10, d: 10, seed: 5 });
    const before = vectors.map(bits);
    const packed = pack(vectors);
    const triangle = gram(packed);
    expect(vectors.map(bits)).toEqual(before);
    for (const vector of vectors) vector.fill(0);
    expect(bits(gram(packed))).toBe(bits(triangle));
  });
});

describe('kernels', () => {
  test('this runtime has SIMD, and a page may compile the module on its main thread', () => {
    expect(simdKernel()).toBeDefined();
    expect(atob(MODULE).length).toBeLessThan(4096);
  });

  test.each([
    ['WebAssembly is missing', undefined],
    ['compiling is forbidden', forbidden],
  ])('where %s, the results are the same to the last bit', async (_, webAssembly) => {
    const scalar = await gramWith(webAssembly);
    fc.assert(
      fc.property(shape({ n: 140, d: 1100 }), ({ n, d, seed }) => {
        const vectors = vectorsOf({ n, d, seed });
        const packed = pack(vectors);
        expect(bits(scalar.gram(scalar.pack(vectors)))).toBe(bits(gram(packed)));
        expect(bits(scalar.cosines(packed, packed, 0, Math.min(n, 7)))).toBe(
          bits(cosines(packed, packed, 0, Math.min(n, 7))),
        );
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  test('memory stays as small as it is, and a large pool leaves nothing behind for a small one', () => {
    const small = pack(vectorsOf({ n: 7, d: 5, seed: 6 }));
    const before = bits(gram(small));
    const { memory } = kernel();
    gram(pack(vectorsOf({ n: 400, d: 2050, seed: 7 })));
    expect(bits(gram(small))).toBe(before);
    expect(kernel().memory).toBe(memory);
    expect(memory.byteLength).toBe(589_824);
  });

  test('calls that take turns do not disturb each other', async () => {
    const pools = [1, 2, 3].map((seed) => pack(vectorsOf({ n: 50 * seed, d: 300 * seed, seed })));
    const alone = pools.map((packed) => bits(gram(packed)));
    const inTurns = async (packed: Packed) => {
      const parts: Float32Array[] = [];
      for (let from = 0; from < packed.count; from += 10) {
        parts.push(gram(packed, from, from + 10));
        await Promise.resolve();
      }
      return parts.map(bits).join('');
    };
    expect(await Promise.all(pools.map(inTurns))).toEqual(alone);
  });
});

/** The values of a function for each stretch between two bounds, in one. */
function joined(bounds: number[], part: (from: number, to: number) => Float32Array): Float32Array {
  const values = bounds.slice(1).flatMap((to, i) => Array.from(part(bounds[i]!, to)));
  return Float32Array.from(values);
}
