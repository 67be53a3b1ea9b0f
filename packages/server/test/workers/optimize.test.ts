import type { Embedder } from 'context-shaping';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it, test } from 'vitest';
import { createOptimize } from '../../src/workers/optimize/optimize.js';
import type { OptimizeResponse } from '../../src/workers/optimize/request.js';
import { STOP_WORDS } from '../../src/workers/optimize/stop-words.js';

type Chunk = { id: string; text: string; embedding?: number[]; score?: number; metadata?: object };

async function post(request: object, embedder?: Embedder, signal?: AbortSignal) {
  const optimize = await createOptimize({ embedder });
  const body = new TextEncoder().encode(JSON.stringify(request));
  const done = await optimize({ body, isJson: true }, signal);
  const answer = JSON.parse(done.body) as OptimizeResponse & { detail?: string };
  return { status: done.status, body: answer, facts: done.facts };
}

/** Nothing is merged, compressed or left out, unless the request says so. */
const APART = { cluster_threshold: 1e-6, target_k: 500, compress: false };

async function answer(chunks: readonly Chunk[], options: object = {}) {
  const { status, body } = await post({ ...APART, chunks, ...options });
  expect(status).toBe(200);
  return body;
}
const idsOf = async (chunks: readonly Chunk[], options: object = {}) =>
  (await answer(chunks, options)).chunks.map(({ id }) => id);
/** The kept ids, sorted. */
const left = async (chunks: readonly Chunk[], options: object = {}) => (await idsOf(chunks, options)).sort();

/** A vector in a plane, and the distance between two of them. */
const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
const apart = (degrees: number) => 1 - Math.cos((degrees * Math.PI) / 180);
/** Chunks a, b, … with texts that have no word in common. */
const around = (...degrees: number[]): Chunk[] =>
  degrees.map((each, place) => ({
    id: 'abcdefgh'.charAt(place),
    text: ['bridge', 'ferry', 'tunnel', 'harbour', 'station'][place] as string,
    embedding: at(each),
  }));
const withScores = (chunks: Chunk[], ...scores: number[]): Chunk[] =>
  chunks.map((chunk, place) => ({ ...chunk, score: scores[place] as number }));

describe('exact duplicates', () => {
  const pair = (one: string, other: string): Chunk[] => [
    { id: 'a', text: one, embedding: [1, 0] },
    { id: 'b', text: other, embedding: [0, 1] },
  ];

  test('the first stays, with any scores', async () => {
    const { chunks, stats } = await answer(withScores(pair('The bridge.', '“the  BRIDGE”!'), 0.1, 0.9));
    expect(chunks).toEqual([{ id: 'a', text: 'The bridge.', score: 0.1, metadata: {} }]);
    expect(stats).toMatchObject({ exact_duplicate_count: 1, semantic_duplicate_count: 0, cluster_count: 1 });
  });

  it.each([
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΝΑΟΣ', 'ναοσ'],
    ['ναος', 'ναοσ'],
    ['ΝΑΟΣ.ΕΝΑΣ', 'ναος ενας'],
    ['İstanbul', 'i̇stanbul'],
    ['橋は開通した。', '「橋は開通した」'],
    ['', '…'],
    ['', '👩‍🚀'],
  ])('%s is %s', async (one, other) => expect(await left(pair(one, other))).toEqual(['a']));

  it.each([
    ['sınır', 'sinir'],
    ['cafe', 'café'],
    ['cafe\u0301s', 'cafes'],
    ['x_1', 'x 1'],
    ['10', '1 0'],
  ])('%s is not %s', async (one, other) => expect(await left(pair(one, other))).toEqual(['a', 'b']));
});

