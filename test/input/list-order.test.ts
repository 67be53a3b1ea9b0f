import {
  type Chunk,
  createShaper,
  type Ranked,
  type Ranking,
  type ShapingOptions,
  type ShapingReport,
} from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FEATURES } from '../../src/input/options.js';

const QUESTION = 'When was the harbour bridge opened?';

async function rankingOf(
  chunks: readonly Chunk[],
  options: ShapingOptions = {},
  ranked?: Ranked,
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

describe('how far an order counts', () => {
  test('half, if nothing was said and no score tells', async () => {
    expect(await rankingOf(plain(6))).toMatchObject({ ranked: true, trust: 0.5, reason: 'unsaid' });
  });

  test('as far as the caller vouches for it: the option overrides the argument', async () => {
    expect(await rankingOf(plain(6), {}, true)).toMatchObject({ trust: 0.7, reason: 'caller' });
    expect(await rankingOf(plain(6), {}, 'reranked')).toMatchObject({ trust: 0.97, reason: 'caller' });
    expect(await rankingOf(plain(6), {}, 0.25)).toMatchObject({ trust: 0.25, reason: 'caller' });
    expect(await rankingOf(plain(6), {}, false)).toMatchObject({ ranked: false, trust: 0, reason: 'caller' });
    expect(await rankingOf(plain(6), { ranked: 'reranked' }, false)).toMatchObject({
      trust: 0.97,
      reason: 'option',
    });
    expect(await rankingOf(plain(6), { ranked: false }, true)).toMatchObject({ trust: 0, reason: 'option' });
  });

  test('not at all in document order: five pairs are needed, of one document or of several', async () => {
    expect((await rankingOf(turns([0, 1, 2, 3, 4]))).trust).toBe(0.5);
    const interleaved = [0, 1, 2, 3].flatMap((at) => [...turns([at], 'a'), ...turns([at], 'b')]);
    const distinct = interleaved.map((chunk, at) => ({ ...chunk, id: `${at}` }));
    expect(await rankingOf(distinct)).toMatchObject({ trust: 0, reason: 'document-order' });
  });

  test('nine of ten pairs in document order are enough; the same chunks, best first, may be a ranking', async () => {
    expect((await rankingOf(turns([0, 1, 2, 3, 9, 5, 6, 7, 8, 10, 11]))).trust).toBe(0);
    expect((await rankingOf(turns([0, 1, 2, 9, 5, 6, 3, 8, 10, 11]))).trust).toBe(0.5);
    expect((await rankingOf(turns([5, 4, 3, 2, 1, 0]))).trust).toBe(0.5);
  });

  test('falling scores vouch for the order, ties and chunks without one among them', async () => {
    expect(await rankingOf(scored([0.9, 0.9, 0.5, 0.5, 0.1]))).toMatchObject({
      trust: 0.7,
      reason: 'scores',
    });
    const [first, ...rest] = scored([9, 7, 4]) as [Chunk, ...Chunk[]];
    expect((await rankingOf([first, { id: 'none', text: 'No score.' }, ...rest])).reason).toBe('scores');
    expect((await rankingOf(scored([0.1, 0.9, 0.5]))).reason).toBe('unsorted-scores');
    expect((await rankingOf(scored([0.5, 0.5, 0.5]))).reason).toBe('unsaid');
  });

  test.each(['yes', -0.1, 1.1, Number.NaN])('`ranked` %s is refused', async (ranked) => {
    const input = { query: QUESTION, chunks: [], ranked: ranked as Ranked };
    await expect(createShaper().shape(input)).rejects.toThrow('ranked');
    expect(() => createShaper({ ranked: ranked as Ranked })).toThrow('ranked');
  });
});

describe('what an order does', () => {
  const shaped = async (chunks: readonly Chunk[], ranked?: Ranked, query = 'xyzzy') =>
    (await createShaper().shape({ query, chunks, ranked })).report;
  const idsOf = ({ kept }: ShapingReport) => kept.map(({ id }) => id);

  test('without other signs relevance falls with the rank, and the report has the share of the place', async () => {
    const { kept, ranking } = await shaped(plain(4), true);
    const relevances = kept.map(({ relevance }) => relevance as number);
    expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
    expect(new Set(relevances).size).toBe(4);
    expect(ranking?.features).toEqual(['place']);
    for (const { features, relevance } of kept) {
      const logOdds = Object.values(features ?? {}).reduce((sum, part) => sum + part, 0);
      expect(1 / (1 + Math.exp(-logOdds))).toBeCloseTo(relevance as number, 9);
    }
  });

  test('an order that means nothing counts for nothing', async () => {
    const { kept, ranking } = await shaped(plain(4), false);
    expect(kept.every(({ relevance }) => relevance === undefined)).toBe(true);
    expect(ranking?.features).toEqual([]);
  });

  test('scores give order and direction, and no scale', async () => {
    const pool = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pool, fc.constantFrom('cube', 'exp', 'shift'), async (all, kind) => {
        const scale = { cube: (x: number) => x ** 3, exp: Math.exp, shift: (x: number) => x - 1e6 }[kind];
        const plainly = await shaped(scored(all));
        const otherwise = await shaped(scored(all.map(scale)));
        expect(idsOf(otherwise)).toEqual(idsOf(plainly));
        expect(otherwise.kept.map(({ relevance }) => relevance)).toEqual(
          plainly.kept.map(({ relevance }) => relevance),
        );
      }),
      { numRuns: 50 },
    );
  });

  test('unsorted scores sort the list, the greatest first, no matter what the caller says of its order except that it counts', async () => {
    for (const ranked of [undefined, false]) {
      expect(idsOf(await shaped(scored([4, 8, 6, 7]), ranked))).toEqual(['c1', 'c3', 'c2', 'c0']);
    }
  });

  test('scores that rise along the list are distances: the first chunk is the best, and the report says so', async () => {
    for (const ranked of [undefined, true]) {
      const report = await shaped(scored([0.1, 0.4, 0.9]), ranked);
      expect(idsOf(report)).toEqual(['c0', 'c1', 'c2']);
      expect(report.degradations.map(({ code }) => code)).toEqual(['scores-rise']);
    }
  });

  test('if the order means nothing, the greatest score is the best, also if scores happen to rise', async () => {
    const report = await shaped(scored([0.1, 0.4, 0.9]), false);
    expect(idsOf(report)).toEqual(['c2', 'c1', 'c0']);
    expect(report.degradations).toEqual([]);
  });

  test('scores that contradict an order for which the caller vouches change nothing, and the report says so', async () => {
    const scores = [0.5, 0.9, 0.2, 0.8];
    for (const ranked of [true, 'reranked', 0.3] as const) {
      const report = await shaped(scored(scores), ranked);
      expect(report.kept).toMatchObject(
        (await shaped(plain(4), ranked)).kept.map(({ id, relevance }) => ({ id, relevance })),
      );
      expect(report.degradations.map(({ code }) => code)).toEqual(['scores-contradict-order']);
    }
  });

  test('document order is reported, also if the caller vouches for it', async () => {
    const inOrder = turns([0, 1, 2, 3, 4, 5]);
    for (const [ranked, trust] of [
      [undefined, 0],
      [true, 0.7],
    ] as const) {
      const { degradations, ranking } = await shaped(inOrder, ranked);
      expect(degradations.map(({ code }) => code)).toEqual(['list-in-document-order']);
      expect(ranking?.trust).toBe(trust);
    }
    expect((await shaped(inOrder, false)).degradations).toEqual([]);
  });

  test('ranks are counted without the copies that are gone', async () => {
    const copies = Array.from({ length: 6 }, (_, at) => ({
      id: `copy${at}`,
      text: 'Passage 0 of the harbour.',
    }));
    const [first, ...others] = plain(4) as [Chunk, ...Chunk[]];
    const relevances = ({ kept }: ShapingReport) => kept.map(({ relevance }) => relevance);
    expect(relevances(await shaped([first, ...copies, ...others], true))).toEqual(
      relevances(await shaped(plain(4), true)),
    );
  });
});

