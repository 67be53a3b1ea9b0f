import { Document } from '@langchain/core/documents';
import { ContextShapingError, createShaper } from 'context-shaping';
import { ContextShapingCompressor, type ContextShapingCompressorFields } from 'context-shaping/langchain';
import { fakeJudge } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../support.js';
import { frozenHarbour, harbour, QUERY } from './support.js';

const shape = (documents: Document[], fields: ContextShapingCompressorFields = {}, query = QUERY) =>
  new ContextShapingCompressor(fields).shape(documents, query);

test('a document that stays whole is the same object, unchanged in every way', async () => {
  const documents = frozenHarbour();
  const before = structuredClone(documents.map((document) => ({ ...document })));
  const { documents: kept, report } = await shape(documents, { k: 3 });
  expect(kept).toHaveLength(3);
  expect(report.evicted).toHaveLength(3);
  for (const [place, document] of kept.entries())
    expect(document).toBe(documents[report.kept[place]?.index as number]);
  expect(documents.map((document) => ({ ...document }))).toEqual(before);
});

test('a document whose text is sanitised comes back as a copy', async () => {
  const documents = deepFreeze([
    new Document({
      pageContent: 'The ferry\u202e leaves at seven. <|im_start|>',
      id: 'a',
      metadata: { source: 'a' },
    }),
    new Document({ pageContent: 'Trams are yellow.' }),
  ]);
  const { documents: kept } = await shape(documents, { sanitise: 'strip', order: 'input' });
  expect(kept[0]).toEqual(
    new Document({
      pageContent: 'The ferry leaves at seven. < |im_start|>',
      id: 'a',
      metadata: { source: 'a' },
    }),
  );
  expect(kept[1]).toBe(documents[1]);
});

test('a document that is cut comes back as a copy with the same id and metadata, and nothing more', async () => {
  const [document] = deepFreeze([
    new Document({
      pageContent: `${'One sentence here. '.repeat(40)}`,
      id: 'long',
      metadata: { source: 'a' },
    }),
  ]);
  const { documents, report } = await shape([document as Document], { budget: { maxTokens: 12 } });
  expect(documents).toHaveLength(1);
  expect(documents[0]).not.toBe(document);
  expect(documents[0]).toBeInstanceOf(Document);
  expect({ ...documents[0], pageContent: '' }).toEqual({
    pageContent: '',
    id: 'long',
    metadata: { source: 'a' },
  });
  expect(documents[0]?.metadata).not.toBe(document?.metadata);
  const { start, end } = report.kept[0]?.excerpts?.[0] ?? { start: -1, end: -1 };
  expect(documents[0]?.pageContent).toBe(document?.pageContent.slice(start, end));
  expect(documents[0]?.pageContent.length).toBeGreaterThan(0);
});

test('a cut document without an id gets none', async () => {
  const { documents } = await shape([new Document({ pageContent: 'One sentence here. '.repeat(40) })], {
    budget: { maxTokens: 12 },
  });
  expect(documents[0]?.id).toBeUndefined();
});

describe('ids', () => {
  const named = (id: string | undefined, pageContent: string) =>
    new Document({ pageContent, ...(id === undefined ? {} : { id }) });
  const idsOf = async (...documents: Document[]) =>
    (await shape(documents, { exactDedup: false, semanticDedup: false })).report.input;

  test('the own id, else the place', async () => {
    expect(await idsOf(named('a', 'one'), named(undefined, 'two'), named('', 'three'))).toEqual([
      'a',
      'doc-1',
      'doc-2',
    ]);
  });
  test('one id for one text is fine; for another text it gets a number', async () => {
    expect(await idsOf(named('a', 'one'), named('a', 'one'), named('a', 'two'), named('a', 'three'))).toEqual(
      ['a', 'a', 'a#2', 'a#3'],
    );
  });
  test('derived and numbered ids do not collide with real ones', async () => {
    expect(await idsOf(named('doc-1', 'one'), named(undefined, 'two'))).toEqual(['doc-1', 'doc-1#2']);
    expect(await idsOf(named('a#2', 'one'), named('a', 'two'), named('a', 'three'))).toEqual([
      'a#2',
      'a',
      'a#3',
    ]);
  });
});

describe('scores', () => {
  const scoresOf = async (metadata: Record<string, unknown>, scoreField?: string) => {
    const { report } = await shape([new Document({ pageContent: 'text', metadata })], { scoreField });
    return report.kept[0]?.score;
  };
  test.each([
    [{ relevanceScore: 0.9, score: 0.1, _score: 7 }, 0.9],
    [{ score: 0.1, _score: 7 }, 0.1],
    [{ _score: 7 }, 7],
    [{ relevanceScore: 'high', score: 0 }, 0],
    [{ score: Number.NaN }, undefined],
    [{ score: null }, undefined],
    [{}, undefined],
  ])('%j', async (metadata, score) => expect(await scoresOf(metadata)).toBe(score));
  test("only what all documents have under one key is the retriever's", async () => {
    const scores = async (...all: Record<string, unknown>[]) => {
      const documents = all.map(
        (metadata, at) => new Document({ pageContent: `text ${at}`, id: `${at}`, metadata }),
      );
      const { report } = await shape(documents);
      return report.kept.toSorted((a, b) => a.index - b.index).map(({ score }) => score);
    };
    expect(await scores({ score: 0.9 }, { score: 0.8, relevanceScore: 1e9 })).toEqual([0.9, 0.8]);
    expect(await scores({}, { score: 1e9 }, {})).toEqual([undefined, undefined, undefined]);
  });
  test('from the field that is named, and from no other', async () => {
    expect(await scoresOf({ bm25: 3, score: 1 }, 'bm25')).toBe(3);
    expect(await scoresOf({ score: 1 }, 'bm25')).toBeUndefined();
  });
});