describe('near-copies', () => {
  const WORDS = 'bridge ferry tunnel harbour station steel stone timber river valley summit meadow'.split(
    ' ',
  );
  const OTHER = 'lamp clock violin candle mirror carpet bottle pencil basket hammer ladder bucket'.split(' ');
  /** Both of so many words, of which so many are shared. */
  const sharing = (shared: number, length: number, one: number[], other: number[]): Chunk[] => [
    { id: 'a', text: WORDS.slice(0, length).join(' '), embedding: one },
    {
      id: 'b',
      text: [...WORDS.slice(0, shared), ...OTHER.slice(shared, length)].join(' '),
      embedding: other,
    },
  ];

  test('long texts by their terms alone: of 12 words, 5 shared', async () => {
    expect(await left(sharing(5, 12, [1, 0], [0, 1]))).toEqual(['a']);
    expect(await left(sharing(4, 12, [1, 0], [0, 1]))).toEqual(['a', 'b']);
    expect(await left(sharing(10, 11, [1, 0], [0, 1]))).toEqual(['a', 'b']);
  });

  test('a term has two characters, not two halves of one', async () => {
    const spaced = (characters: string, last: string): string => [...characters, last].join(' ');
    const pair = (one: string, other: string): Chunk[] => [
      { id: 'a', text: one, embedding: [1, 0] },
      { id: 'b', text: other, embedding: [0, 1] },
    ];
    const letters = '𠀀𠀁𠀂𠀃𠀄𠀅𠀆𠀇𠀈𠀉𠀊';
    expect(await left(pair(spaced(letters, '𠀋'), spaced(letters, '𠀌')))).toEqual(['a', 'b']);
    const doubled = [...letters].map((letter) => letter + letter).join(' ');
    expect(await left(pair(`${doubled} 𠀋`, `${doubled} 𠀌`))).toEqual(['a']);
  });

  test('by their vectors, if they share a term', async () => {
    expect(await left(sharing(1, 3, at(0), at(2.5)))).toEqual(['a']);
    expect(await left(sharing(0, 3, at(0), at(2.5)))).toEqual(['a', 'b']);
    expect(await left(sharing(1, 3, at(0), at(2.6)))).toEqual(['a', 'b']);
  });

  test('nearer than the threshold, and with most words shared', async () => {
    const near = { semantic_dedup_threshold: apart(20) + 1e-4 };
    expect(await left(sharing(5, 7, at(0), at(20)), near)).toEqual(['a']);
    expect(await left(sharing(2, 3, at(0), at(20)), near)).toEqual(['a', 'b']);
    expect(await left(sharing(5, 7, at(0), at(20)), { semantic_dedup_threshold: apart(20) - 1e-4 })).toEqual([
      'a',
      'b',
    ]);
  });

  test('the threshold is lowered where all vectors are in one corner', async () => {
    const crowd = [0, 5, 8, 20].map((degrees, place) => ({
      id: 'abcd'.charAt(place),
      text: `${WORDS.slice(0, 6).join(' ')} ${OTHER[place]}`,
      embedding: at(degrees),
    }));
    const options = { semantic_dedup_threshold: 0.05 };
    // The median of six is (apart(8) + apart(12)) / 2 = .0158, a fifth of it .0032.
    expect(await left(crowd, options)).toEqual(['a', 'b', 'd']);
    const far = { id: 'e', text: 'lantern', embedding: at(90) };
    expect(await left([...crowd, far], options)).toEqual(['a', 'd', 'e']);
  });

  test('the best stays, of equals the first', async () => {
    const [a, b] = sharing(5, 12, at(0), at(60)) as [Chunk, Chunk];
    const scored = [
      { ...a, score: 0.1 },
      { ...b, score: 0.2 },
    ];
    expect(await idsOf(scored)).toEqual(['b']);
    expect(await left([a, b])).toEqual(['a']);
  });

  test('texts of stop words alone, and empty ones, pass', async () => {
    expect(
      await left(
        around(0, 90).map((chunk, place) => ({ ...chunk, text: ['it is', 'the'][place] as string })),
      ),
    ).toEqual(['a', 'b']);
    expect(STOP_WORDS.size).toBe(318);
  });
});

