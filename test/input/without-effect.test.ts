/** Values that have no effect are in the report, with a remedy; values that have an effect are not. */
import { type Chunk, createShaper, type ShapingOptions } from 'context-shaping';
import { fakeEmbedder } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';

const chunks: Chunk[] = [
  {
    id: 'guide-1',
    text: 'The bridge opened in 1932.',
    metadata: { source: 'guide.md', tenant: 'a', trust: 'manual' },
  },
  {
    id: 'guide-2',
    text: 'Cats sleep for most of the day.',
    metadata: { source: 'web.md', tenant: 'b', trust: 'web', at: { page: 3 } },
  },
];
const withVectors = chunks.map((chunk, at) => ({ ...chunk, embedding: [1, at] }));
const query = 'When did the bridge open?';
type Given = Partial<Parameters<ReturnType<typeof createShaper>['shape']>[0]>;
const told = async (options: ShapingOptions, given: Given = {}) =>
  (await createShaper(options).shape({ query, chunks, ...given })).report.degradations;
const idle = (field: string, message: string) => [
  { stage: 'input', code: 'option-without-effect', message, field },
];
const HAS = 'The metadata has "at", "source", "tenant", "trust".';

describe('pin', () => {
  test('names the ids that no chunk has', async () => {
    expect(await told({ pin: ['guide-1', 'guide_2', 'guide-3'] })).toEqual([
      {
        stage: 'input',
        code: 'pin-not-found',
        message:
          'No chunk has the id "guide_2", "guide-3", which pin names. Chunks have ids such as "guide-1".',
        field: 'pin',
      },
    ]);
  });
  test('says nothing if all are there, and does not ask a function', async () => {
    expect(await told({ pin: ['guide-1', 'guide-2'] })).toEqual([]);
    expect(await told({ pin: () => false })).toEqual([]);
  });
  test('a thousand unknown ids of a thousand characters are no work', async () => {
    const long = (letter: string) => Array.from({ length: 1000 }, (_, at) => letter.repeat(1000) + at);
    const many = long('x').map((id) => ({ id, text: id.slice(-4) }));
    const [degradation] = await told({ pin: long('y') }, { chunks: many });
    expect(degradation?.message.length).toBeLessThan(2000);
    expect(degradation?.message).toContain('and 995 others');
  });
});

describe('paths of metadata', () => {
  test('a path that was given and that no chunk has', async () => {
    expect(await told({ fields: { source: 'sorce' } })).toEqual(
      idle('fields.source', `No chunk has a plain value at fields.source, "sorce". ${HAS}`),
    );
    expect(await told({ fields: { position: ['chapter', 'at.pages'] } })).toEqual(
      idle('fields.position', `No chunk has a plain value at fields.position, "chapter", "at.pages". ${HAS}`),
    );
    expect(await told({ fields: { title: 'headline' } }, { chunks: [{ id: 'a', text: 'A.' }] })).toEqual(
      idle(
        'fields.title',
        'No chunk has a plain value at fields.title, "headline". The chunks have no metadata.',
      ),
    );
  });
  test('one chunk that has it is enough; defaults are not asked for', async () => {
    expect(await told({ fields: { position: 'at.page' } })).toEqual([]);
    expect(await told({}, { chunks: [{ id: 'a', text: 'A.' }] })).toEqual([]);
  });
  test('a namespace', async () => {
    expect(await told({ namespace: 'tennant' })).toEqual(
      idle(
        'namespace',
        `No chunk has a plain value at namespace, "tennant"; all chunks are compared with each other. ${HAS}`,
      ),
    );
    expect(await told({ namespace: 'tenant' })).toEqual([]);
  });
});

describe('trust', () => {
  const tiers = (...values: string[]) => ({ trust: values.map((value) => ({ value })) });
  test('no chunk with any of the values, or with any value at all', async () => {
    expect(await told(tiers('own', '*'))).toEqual(
      idle('trust', `No chunk has a value that trust names at fields.trust, "trust". ${HAS}`),
    );
    expect(await told({ ...tiers('manual'), fields: { trust: 'level' } })).toEqual(
      idle('trust', `No chunk has a value that trust names at fields.trust, "level". ${HAS}`),
    );
  });
  test('a tier without a chunk in this call is usual', async () => {
    expect(await told(tiers('manual', 'partners', '*'))).toEqual([]);
  });
});

describe('a query and its vector', () => {
  test('only the chunks have vectors', async () => {
    expect(await told({}, { chunks: withVectors })).toMatchObject([
      { stage: 'embed', code: 'query-not-embedded', message: expect.stringContaining('{ text, embedding }') },
    ]);
  });
  test('only the query has a vector', async () => {
    expect(await told({}, { query: { text: query, embedding: [1, 0] } })).toMatchObject([
      { stage: 'embed', code: 'embeddings-incomplete', message: expect.stringContaining('no chunk has one') },
    ]);
  });
  test('both have vectors, or an embedder makes the missing ones, or nothing would use them', async () => {
    const vector = { query: { text: query, embedding: [1, 0] } };
    expect(await told({}, { ...vector, chunks: withVectors })).toEqual([]);
    const embedder = fakeEmbedder({ dimensions: 2 });
    expect(await told({ embedder }, { chunks: withVectors })).toEqual([]);
    expect(await told({ embedder: fakeEmbedder() }, vector)).toEqual([]);
    expect(await told({ relevance: false }, { chunks: withVectors })).toEqual([]);
    expect(await told({ relevance: { weights: { cosine: 0 } } }, { chunks: withVectors })).toEqual([]);
  });
  test('no text and no vector', async () => {
    for (const empty of ['', ' \n', { text: '' }])
      expect(await told({}, { query: empty })).toMatchObject([{ stage: 'relevance', code: 'query-empty' }]);
    expect(await told({}, { query: { text: '', embedding: [1, 0] }, chunks: withVectors })).toEqual([]);
    expect(await told({ relevance: false }, { query: '' })).toEqual([]);
  });
});

test('a call without chunks says nothing, and onReport hears what the report has', async () => {
  const options = { pin: ['x'], namespace: 'y', fields: { source: 'z' } };
  expect(await told(options, { chunks: [], query: '' })).toEqual([]);
  const heard: unknown[] = [];
  const all = await told({ ...options, onReport: ({ degradations }) => void heard.push(degradations) });
  expect(all.map(({ code }) => code)).toEqual([
    'pin-not-found',
    'option-without-effect',
    'option-without-effect',
  ]);
  expect(heard).toEqual([all]);
});

test('shaper.with: paths that were given later count as well', async () => {
  const shaper = createShaper().with({ fields: { source: 'sorce' } });
  const { report } = await shaper.shape({ query, chunks });
  expect(report.degradations).toMatchObject([{ code: 'option-without-effect' }]);
});