describe('the only match', () => {
  const match = 'The harbour bridge was opened in May 1932 by the mayor of the town.';
  const others = Array.from({ length: 59 }, (_, at) => ({
    id: `o${at}`,
    text: `Sheep of flock ${at} graze on meadow ${at * 7} and give wool of grade ${at % 5} in a cold spring.`,
  }));
  const at = (place: number) => others.toSpliced(place, 0, { id: 'match', text: match });

  test.each([0, 5, 15, 30, 59])(
    'is kept at place %i, also if the order counts as a ranking',
    async (place) => {
      for (const ranked of [undefined, true]) {
        const { report } = await createShaper({ budget: { maxTokens: 200 } }).shape({
          query: QUESTION,
          chunks: at(place),
          ranked,
        });
        expect(report.kept.map(({ id }) => id)).toContain('match');
      }
    },
  );
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

  test('is that of the language in passages of documents', async () => {
    for (const ranked of [false, true]) {
      const language = await relevanceOf(ranked, 'the place with a bascule');
      expect(language.bascule).toBeGreaterThan(language.place as number);
    }
  });

  test('is that of the pool for a question that is not English', async () => {
    const query = 'platz bascule brücke hafen';
    expect(await relevanceOf(true, query)).toEqual(await relevanceOf(false, query));
  });
});