describe('clusters', () => {
  const CHAIN = around(0, 19, 40);
  const count = async (cluster_linkage: string, cluster_threshold: number) =>
    (await answer(CHAIN, { cluster_linkage, cluster_threshold })).stats.cluster_count;

  test.each([
    ['single', apart(21)],
    ['average', (apart(21) + apart(40)) / 2],
    ['complete', apart(40)],
  ])('%s linkage', async (linkage, height) => {
    expect(await count(linkage, height + 1e-4)).toBe(1);
    expect(await count(linkage, height - 1e-4)).toBe(2);
    expect(await count(linkage, apart(19) - 1e-4)).toBe(3);
  });

  test('a merge at the threshold is refused', async () => {
    const [one, other] = around(0, 0) as [Chunk, Chunk];
    const halfApart = [
      { ...one, embedding: [1, 0, 0, 0] },
      { ...other, embedding: [2, 2, 2, 2] },
    ];
    expect((await answer(halfApart, { cluster_threshold: 0.5 })).stats.cluster_count).toBe(2);
    expect((await answer(halfApart, { cluster_threshold: 0.5001 })).stats.cluster_count).toBe(1);
  });

  test('`dedup_threshold` counts where `cluster_threshold` is not given', async () => {
    const { cluster_threshold: _, ...rest } = APART;
    const clusters = async (options: object) =>
      (await post({ ...rest, chunks: CHAIN, ...options })).body.stats.cluster_count;
    expect(await clusters({})).toBe(2);
    expect(await clusters({ dedup_threshold: 0.01 })).toBe(3);
    expect(await clusters({ dedup_threshold: 0.01, cluster_threshold: 0.3 })).toBe(1);
  });

  const ONE = { cluster_threshold: 1 };
  const TRIO: Chunk[] = withScores(around(0, 20, 50), 0.2, 0.1, 0.9);
  const withTexts = (...texts: string[]) =>
    TRIO.map((chunk, place) => ({ ...chunk, text: texts[place] as string }));

  test.each([
    ['score', TRIO, 'c'],
    ['centroid', TRIO, 'b'],
    ['query_closest', TRIO, 'a'],
    ['longest', withTexts('lantern', '🌉🌉🌉🌉 lamp', 'candles lit'), 'c'],
    ['auto', TRIO, 'c'],
    ['auto', withScores(TRIO, 0, 0, 0), 'b'],
    ['auto', withScores(TRIO, -1, -2, -3), 'b'],
    // Each is as far from the middle of both as the other.
    ['centroid', around(0, 20), 'a'],
    ['longest', withTexts('lantern', 'candles', 'violins'), 'a'],
  ] as const)('the representative by %s', async (representative_strategy, chunks, id) => {
    expect(await idsOf(chunks, { ...ONE, representative_strategy, query_embedding: at(-10) })).toEqual([id]);
  });

  test('several of one', async () => {
    const several = { ...ONE, max_per_cluster: 2 };
    expect(await idsOf(TRIO, several)).toEqual(['c', 'a']);
    expect(await idsOf(TRIO, { ...several, representative_strategy: 'centroid' })).toEqual(['b', 'c']);
    expect(await idsOf(TRIO, { ...several, max_per_cluster: 3 })).toEqual(['a', 'b', 'c']);
    // Others of the id that the representative has count as the same.
    const sameId = TRIO.map((chunk) => ({ ...chunk, id: chunk.id === 'c' ? 'b' : chunk.id }));
    expect(await idsOf(sameId, { ...several, representative_strategy: 'centroid' })).toEqual(['b', 'a']);
  });

  test('the closest to the query, but there is none', async () => {
    expect(await post({ chunks: TRIO, representative_strategy: 'query_closest' })).toEqual({
      status: 400,
      body: { detail: 'query_embedding is required for query_closest strategy.' },
    });
  });

  test('in the order in which the tree is split', async () => {
    // The heap of nodes: abcd, then cd and ab, then ab, d and c, then d, b, c and a.
    const chunks = around(0, 10, 90, 101);
    const clusters = { max_per_cluster: 2, cluster_threshold: 0.5 };
    expect(await idsOf(chunks, clusters)).toEqual(['c', 'd', 'a', 'b']);
    expect(await idsOf(chunks, { ...clusters, cluster_threshold: apart(10.5) })).toEqual([
      'a',
      'b',
      'd',
      'c',
    ]);
    expect(await idsOf(chunks)).toEqual(['d', 'b', 'c', 'a']);
  });
});

