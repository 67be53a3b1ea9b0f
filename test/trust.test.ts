/** Tiers of trust, and caps of chunks. */
import { type Chunk, createShaper, type ShapingOptions } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunk, ids, ledger } from './support.js';

const FACT = 'The harbour bridge was opened on 4 May 1932, after seven years of work.';
const NEAR = 'The harbour bridge was also opened on 4 May 1932, after seven years of work.';
const from = (id: string, trust: string | undefined, text: string, rest: Partial<Chunk> = {}) =>
  chunk(id, text, { ...rest, metadata: { trust, source: id.slice(0, 1) } });
const TIERS = [{ value: 'own' }, { value: 'web' }];
const shape = (chunks: Chunk[], options: ShapingOptions = {}, query = 'When was the bridge opened?') =>
  createShaper({
    ranked: false,
    trust: TIERS,
    tokenizer: (text) => text.split(/\s+/).length,
    ...options,
  }).shape({
    query,
    chunks,
  });

describe('a less trusted chunk never stands for a more trusted one', () => {
  test.each([
    ['as an exact copy', FACT.toUpperCase()],
    ['as a near-copy', NEAR],
  ])('%s, with any score', async (_, text) => {
    for (const rest of [{ score: 9 }, {}]) {
      const { report } = await shape([
        from('web', 'web', text, rest),
        from('own', 'own', FACT, { score: 1 }),
      ]);
      expect(report.kept).toMatchObject([{ id: 'own', tier: 0, sources: [{ id: 'own' }, { id: 'web' }] }]);
    }
  });

  test('nor as the representative of a cluster', async () => {
    const clustered = { k: 1, semanticDedup: false, cluster: { maxDistance: 1 } } as const;
    const { report } = await shape(
      [from('web', 'web', `${FACT} Open bridge, opened bridge!`), from('own', 'own', FACT)],
      clustered,
    );
    for (const eviction of report.evicted) expect(eviction.reason).not.toBe('cluster-member');
  });

  test('what names no tier is trusted least, unless `*` does', async () => {
    const chunks = [from('none', undefined, FACT, { score: 3 }), from('web', 'web', FACT.toLowerCase())];
    expect(ids((await shape(chunks)).chunks)).toEqual(['web']);
    const others = [{ value: 'own' }, { value: '*' }, { value: 'web' }];
    expect((await shape(chunks, { trust: others })).report.kept).toMatchObject([{ id: 'none', tier: 1 }]);
  });

  test('without tiers metadata of that name means nothing', async () => {
    const chunks = [
      from('web', 'web', FACT, { score: 2 }),
      from('own', 'own', FACT.toLowerCase(), { score: 1 }),
    ];
    const { report } = await shape(chunks, { trust: [] });
    expect(ids(report.kept)).toEqual(['web']);
    expect(report.kept[0]).not.toHaveProperty('tier');
  });
});

const TOWN = ['monks', 'brewers', 'millers', 'bakers', 'weavers', 'smiths'].map(
  (who, at) => `In the year ${1200 + 10 * at} the ${who} of the town opened a bridge.`,
);

