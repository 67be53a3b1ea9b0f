/** Stages decide by the vectors of each pair. Clusters compare them in 32-bit sums. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINKAGES, resolveOptions } from '../../src/input/options.js';
import { toCandidates } from '../../src/input/to-candidates.js';
import { condensedIndex, cut, linkage } from '../../src/math/linkage.js';
import { cosine } from '../../src/math/vectors.js';
import type { PipelineInput } from '../../src/pipeline.js';
import { withSignals } from '../../src/pool/candidate.js';
import { Pacer } from '../../src/runtime/pacer.js';
import { cluster } from '../../src/stages/cluster/cluster.js';
import { semanticDedup } from '../../src/stages/semantic-dedup/semantic-dedup.js';
import { Lexicon } from '../../src/text/lexicon.js';
import type { Candidate } from '../../src/types.js';

/** Texts that say one thing, so that vectors alone decide merges; and one that says another. */
const SAME = ['the bridge is open', 'so the bridge is open', 'then the bridge is open'];
const OTHER = 'the bridge is not open';

/** Vectors in a few directions, and a hair's breadth from them. */
const pool = fc
  .record({
    dimension: fc.constantFrom(2, 3, 17, 700),
    members: fc.array(
      fc.record({
        direction: fc.nat(3),
        off: fc.constantFrom(0, 1e-8, 1e-7, 3e-7, 1e-3, 0.1, 0.5),
        text: fc.constantFrom(...SAME, OTHER),
        score: fc.nat(4),
        namespace: fc.constantFrom('a', 'a', 'a', 'b'),
      }),
      { minLength: 2, maxLength: 14 },
    ),
    seed: fc.nat(),
  })
  .map(({ dimension, members, seed }) =>
    members.map(({ direction, off, text, score, namespace }, index) => ({
      id: `c${index}`,
      text,
      score,
      metadata: { namespace },
      embedding: Float64Array.from({ length: dimension }, (_, axis) => {
        return Math.sin(seed + 7 * direction + 3 * axis) + off * Math.sin(seed + index + axis);
      }),
    })),
  );

function inputOf(chunks: Parameters<typeof toCandidates>[0]['chunks']): PipelineInput {
  const { query, candidates } = toCandidates(
    { query: '', chunks },
    resolveOptions({ namespace: 'namespace' }),
  );
  return {
    query,
    candidates: candidates.map((each) =>
      withSignals(each, { relevance: ((each.index * 7) % 5) / 5, tokens: 5 }),
    ),
    evicted: [],
    countTokens: (text) => text.length,
    limits: {},
    listOrder: { ranked: false, trust: 0, reason: 'caller', ranks: [], degradations: [] },
    lexicon: new Lexicon(),
    pacer: new Pacer(),
    tellError: String,
  };
}

const exact = (a: Candidate, b: Candidate): number => cosine(a.vector!, b.vector!);

/** A bound, or the very distance of two candidates, or the next number below it. */
function boundOf(candidates: readonly Candidate[], dice: number): number {
  const [a, b] = [candidates[dice % candidates.length]!, candidates[(dice * 31 + 1) % candidates.length]!];
  const distance = Math.max(0, 1 - exact(a, b));
  return [0.06, distance, distance * (1 - Number.EPSILON)][dice % 3]!;
}

describe('as by the cosines of all pairs', () => {
  test('near-copies are merged, with the nearest that stays', async () => {
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(pool, fc.nat(1000), async (chunks, dice) => {
        const input = inputOf(chunks.map((each) => ({ ...each, text: SAME[dice % 3]! })));
        const { candidates } = input;
        const maxDistance = boundOf(candidates, dice);
        const line = candidates.toSorted((a, b) => b.score! - a.score! || a.index - b.index);
        const groups: Candidate[][] = [];
        const expected: unknown[] = [];
        for (const candidate of line) {
          const near = groups
            .filter(([first]) => first!.namespace === candidate.namespace)
            .filter((members) => members.every((member) => 1 - exact(candidate, member) <= maxDistance))
            .toSorted((a, b) => exact(candidate, b[0]!) - exact(candidate, a[0]!))[0];
          if (near === undefined) groups.push([candidate]);
          else {
            expected.push([candidate.id, near[0]!.id, 1 - exact(candidate, near[0]!)]);
            near.push(candidate);
          }
        }
        const { evicted } = await semanticDedup({ maxDistance }).run(input);
        const found = evicted.map(
          (each) => each.reason === 'semantic-duplicate' && [each.id, each.keptId, each.distance],
        );
        expect(found.sort()).toEqual(expected.sort());
        merged += found.length;
      }),
      { numRuns: 1000, seed: 1 },
    );
    expect(merged).toBeGreaterThan(1000);
  });

  test.each(LINKAGES)('clusters by %s linkage are the same', async (method) => {
    await fc.assert(
      fc.asyncProperty(pool, fc.nat(1000), async (chunks, dice) => {
        const input = inputOf(chunks.map((each) => ({ ...each, metadata: {} })));
        const { candidates } = input;
        const n = candidates.length;
        const distances = new Float64Array((n * (n - 1)) / 2);
        for (let i = 0; i < n; i++) {
          for (let j = i + 1; j < n; j++) {
            distances[condensedIndex(n, i, j)] = 1 - exact(candidates[i]!, candidates[j]!);
          }
        }
        // Equally near pairs may be merged in any order.
        fc.pre(new Set(distances).size === distances.length);
        const tree = linkage(n, distances, method);
        // Clusters are cut between two heights that rounding cannot exchange.
        const heights = tree.map(({ height }) => height);
        const gaps = heights.slice(1).map((height, at) => [heights[at]!, height] as const);
        const apart = gaps.filter(([low, high]) => high - low > 1e-4);
        fc.pre(apart.length > 0);
        const [low, high] = apart[dice % apart.length]!;
        // If all texts are close together, the option is reduced.
        const mean = distances.reduce((sum, each) => sum + each, 0) / distances.length;
        const scale = Math.min(1, Math.round(mean * 1e6) / 1e6 / 0.5);
        fc.pre(scale > 0);
        const maxDistance = (low + high) / 2 / scale;
        const labels = cut(n, tree, maxDistance * scale);
        const options = { linkage: method, maxDistance, representative: 'auto', maxPerCluster: n } as const;
        const { kept } = await cluster(options).run({ ...input, limits: { k: 1 } });
        expect(kept.map(({ signals }) => signals.cluster)).toEqual([...labels]);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});
