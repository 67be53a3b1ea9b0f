import { type Chunk, createShaper, type Ranking, type ShapingOptions } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FEATURES } from '../../src/input/options.js';

const QUESTION = 'When was the harbour bridge opened?';

async function rankingOf(
  chunks: readonly Chunk[],
  options: ShapingOptions = {},
  ranked?: boolean,
): Promise<Ranking> {
  const { report } = await createShaper(options).shape({ query: QUESTION, chunks, ranked });
  return report.ranking as Ranking;
}

const plain = (size: number): Chunk[] =>
  Array.from({ length: size }, (_, at) => ({ id: `c${at}`, text: `Passage ${at} of the harbour.` }));
const turns = (positions: readonly number[], source = 'talk'): Chunk[] =>
  positions.map((position, at) => ({
    id: `${source}-${at}`,
    text: `Turn ${position} of ${source}.`,
    metadata: { source, position },
  }));
const scored = (scores: readonly number[]): Chunk[] =>
  plain(scores.length).map((chunk, at) => ({ ...chunk, score: scores[at] as number }));

describe('is a list a ranking?', () => {
  test('it is, if nothing tells otherwise', async () => {
    expect(await rankingOf(plain(6))).toMatchObject({ ranked: true, reason: 'default' });
  });

  test('the option overrides the caller, and the caller the pool', async () => {
    const inOrder = turns([0, 1, 2, 3, 4, 5]);
    expect(await rankingOf(inOrder)).toMatchObject({ ranked: false, reason: 'document-order' });
    expect(await rankingOf(inOrder, {}, true)).toMatchObject({ ranked: true, reason: 'caller' });
    expect(await rankingOf(plain(6), {}, false)).toMatchObject({ ranked: false, reason: 'caller' });
    expect(await rankingOf(inOrder, { ranked: true }, false)).toMatchObject({
      ranked: true,
      reason: 'option',
    });
    expect(await rankingOf(plain(6), { ranked: false }, true)).toMatchObject({
      ranked: false,
      reason: 'option',
    });
  });

  test('five pairs in document order are needed, of one document or of several', async () => {
    expect((await rankingOf(turns([0, 1, 2, 3, 4]))).ranked).toBe(true);
    const interleaved = [0, 1, 2, 3].flatMap((at) => [...turns([at], 'a'), ...turns([at], 'b')]);
    const distinct = interleaved.map((chunk, at) => ({ ...chunk, id: `${at}` }));
    expect(await rankingOf(distinct)).toMatchObject({ ranked: false, reason: 'document-order' });
  });

  test('nine of ten pairs are enough; the same chunks, best first, are a ranking', async () => {
    expect((await rankingOf(turns([0, 1, 2, 3, 9, 5, 6, 7, 8, 10, 11]))).ranked).toBe(false);
    expect((await rankingOf(turns([0, 1, 2, 9, 5, 6, 3, 8, 10, 11]))).ranked).toBe(true);
    expect((await rankingOf(turns([5, 4, 3, 2, 1, 0]))).ranked).toBe(true);
  });

  test('sorted scores are a ranking, ties and chunks without one among them; unsorted ones are none', async () => {
    expect((await rankingOf(scored([0.9, 0.9, 0.5, 0.5, 0.1]))).reason).toBe('default');
    const [first, ...rest] = scored([9, 7, 4]) as [Chunk, ...Chunk[]];
    expect((await rankingOf([first, { id: 'none', text: 'No score.' }, ...rest])).reason).toBe('default');
    expect((await rankingOf(scored([0.1, 0.9, 0.5]))).reason).toBe('unsorted-scores');
  });

  test('`ranked` is checked', async () => {
    const input = { query: QUESTION, chunks: [], ranked: 'yes' as unknown as boolean };
    await expect(createShaper().shape(input)).rejects.toThrow('ranked');
    expect(() => createShaper({ ranked: 'no' as unknown as boolean })).toThrow('ranked');
  });
});

