import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOptimize } from '../../../src/workers/optimize/optimize.js';
import type { OptimizeResponse } from '../../../src/workers/optimize/request.js';
import {
  DEFAULTS,
  type NaiveChunk,
  type NaiveRequest,
  naiveOptimize,
  unit,
} from '../../workers/naive-optimize.js';

const CASES = 1200;
/** Each part of the recipe decides something in at least so many cases. */
const LEAST = 15;

const optimize = await createOptimize({});

async function answerOf(request: object) {
  const body = new TextEncoder().encode(JSON.stringify(request));
  const done = await optimize({ body, isJson: true });
  const { stats, ...rest } = JSON.parse(done.body) as OptimizeResponse & { detail?: string };
  const { latency_ms: _, ...timeless } = stats ?? {};
  const answer = { status: done.status, body: stats === undefined ? rest : { ...rest, stats: timeless } };
  return { answer, facts: done.facts };
}

const CONTENT = [
  ...['bridge', 'river', 'steel', 'arch', 'opened', '1932', 'x_1', 'Straße', 'ΝΑΟΣ', 'cafe\u0301'],
  ...['橋は開通', '🌉', 'toll', 'span', 'cable', 'night', 'ferry', 'lamp', 'stone', 'pier'],
];
const STOP = ['the', 'of', 'and', 'is', 'a'];
const sentence = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...CONTENT) },
    { weight: 1, arbitrary: fc.constantFrom(...STOP) },
  ),
  { maxLength: 20 },
);
const EDITS: ((words: readonly string[], word: string) => string)[] = [
  (words) => ` ${words.join(' \t')} `.toUpperCase(),
  (words) => `${words.join(', ')}!`,
  (words, word) => [...words, word].join(' '),
  (words, word) => [word, ...words.slice(1)].join(' '),
  (words) => words.slice(1).join(' '),
  (words) => `Please note that ${words.join('\n\n')} in order to.`,
  (words) => `<p>${words.join(' ')}</p>`,
  (words) => `| ${words.join(' | ')} |`.repeat(12),
  (words) => JSON.stringify({ words }),
];
/** A text of its own, or one made of another's words. */
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      words: sentence,
      of: fc.constant(undefined),
      edit: fc.constant(0),
      word: fc.constant(''),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      words: sentence,
      of: fc.nat(12),
      edit: fc.nat(EDITS.length - 1),
      word: fc.constantFrom(...CONTENT),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      words: fc.shuffledSubarray(STOP),
      of: fc.constant(undefined),
      edit: fc.constant(0),
      word: fc.constant(''),
    }),
  },
);
const AXES = 6;
const offset = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: AXES, maxLength: AXES });
const drawn = fc.record({
  id: fc.constantFrom(...'abcdefghijkl'),
  text,
  group: fc.nat(2),
  offset,
  spread: fc.constantFrom(0.002, 0.02, 0.2, 0.6),
  score: fc.oneof(
    fc.constant(0),
    fc.integer({ min: -3, max: 10 }).map((tenths) => tenths / 10),
  ),
  metadata: fc.constantFrom({}, { source: 'a.md', page: 3 }, { nested: { list: [1, null, '…'] } }),
});
type Drawn = (typeof drawn extends fc.Arbitrary<infer T> ? T : never)[];

/** `crowded`: all vectors in one corner. `zero`: one vector is zero, and no two others are more than 1 apart. */
function chunksOf(items: Drawn, pool: 'spread' | 'crowded' | 'zero'): NaiveChunk[] {
  const sources = items.map(({ text: { words } }) => words);
  return items.map(
    ({ id, text: { words, of, edit, word }, group, offset, spread, score, metadata }, place) => {
      const source = of === undefined ? words : (sources[of % items.length] as string[]);
      const make = EDITS[edit] as (typeof EDITS)[number];
      const center = pool === 'crowded' ? 0 : group;
      const noise = pool === 'crowded' ? 0.05 : spread;
      const vector = offset.map((part, axis) => (axis === center ? 1 : 0) + (noise * part) / 1000);
      if (pool === 'zero' && place === 0) vector.fill(0);
      return {
        id,
        text: of === undefined ? words.join(' ') : make(source, word),
        embedding: pool === 'zero' ? vector.map(Math.abs) : vector,
        score,
        metadata,
      };
    },
  );
}

