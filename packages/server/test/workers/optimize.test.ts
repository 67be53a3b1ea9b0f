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

/** A vector in a plane. */
const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
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

  test('the threshold is lowered where all vectors are in one corner', async () => {
    const crowd = [0, 5, 8, 20].map((degrees, place) => ({
      id: 'abcd'.charAt(place),
      text: `${WORDS.slice(0, 6).join(' ')} ${OTHER[place]}`,
      embedding: at(degrees),
    }));
    const options = { semantic_dedup_threshold: 0.05 };
    // The median of six is that of 8 and 12 degrees, .0158, a fifth of it .0032.
    expect(await left(crowd, options)).toEqual(['a', 'b', 'd']);
    const far = { id: 'e', text: 'lantern', embedding: at(90) };
    expect(await left([...crowd, far], options)).toEqual(['a', 'd', 'e']);
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
  test('a merge at the threshold is refused', async () => {
    const [one, other] = around(0, 0) as [Chunk, Chunk];
    const halfApart = [
      { ...one, embedding: [1, 0, 0, 0] },
      { ...other, embedding: [2, 2, 2, 2] },
    ];
    expect((await answer(halfApart, { cluster_threshold: 0.5 })).stats.cluster_count).toBe(2);
    expect((await answer(halfApart, { cluster_threshold: 0.5001 })).stats.cluster_count).toBe(1);
  });
});

describe('selection', () => {
  test('scores as far apart as numbers can be', async () => {
    const chunks = withScores(around(0, 30, 90), -1.5e308, 0, 1.5e308);
    for (const enable_mmr of [true, false]) {
      expect(await idsOf(chunks, { target_k: 1, enable_mmr })).toEqual(['c']);
    }
  });
});

describe('budget', () => {
  test('what looks like a special token is text', async () => {
    const text = 'The <|endoftext|> marker separates documents';
    const { stats } = await answer([{ id: 'a', text, embedding: [1] }]);
    expect(stats.input_tokens).toBe(countTokens(text, { disallowedSpecial: new Set() }));
  });

  const words = (n: number) => Array(n).fill('a').join(' ');
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
});