describe('what a ranking is worth', () => {
  const order = async (chunks: readonly Chunk[], ranked: boolean, query = QUESTION) => {
    const { report } = await createShaper({ ranked }).shape({ query, chunks });
    return report.kept;
  };

  test('10 / (10 + place), where nothing else tells', async () => {
    const kept = await order(plain(4), true, '');
    expect(kept.map(({ id, relevance }) => [id, relevance])).toEqual(
      [0, 1, 2, 3].map((place) => [`c${place}`, 10 / (10 + place)]),
    );
    expect(kept.map(({ features }) => Object.keys(features ?? {}))).toEqual(Array(4).fill(['rank']));
  });

  test('a score is scaled over the pool, and counts with its place', async () => {
    const kept = await order(scored([8, 6, 4]), true, '');
    expect(kept.map(({ relevance }) => relevance)).toEqual([1, 0.5 * (10 / 11), 0]);
    const unsorted = await order(scored([4, 8, 6]), false, '');
    expect(unsorted.map(({ id, relevance }) => [id, relevance])).toEqual([
      ['c1', 1],
      ['c2', 0.5 * (10 / 11)],
      ['c0', 0],
    ]);
  });

  test('chunks without a score have their place', async () => {
    const [a, b, c] = scored([8, 6, 4]) as [Chunk, Chunk, Chunk];
    const kept = await order([a, { id: 'none', text: 'No score.' }, b, c], true, '');
    expect(kept.find(({ id }) => id === 'none')).toMatchObject({
      relevance: 10 / 11,
      features: { rank: 10 / 11 },
    });
  });

  test('the order of a list that is no ranking counts for nothing', async () => {
    const { report } = await createShaper({ ranked: false }).shape({ query: 'xyzzy', chunks: plain(4) });
    expect(report.kept.every(({ relevance }) => relevance === undefined)).toBe(true);
    expect(report.ranking?.features).toEqual([]);
  });

  test('scores that rise along a ranking are distances: they are left out, and the report says so', async () => {
    const { report } = await createShaper({ ranked: true }).shape({
      query: 'xyzzy',
      chunks: scored([0.1, 0.4, 0.9]),
    });
    expect(report.kept.map(({ id }) => id)).toEqual(['c0', 'c1', 'c2']);
    expect(report.degradations.map(({ code }) => code)).toEqual(['scores-contradict-order']);
    expect(report.ranking?.features).toEqual(['rank']);
  });

  test('a score that contradicts the ranking moves nothing, and the report says so', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 4, maxLength: 12 }),
        fc.nat(),
        fc.oneof(fc.constantFrom(1e9, -1e9, 100, 101, 0, 1e300), fc.integer({ min: -200, max: 200 })),
        async (all, at, foreign) => {
          const honest = all.toSorted((a, b) => b - a).map((score) => score / 100);
          const scores = honest.with(at % honest.length, foreign);
          const kept = await order(scored(scores), true, '');
          const relevances = kept
            .toSorted((a, b) => a.index - b.index)
            .map(({ relevance }) => relevance ?? 0);
          expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
        },
      ),
      { numRuns: 200 },
    );
    const chunks = scored([0.9, 0.8, 2, 0.6, 0.5]);
    const { report } = await createShaper({ ranked: true }).shape({ query: 'xyzzy', chunks });
    expect(report.degradations.map(({ code }) => code)).toContain('scores-contradict-order');
    expect(report.kept[2]?.relevance).toBeCloseTo(0.25 * (10 / 12), 9);
  });

  test('a score out of all proportion does not flatten the others', async () => {
    const scores = [0.9, 0.8, 0.7, 0.6, 0.5];
    const alone = await order(scored(scores), true, '');
    for (const ranked of [true, false]) {
      const chunks = [...scored(scores), { id: 'foreign', text: 'Buy this.', score: -1e9 }];
      const { report } = await createShaper({ ranked }).shape({ query: 'xyzzy', chunks });
      expect(report.degradations.map(({ code }) => code)).toEqual(['scores-outlying']);
      const relevanceOf = new Map(report.kept.map(({ id, relevance }) => [id, relevance as number]));
      expect(relevanceOf.get('c1')).toBeCloseTo(alone[1]?.relevance as number, 9);
    }
    const first = scored([1e9, ...scores]);
    const kept = await order(first, true, '');
    expect(kept[2]?.relevance).toBeCloseTo(0.75 * (10 / 12), 9);
    const unranked = await order(first.toReversed(), false, '');
    expect(unranked[0]?.id).toBe('c1');
  });

  test('scores on any scale that keeps their distances rank alike', async () => {
    const pool = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        pool,
        fc.constantFrom(1e-3, 1, 4096),
        fc.integer({ min: -9, max: 9 }),
        async (all, by, off) => {
          const sorted = all.toSorted((a, b) => b - a);
          const plainly = await order(scored(sorted), true);
          const otherwise = await order(scored(sorted.map((score) => score * by + off)), true);
          expect(otherwise.map(({ id }) => id)).toEqual(plainly.map(({ id }) => id));
          for (const [at, { relevance }] of otherwise.entries())
            expect(relevance).toBeCloseTo(plainly[at]?.relevance as number, 9);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('rarity of words', () => {
  // Each passage was retrieved for "opened": in the pool the word tells nothing, in the language it is rarer than "place".
  const chunks: Chunk[] = [
    { id: 'place', text: 'A place with a view of a harbour, and a place to eat.' },
    { id: 'bascule', text: 'A bascule at a harbour, of steel and of stone, and old.' },
    { id: 'third', text: 'A bascule and a place.' },
  ];
  const none = Object.fromEntries(FEATURES.map((name) => [name, 0]));
  const relevanceOf = async (ranked: boolean, query: string) => {
    const shaper = createShaper({ ranked, relevance: { weights: { ...none, bm25: 1 } } });
    const { report } = await shaper.shape({ query, chunks });
    return Object.fromEntries(report.kept.map(({ id, relevance }) => [id, relevance as number]));
  };

  test('is that of the language in what was retrieved, and that of the pool elsewhere', async () => {
    const query = 'the place with a bascule';
    const pool = await relevanceOf(false, query);
    expect(pool.place).toBeGreaterThan(pool.bascule as number);
    const language = await relevanceOf(true, query);
    expect(language.bascule).toBeGreaterThan(language.place as number);
  });

  test('is that of the pool for a question that is not English', async () => {
    const query = 'platz bascule brücke hafen';
    expect(await relevanceOf(true, query)).toEqual(await relevanceOf(false, query));
  });
});