describe('selection', () => {
  test('no more than `target_k`: in the given order, regardless of the scores', async () => {
    const chunks = withScores(around(0, 30, 90), 0.1, 0.2, 0.3);
    expect(await idsOf(chunks, { target_k: 3 })).toEqual(['c', 'b', 'a']);
    expect(await idsOf(withScores(chunks, 0.9, 0.5, 0.1), { target_k: 3 })).toEqual(['c', 'b', 'a']);
  });

  test('by score, of equals the first candidate', async () => {
    const byScore = { enable_mmr: false, target_k: 2 };
    expect(await idsOf(withScores(around(0, 30, 90), 0.1, 0.7, 0.3), byScore)).toEqual(['b', 'c']);
    expect(await idsOf(around(0, 30, 90), byScore)).toEqual(['c', 'b']);
  });

  test('relevant, and unlike the selected ones', async () => {
    const chunks = around(5, 8, -50);
    const toQuery = { query_embedding: at(0), target_k: 2 };
    expect(await idsOf(chunks, { ...toQuery, mmr_lambda: 1 })).toEqual(['a', 'b']);
    expect(await idsOf(chunks, { ...toQuery, mmr_lambda: 0.9 })).toEqual(['a', 'b']);
    expect(await idsOf(chunks, { ...toQuery, mmr_lambda: 0.5 })).toEqual(['a', 'c']);
  });

  test('without a query, scores are stretched from 0 to 1; likeness is of words, too', async () => {
    const texts = ['red bridge', 'red bridge old', 'blue ferry'];
    const chunks = withScores(
      [0, 90, 180].map((degrees, place) => ({
        id: 'abc'.charAt(place),
        text: texts[place] as string,
        embedding: at(degrees),
      })),
      1,
      0.9,
      0.5,
    );
    // .8 λ − ⅔ (1 − λ) against 0.
    expect(await idsOf(chunks, { target_k: 2, mmr_lambda: 0.46 })).toEqual(['a', 'b']);
    expect(await idsOf(chunks, { target_k: 2, mmr_lambda: 0.45 })).toEqual(['a', 'c']);
  });

  test('scores as far apart as numbers can be', async () => {
    const chunks = withScores(around(0, 30, 90), -1.5e308, 0, 1.5e308);
    for (const enable_mmr of [true, false]) {
      expect(await idsOf(chunks, { target_k: 1, enable_mmr })).toEqual(['c']);
    }
  });
});