const threshold = fc.double({ min: 0.001, max: 1.2, noNaN: true });
const request: fc.Arbitrary<NaiveRequest> = fc
  .record({
    items: fc.array(drawn, { minLength: 1, maxLength: 13 }),
    pool: fc.constantFrom('spread' as const, 'spread' as const, 'crowded' as const, 'zero' as const),
    query_embedding: fc.option(offset),
    target_k: fc.integer({ min: 1, max: 9 }),
    token_budget: fc.option(fc.integer({ min: 1, max: 120 })),
    dedup_threshold: fc.oneof(fc.constant(DEFAULTS.dedup_threshold), threshold),
    semantic_dedup_threshold: fc.oneof(
      fc.constant(DEFAULTS.semantic_dedup_threshold),
      fc.double({ min: 0.001, max: 0.3, noNaN: true }),
    ),
    cluster_threshold: fc.option(threshold),
    cluster_linkage: fc.constantFrom('average' as const, 'complete' as const, 'single' as const),
    max_per_cluster: fc.integer({ min: 1, max: 3 }),
    enable_mmr: fc.boolean(),
    mmr_lambda: fc.constantFrom(0, 0.3, 0.5, 0.75, 1),
    representative_strategy: fc.constantFrom(
      'auto' as const,
      'score' as const,
      'centroid' as const,
      'query_closest' as const,
      'longest' as const,
    ),
    compress: fc.boolean(),
  })
  .map(({ items, pool, ...rest }) => ({ ...rest, chunks: chunksOf(items, pool) }))
  .filter(isDecided);

/** Distances that are equal, but for the noise of 32 bits, may be merged in either order. */
function isDecided({ chunks, query_embedding }: NaiveRequest): boolean {
  const units = chunks.map(({ embedding }) => unit(embedding)).filter((each) => Math.hypot(...each) > 0);
  const far = (a: number[], b: number[]) =>
    1 - a.reduce((sum, part, axis) => sum + part * (b[axis] as number), 0);
  const hasGaps = (values: number[]) =>
    values
      .toSorted((a, b) => a - b)
      .every((value, at, all) => at === 0 || value - (all[at - 1] as number) > 2e-6);
  const query = query_embedding && unit(query_embedding);
  return (
    hasGaps(units.flatMap((a, i) => units.slice(i + 1).map((b) => far(a, b)))) &&
    (query === null || hasGaps(units.map((each) => far(each, query))))
  );
}

test(`${CASES} generated requests are answered as a plain and slow program answers them`, async () => {
  const parts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      request,
      fc.constantFrom({}, { query: null }, { query: ' \n' }, { query: 'toll' }),
      async (given, query) => {
        // With the words of a query alone, SlimContext would ask its model.
        const asked = given.query_embedding === null && query.query === 'toll' ? {} : query;
        const { answer, facts } = await answerOf({ ...asked, ...given });
        if (given.representative_strategy === 'query_closest' && given.query_embedding === null) {
          const detail = 'query_embedding is required for query_closest strategy.';
          expect(answer).toEqual({ status: 400, body: { detail } });
          return;
        }
        const passed = new Set<string>();
        const expected = naiveOptimize(given, (part) => passed.add(part));
        for (const part of passed) parts.set(part, (parts.get(part) ?? 0) + 1);
        expect(answer).toEqual({ status: 200, body: expected });
        const evicted = Object.values(facts?.evictions ?? {}).reduce((sum, count) => sum + count, 0);
        expect(evicted).toBe(given.chunks.length - expected.chunks.length);
      },
    ),
    { numRuns: CASES, seed: 20_261_121 },
  );
  const ofCluster = ['auto', 'score', 'centroid', 'query_closest', 'longest'].flatMap((strategy) => [
    `of a cluster by ${strategy}, one`,
    `of a cluster by ${strategy}, several`,
  ]);
  expect([...parts.keys()].sort()).toEqual(
    [
      'exact duplicate',
      'lowered threshold',
      'copy of a long text',
      'copy by vector',
      'copy by threshold',
      'cluster, average',
      'cluster, complete',
      'cluster, single',
      'clusters out of order',
      ...ofCluster,
      'outranked',
      'marginal relevance by query',
      'marginal relevance by score',
      'by score',
      'filler',
      'cut table',
      'over budget',
      'fits after one that does not',
    ].sort(),
  );
  expect([...parts].filter(([, times]) => times < LEAST)).toEqual([]);
});