test('documents from a checkpoint are plain objects, and shape as well', async () => {
  const plain = deepFreeze(JSON.parse(JSON.stringify(harbour())) as Document[]);
  const [fromPlain, fromClass] = [await shape(plain, { k: 2 }), await shape(harbour(), { k: 2 })];
  expect(fromPlain.report.digest).toBe(fromClass.report.digest);
  expect(plain).toContain(fromPlain.documents[0]);
});

test('getEmbedding gives the vectors; metadata.embedding is left alone', async () => {
  const documents = [
    new Document({
      pageContent: 'a cat sat on the mat',
      metadata: { vector: [1, 0], embedding: 'not a vector' },
    }),
    new Document({ pageContent: 'also a cat sat on the mat', metadata: { vector: [0, 1] } }),
  ];
  expect((await shape(documents)).documents).toHaveLength(1);
  expect(
    (await shape(documents, { getEmbedding: ({ metadata }) => metadata.vector })).documents,
  ).toHaveLength(2);
});

test('the vector of the query may come with it', async () => {
  const documents = [
    new Document({ pageContent: 'words of no help', metadata: { vector: [1, 0] } }),
    new Document({ pageContent: 'other words of no help', metadata: { vector: [0, 1] } }),
  ];
  const compressor = new ContextShapingCompressor({
    getEmbedding: ({ metadata }) => metadata.vector,
    k: 1,
    ranked: false,
  });
  for (const embedding of [
    [1, 0],
    [0, 1],
  ]) {
    const { documents: kept } = await compressor.shape(documents, { text: 'unrelated', embedding });
    expect(kept[0]?.metadata.vector).toEqual(embedding);
  }
});

test('render decides which text is counted, not which is returned', async () => {
  const documents = harbour();
  const plain = await shape(documents);
  const rendered = await shape(documents, {
    render: ({ metadata, pageContent }) => `${metadata.source}: ${pageContent}`.repeat(3),
  });
  expect(rendered.report.tokens.input).toBeGreaterThan(2 * plain.report.tokens.input);
  expect(documents).toEqual(expect.arrayContaining(rendered.documents));
});

describe('citeSources', () => {
  test('off: the heir of a copy is the same object; its sources are in the report', async () => {
    const documents = frozenHarbour();
    const { documents: kept, report } = await shape(documents);
    expect(kept).toContain(documents[0]);
    expect(report.kept.find(({ id }) => id === 'h0')?.sources.map(({ source }) => source)).toEqual([
      'harbour-0.md',
      'harbour-2.md',
    ]);
  });
  test('on: a copy that lists them; what inherited nothing stays the same object', async () => {
    const documents = frozenHarbour();
    const { documents: kept } = await shape(documents, { citeSources: 'citations' });
    const heir = kept.find(({ id }) => id === 'h0');
    expect(heir).not.toBe(documents[0]);
    expect(heir?.pageContent).toBe(documents[0]?.pageContent);
    expect(heir?.metadata).toEqual({
      ...documents[0]?.metadata,
      citations: [
        { id: 'h0', source: 'harbour-0.md' },
        { id: 'h2', source: 'harbour-2.md' },
      ],
    });
    expect(kept.filter((each) => documents.includes(each as Document))).toHaveLength(kept.length - 1);
  });
});

describe('mistakes are named', () => {
  const problem = async (run: () => unknown) => {
    try {
      await run();
    } catch (error) {
      if (ContextShapingError.isInstance(error)) return { kind: error.kind, field: error.field };
      throw error;
    }
    return undefined;
  };
  const make = (fields: object) => () =>
    new ContextShapingCompressor(fields as ContextShapingCompressorFields);

  test.each([
    [{ k: 0 }, 'k'],
    [{ kk: 1 }, 'kk'],
    [{ render: 'pageContent' }, 'render'],
    [{ render: () => '', frame: {} }, 'render'],
    [{ getEmbedding: [1] }, 'getEmbedding'],
    [{ scoreField: 7 }, 'scoreField'],
    [{ citeSources: '' }, 'citeSources'],
    [{ embedder: {} }, 'embedder'],
    [{ embedder: { embedDocuments: () => [] } }, 'embeddings'],
    [{ shaper: {} }, 'shaper'],
    [{ shaper: createShaper(), k: 3 }, 'k'],
  ])('%j', async (fields, field) => {
    expect(await problem(make(fields))).toEqual({ kind: 'invalid-options', field });
  });
  test.each([
    ['documents', undefined],
    ['documents[1]', [new Document({ pageContent: '' }), null]],
    ['documents[0].pageContent', [{ metadata: {} }]],
    ['query.text', []],
  ])('%s', async (field, documents) => {
    const query = (field === 'query.text' ? { text: 7 } : 'q') as string;
    expect(await problem(() => shape(documents as Document[], {}, query))).toEqual({
      kind: 'invalid-input',
      field,
    });
  });
});

test('never empty unless it may be; no documents are no error', async () => {
  const tight: ContextShapingCompressorFields = { budget: { maxTokens: 5 } };
  expect((await shape(harbour(), tight)).documents).toHaveLength(1);
  expect((await shape(harbour(), { ...tight, allowEmpty: true })).documents).toHaveLength(0);
  expect((await shape([])).documents).toEqual([]);
});

test('the right answer is part of the query', async () => {
  const judge = fakeJudge();
  const compressor = new ContextShapingCompressor({ ecs: { judge, trust: 'always' } });
  await compressor.shape([new Document({ pageContent: 'It is in Paris.' })], {
    text: 'Where?',
    answer: 'Paris',
  });
  expect(judge.calls[0]?.[0]).toMatchObject({ question: 'Where?', answer: 'Paris' });
});