describe('budget', () => {
  const texts = ['one two three', 'four five six seven eight nine ten', 'eleven'];
  const chunks = withScores(
    around(0, 30, 90).map((chunk, place) => ({ ...chunk, text: texts[place] as string })),
    0.9,
    0.8,
    0.7,
  );

  test('skips a text that does not fit, because a later one may fit', async () => {
    // All of them fit k, so they come as the clusters do: c, b, a.
    const [a, b, c] = texts.map((text) => countTokens(text)) as [number, number, number];
    const { chunks: kept, stats } = await answer(chunks, { token_budget: a + c });
    expect(kept.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(stats).toMatchObject({
      input_count: 3,
      output_count: 2,
      input_tokens: a + b + c,
      output_tokens: a + c,
      budget_skipped_count: 1,
    });
    expect((await answer(chunks, { token_budget: a + c - 1 })).chunks.map(({ id }) => id)).toEqual(['c']);
    expect((await answer(chunks, { token_budget: 1 })).chunks).toEqual([]);
  });

  test('texts count as they are sent', async () => {
    const wordy = [{ id: 'a', text: 'In order to cross, as a reminder, pay.', embedding: [1] }];
    const token_budget = countTokens(', ,  pay.');
    expect(await idsOf(wordy, { token_budget })).toEqual([]);
    expect(await idsOf(wordy, { token_budget, compress: true })).toEqual(['a']);
  });

  test('what looks like a special token is text', async () => {
    const text = 'The <|endoftext|> marker separates documents';
    const { stats } = await answer([{ id: 'a', text, embedding: [1] }]);
    expect(stats.input_tokens).toBe(countTokens(text, { disallowedSpecial: new Set() }));
  });

  const words = (n: number) => Array(n).fill('a').join(' ');
  test.each([
    [13, 32, 40.62],
    [1, 32, 3.12],
    [3, 32, 9.38],
    [1, 3, 33.33],
    [2, 3, 66.67],
    [5, 5, 100],
  ])('%i of %i tokens less are %f %', async (less, all, percent) => {
    const parts = [all - less, less].filter((n) => n > 0);
    const made = parts.map((n, place) => ({ ...(around(0, 90)[place] as Chunk), text: words(n) }));
    const options = { enable_mmr: false, target_k: 1 };
    const { stats } = await answer(withScores(made, 1, 0), all === less ? { token_budget: 1 } : options);
    expect(stats).toMatchObject({ input_tokens: all, output_tokens: all - less, reduction_pct: percent });
  });

  test('nothing, of nothing', async () => {
    const { stats } = await answer([{ id: 'a', text: '', embedding: [1] }]);
    expect(stats).toMatchObject({ output_count: 1, input_tokens: 0, output_tokens: 0, reduction_pct: 0 });
  });

  test('the mark of a cut table can cost more than the rows that it replaces', async () => {
    const table = `|x${' '.repeat(500)}x`;
    const alone = (await answer([{ id: 'a', text: table, embedding: [1, 0] }], { compress: true })).stats;
    const more = alone.output_tokens - alone.input_tokens;
    expect(more).toBeGreaterThan(0);
    // Just so many words besides that it is 3.125 % more.
    const rest = words(32 * more - alone.input_tokens);
    const chunks = [
      { id: 'a', text: table, embedding: [1, 0] },
      { id: 'b', text: rest, embedding: [0, 1] },
    ];
    expect((await answer(chunks, { compress: true })).stats.reduction_pct).toBe(-3.12);
  });
});

describe('compression', () => {
  const compress = async (text: string, options: object = {}) =>
    (await answer([{ id: 'a', text, embedding: [1] }], { compress: true, ...options })).chunks[0]?.text;
  const long = (start: string, length = 401) => start + 'x'.repeat(length - start.length);
  const MARK = ' ... [structured content truncated] ... ';

  test.each([
    ['  spaced \t out \n\n\u00a0text\u3000', 'spaced out text'],
    ['Please note that tolls rose.', 'tolls rose.'],
    ['It is important to note that IN ORDER TO cross you pay, as a reminder.', 'cross you pay, .'],
    ['as a reminders, in orders to', 'as a reminders, in orders to'],
    ['éin order to', 'éin order to'],
    ['_as a reminder', '_as a reminder'],
    ['please  note that', 'please note that'],
    ['', ''],
  ])('%j is sent as %j', async (text, short) => expect(await compress(text)).toBe(short));

  test('not at all, if it is switched off', async () => {
    const text = '  Please note that  ';
    expect(await compress(text, { compress: false })).toBe(text);
  });

  test.each([
    ['JSON', JSON.stringify([long('')])],
    ['markup', long('<p>')],
    ['one pipe', long('a | b ')],
    ['two tabs', long('a\tb\tc ')],
    ['six commas', long('a, b, c, d, e, f, g ')],
  ])('the middle of a table is cut: %s', async (_, text) => {
    expect(await compress(` ${text}\n`)).toBe(text.slice(0, 220) + MARK + text.slice(-120));
  });

  test('a table of 400 characters is only trimmed', async () => {
    const table = long('|  please note that  ', 400);
    expect(await compress(`\u3000${table}\n`)).toBe(table);
  });

  test.each([
    ['one tab', long('a\tb ')],
    ['five commas', long('a, b, c, d, e, f ')],
    ['a bracket that opens no JSON', long('[1] ')],
  ])('a text that is no table stays whole: %s', async (_, text) => {
    expect(await compress(text)).toBe(text.replace('\t', ' '));
  });

  test('characters are counted, not their halves', async () => {
    expect(await compress(`|${'🌉'.repeat(399)}`)).toBe(`|${'🌉'.repeat(399)}`);
    expect(await compress(`|${'🌉'.repeat(400)}`)).toBe(`|${'🌉'.repeat(219)}${MARK}${'🌉'.repeat(120)}`);
  });

  test('a long run of spaces', async () => {
    expect(await compress(`a${' '.repeat(300_000)}b`)).toBe('a b');
  });
});

describe('the log and the metrics', () => {
  const LONG = 'bridge ferry tunnel harbour station steel stone timber river valley summit meadow';
  const chunks = withScores(
    [
      { id: 'first', text: LONG, embedding: [1, 0, 0, 0] },
      { id: 'again', text: `${LONG}!`, embedding: [1, 0, 0, 0] },
      { id: 'nearly', text: LONG.replace('meadow', 'pasture'), embedding: [0.9, 0.1, 0, 0] },
      { id: 'member', text: 'lantern', embedding: [0.9, 0.3, 0, 0] },
      { id: 'other', text: 'violin', embedding: [0, 1, 0, 0] },
      { id: 'last', text: 'carpet', embedding: [0, 0, 1, 0] },
    ],
    ...[0.9, 0.1, 0.2, 0.3, 0.5, 0.4],
  );
  const request = { chunks, target_k: 2, token_budget: 3, enable_mmr: false, compress: false };

  test('count each chunk of the request that is not sent once, by why it went', async () => {
    const { body, facts } = await post(request);
    expect(body.chunks.map(({ id }) => id)).toEqual(['other']);
    expect(facts).toMatchObject({
      chunksIn: 6,
      chunksOut: 1,
      evictions: {
        'exact-duplicate': 1,
        'semantic-duplicate': 1,
        'cluster-member': 1,
        outranked: 1,
        'over-budget': 1,
      },
      degradations: [],
    });
  });
});

describe('vectors', () => {
  const TEXTS: Record<string, number[]> = {
    'Toll bridges': [1, 0],
    'Night ferries': [0, 1],
    'Car parks': [0.6, 0.8],
    'what does it cost': [1, 0.1],
  };
  const chunks = Object.keys(TEXTS)
    .slice(0, 3)
    .map((text, place) => ({ id: 'abc'.charAt(place), text, score: place }));
  const given = chunks.map((chunk) => ({ ...chunk, embedding: TEXTS[chunk.text] as number[] }));
  const byQuery = { ...APART, target_k: 1, query: 'what does it cost', mmr_lambda: 1 };

  /** Records the texts that it embeds. */
  function embedding(
    answer: (texts: readonly string[]) => unknown = (texts) => texts.map((text) => TEXTS[text]),
  ) {
    const asked: { texts: readonly string[]; queryIndex: number | undefined }[] = [];
    const embedder: Embedder = {
      embed: async (texts, options) => {
        asked.push({ texts, queryIndex: options?.queryIndex });
        return answer(texts) as number[][];
      },
    };
    return { embedder, asked };
  }

  test('the caller’s: nothing is asked', async () => {
    const { embedder, asked } = embedding();
    const { body, facts } = await post({ ...byQuery, chunks: given, query_embedding: [0, 1] }, embedder);
    expect(body.chunks.map(({ id }) => id)).toEqual(['b']);
    expect(facts?.degradations).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('one chunk has none: all are embedded, and the query with them', async () => {
    const { embedder, asked } = embedding();
    const mixed = [{ ...chunks[0], embedding: [] }, { ...given[1], embedding: [9, 9, 9] }, chunks[2]];
    const { body, facts } = await post({ ...byQuery, chunks: mixed, query_embedding: [0, 1, 0] }, embedder);
    expect(asked).toEqual([{ texts: [...chunks.map(({ text }) => text), byQuery.query], queryIndex: 3 }]);
    expect(body.chunks.map(({ id }) => id)).toEqual(['a']);
    expect(facts?.degradations).toEqual([]);
  });

  test('a vector of the query alone is compared with vectors of the embedder, if the dimension is right', async () => {
    const { embedder, asked } = embedding();
    const request = { ...byQuery, chunks, query: ' ', query_embedding: [0, 1] };
    expect((await post(request, embedder)).body.chunks.map(({ id }) => id)).toEqual(['b']);
    expect(asked).toEqual([{ texts: chunks.map(({ text }) => text), queryIndex: undefined }]);
    expect(await post({ ...request, query_embedding: [0, 1, 0] }, embedder)).toEqual({
      status: 400,
      body: { detail: 'query_embedding dimension 3 does not match chunk embedding dimension 2.' },
    });
  });

  test('the query has none: it is embedded alone', async () => {
    const { embedder, asked } = embedding();
    const { body } = await post({ ...byQuery, chunks: given }, embedder);
    expect(asked).toEqual([{ texts: [byQuery.query], queryIndex: 0 }]);
    expect(body.chunks.map(({ id }) => id)).toEqual(['a']);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('out of order'))],
    ['has another dimension', () => [[1, 0, 0]]],
    [
      'gives too many',
      () => [
        [1, 0],
        [1, 0],
      ],
    ],
    ['gives what is no number', () => [[Number.NaN, 0]]],
  ])('the query cannot be embedded, the embedder %s: by words', async (_, answer) => {
    const request = { ...byQuery, chunks: given, query: 'ferries at night' };
    const { body, facts } = await post(request, embedding(answer).embedder);
    expect(body.chunks.map(({ id }) => id)).toEqual(['b']);
    expect(facts?.degradations).toEqual(['query-not-embedded']);
  });

  test('no embedder for the query: by words', async () => {
    const request = { ...byQuery, chunks: given, query: 'ferries at night' };
    const { body, facts } = await post(request);
    expect(body.chunks.map(({ id }) => id)).toEqual(['b']);
    expect(facts?.degradations).toEqual(['query-not-embedded']);
    const whole = { ...request, cluster_threshold: 2, representative_strategy: 'query_closest' };
    expect((await post(whole)).body.chunks.map(({ id }) => id)).toEqual(['b']);
  });

  const SAID = [
    { id: 'a', text: 'Toll bridges of the north' },
    { id: 'b', text: 'Night ferries of the south' },
    { id: 'c', text: 'Tolls and fees: toll bridges' },
  ];
  test.each([
    ['there is no embedder', undefined, 'embeddings-incomplete'],
    ['it fails', () => Promise.reject(new Error('out of order')), 'embedder-failed'],
    ['it gives too few', () => [[1, 0]], 'embedder-failed'],
    ['dimensions differ', () => [[1, 0], [1], [1, 0], [1, 0]], 'embedder-failed'],
  ])('by words, for %s', async (_, answer, code) => {
    const embedder = answer && embedding(answer).embedder;
    const { body, facts } = await post({ ...byQuery, chunks: SAID, query: 'ferries at night' }, embedder);
    expect(body.chunks.map(({ id }) => id)).toEqual(['b']);
    expect(facts?.degradations).toEqual([code]);
    const clustered = await post({ chunks: SAID, cluster_threshold: 0.9 }, embedder);
    expect(clustered.body.stats.cluster_count).toBe(2);
    expect(clustered.facts?.evictions).toMatchObject({ 'cluster-member': 1 });
    const closest = { ...byQuery, cluster_threshold: 2, representative_strategy: 'query_closest' };
    const { body: chosen } = await post({ ...closest, chunks: SAID, query: 'fees' }, embedder);
    expect(chosen.chunks.map(({ id }) => id)).toEqual(['c']);
  });

  test('an abort is no failure', async () => {
    const stop = new AbortController();
    const never = new Promise<never>(() => {});
    for (const request of [{ chunks }, { ...byQuery, chunks: given }]) {
      const waiting = post(request, embedding(() => never).embedder, stop.signal);
      stop.abort(new Error('the caller left'));
      await expect(waiting).rejects.toThrow('the caller left');
    }
  });

  test('of different dimensions are refused', async () => {
    const { status, body } = await post({ chunks: [given[0], { ...given[1], embedding: [1, 0, 0] }] });
    expect(status).toBe(400);
    expect(body.detail).toMatch(/^chunks\[1\]\.embedding has another dimension than chunks\[0\]\.embedding/);
  });

  test('of zeros: as far from all as can be told', async () => {
    const zeros = given.map((chunk, place) => (place === 1 ? { ...chunk, embedding: [0, 0] } : chunk));
    expect(await left(zeros, { cluster_threshold: 0.999 })).toEqual(['b', 'c']);
    expect(await idsOf(given, { query_embedding: [0, 0], target_k: 1 })).toHaveLength(1);
  });
});

describe('nothing but the request', () => {
  test('decides: the same answer again, regardless of other requests in between', async () => {
    const optimize = await createOptimize({});
    const ask = async (request: object) => {
      const { body } = await optimize({
        body: new TextEncoder().encode(JSON.stringify(request)),
        isJson: true,
      });
      const { stats, ...rest } = JSON.parse(body);
      return { ...rest, stats: { ...stats, latency_ms: 0 } };
    };
    const request = { chunks: around(0, 30, 90), namespace: 'one' };
    const before = await ask(request);
    expect(before.chunks).toHaveLength(2);
    await Promise.all([ask({ ...request, namespace: 'two' }), ask({ chunks: around(5, 10) })]);
    expect(await ask(request)).toEqual(before);
    expect(await ask({ ...request, namespace: 'two' })).toEqual(before);
  });

  test('options that SlimContext lets callers choose, and unknown options, have no effect', async () => {
    const request = { chunks: around(0, 30, 90) };
    const plain = await post(request);
    const wordy = await post({ ...request, embedding_model: 'any/model', model: 1, k: 1, maxTokens: 1 });
    expect(wordy.body.chunks).toEqual(plain.body.chunks);
  });

  test('metadata come back as they were', async () => {
    const metadata = { source: 'a.md', page: 3, nested: { list: [1, null, '…'] } };
    const { chunks } = await answer([{ id: 'a', text: 'x', embedding: [1], metadata }]);
    expect(chunks).toEqual([{ id: 'a', text: 'x', score: 0, metadata }]);
  });
});