describe('caps', () => {
  test('of chunks of a tier', async () => {
    const chunks = TOWN.map((text, at) => from(`${at}`, at % 2 ? 'own' : 'web', text));
    const { report } = await shape(chunks, { trust: [{ value: 'own' }, { value: 'web', k: 1 }] });
    expect(report.kept.filter(({ tier }) => tier === 1)).toHaveLength(1);
    expect(report.kept.filter(({ tier }) => tier === 0)).toHaveLength(3);
    expect(report.evicted).toHaveLength(2);
    for (const eviction of report.evicted) {
      expect(eviction).toMatchObject({ reason: 'over-budget', limit: 'trust' });
    }
  });

  test('of tokens of a tier, cut or not', async () => {
    const chunks = TOWN.map((text, at) =>
      from(`${at}`, at % 2 ? 'own' : 'web', `${text} ${text} It rained.`),
    );
    for (const extract of [false, {}] as const) {
      const { report } = await shape(chunks, {
        trust: [{ value: 'own' }, { value: 'web', maxTokens: 30 }],
        extract,
      });
      const tokens = report.kept.filter(({ tier }) => tier === 1).reduce((sum, each) => sum + each.tokens, 0);
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(30);
      expect(report.kept.filter(({ tier }) => tier === 0)).toHaveLength(3);
    }
  });

  test('of chunks of a source; pinned ones count, and stay', async () => {
    const chunks = TOWN.map((text, at) => from(`${at < 4 ? 'a' : 'b'}${at}`, 'own', text));
    const capped = (options: ShapingOptions) => shape(chunks, { budget: { chunksPerSource: 2 }, ...options });
    const { report } = await capped({});
    expect(report.kept.filter(({ id }) => id.startsWith('a'))).toHaveLength(2);
    expect(report.kept.filter(({ id }) => id.startsWith('b'))).toHaveLength(2);
    expect(report.evicted).toMatchObject([{ limit: 'chunksPerSource' }, { limit: 'chunksPerSource' }]);
    const pinned = await capped({ pin: ['a0', 'a1', 'a2'] });
    expect(
      ids(pinned.chunks)
        .filter((id) => id.startsWith('a'))
        .toSorted(),
    ).toEqual(['a0', 'a1', 'a2']);
  });

  test('hold for every pool, and lose nothing', async () => {
    const each = fc.record({
      text: fc.constantFrom(...TOWN, FACT, NEAR, '', 'OK.'),
      trust: fc.constantFrom('own', 'web', 'other', undefined),
      source: fc.constantFrom('a', 'b', undefined),
      score: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(each, { maxLength: 14 }),
        fc.option(fc.integer({ min: 5, max: 60 }), { nil: undefined }),
        fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
        async (given, maxTokens, k) => {
          const chunks = given.map(({ text, score, ...metadata }, at) => ({
            id: `${at}`,
            text,
            score,
            metadata,
          }));
          const { report } = await shape(chunks, {
            k,
            budget: { maxTokens, chunksPerSource: 2 },
            trust: [{ value: 'own' }, { value: 'web', k: 2, maxTokens: 20 }],
          });
          expect(ledger(report)).toEqual([...chunks.keys()]);
          const ofWeb = report.kept.filter(({ tier }) => tier === 1);
          expect(ofWeb.length).toBeLessThanOrEqual(2);
          expect(ofWeb.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(20);
          for (const source of ['a', 'b']) {
            const own = report.kept.filter(({ sources }) => sources[0]?.source === source);
            expect(own.length).toBeLessThanOrEqual(2);
          }
          const tierOf = (id: string) =>
            given[Number(id)]?.trust === 'own' ? 0 : given[Number(id)]?.trust === 'web' ? 1 : 2;
          for (const eviction of report.evicted) {
            if (eviction.reason === 'exact-duplicate' || eviction.reason === 'semantic-duplicate') {
              expect(tierOf(eviction.keptId)).toBeLessThanOrEqual(tierOf(eviction.id));
            }
          }
        },
      ),
      { numRuns: 300, seed: 15 },
    );
  });
});

test.each<[ShapingOptions, string]>([
  [{ trust: [{ value: '' }] }, 'trust.0.value'],
  [{ trust: [{ value: 'a' }, { value: 'a' }] }, 'trust'],
  [{ trust: [{ value: 'a', k: 0 }] }, 'trust.0.k'],
  [{ trust: [{ value: 'a', tokens: 1 }] } as never, 'trust.0.tokens'],
  [{ trust: [{ value: 'a', k: 1 }], select: false }, 'trust'],
  [{ budget: { chunksPerSource: 1 }, select: false }, 'budget.chunksPerSource'],
])('options that cannot be kept are refused: %o', (options, field) => {
  expect(() => createShaper(options)).toThrow(expect.objectContaining({ kind: 'invalid-options', field }));
});
