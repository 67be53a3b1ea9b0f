import { createShaper } from 'context-shaping';
import { fromLangChainEmbeddings } from 'context-shaping/langchain';
import { expect, test } from 'vitest';
import { HashEmbeddings, vectorOf } from './hash-embeddings.js';

const texts = (count: number) =>
  Array.from({ length: count }, (_, at) => `passage number ${at} about topic${at}`);

test('the query through embedQuery, the others through one embedDocuments, in the order of the texts', async () => {
  const embeddings = new HashEmbeddings();
  const given = texts(4);
  const vectors = await fromLangChainEmbeddings(embeddings).embed(given, { queryIndex: 2 });
  expect(vectors).toEqual(given.map((text, at) => vectorOf(text, at === 2 ? 'query' : 'documents')));
  expect(embeddings.requests).toEqual([
    { method: 'query', texts: [given[2]] },
    { method: 'documents', texts: [given[0], given[1], given[3]] },
  ]);
});

test('without a query, with a query alone, and with nothing: no empty request is sent', async () => {
  const embeddings = new HashEmbeddings();
  const embedder = fromLangChainEmbeddings(embeddings);
  expect(await embedder.embed(texts(2), {})).toHaveLength(2);
  expect(await embedder.embed(['q'], { queryIndex: 0 })).toEqual([vectorOf('q', 'query')]);
  expect(await embedder.embed([], {})).toEqual([]);
  expect(embeddings.requests.map(({ method, texts: sent }) => [method, sent.length])).toEqual([
    ['documents', 2],
    ['query', 1],
  ]);
});

test('blank texts are not sent; their vectors are zero', async () => {
  const embeddings = new HashEmbeddings();
  const vectors = await fromLangChainEmbeddings(embeddings).embed(['one', '', 'two', ' \n'], {
    queryIndex: 2,
  });
  expect(embeddings.requests.flatMap((request) => request.texts).sort()).toEqual(['one', 'two']);
  expect(vectors.map((vector) => Array.from(vector).every((value) => value === 0))).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
});

test('a failed request is repeated by the class alone', async () => {
  const embeddings = new HashEmbeddings(() => Promise.reject(new Error('503')));
  await expect(fromLangChainEmbeddings(embeddings).embed(texts(2), {})).rejects.toThrow('503');
  expect(embeddings.requests).toHaveLength(1);
});

test('an abort before sends nothing; one on the way ends the wait at once', async () => {
  const embeddings = new HashEmbeddings(() => new Promise(() => {}));
  const embedder = fromLangChainEmbeddings(embeddings);
  const reason = new Error('no');
  await expect(embedder.embed(texts(3), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(embeddings.requests).toEqual([]);
  const controller = new AbortController();
  const call = embedder.embed(texts(3), { signal: controller.signal });
  controller.abort('a reason that is no error');
  await expect(call).rejects.toBe('a reason that is no error');
});

test('a vector that is missing is handed on as missing, not as zeros', async () => {
  const embeddings = { embedQuery: async () => [1], embedDocuments: async () => [[1], null as never] };
  expect(await fromLangChainEmbeddings(embeddings).embed(texts(2), {})).toEqual([[1], null]);
});

test('too few vectors are an error, not a shift', async () => {
  const embeddings = { embedQuery: async () => [1], embedDocuments: async () => [[1]] };
  await expect(fromLangChainEmbeddings(embeddings).embed(texts(2), {})).rejects.toMatchObject({
    kind: 'invalid-input',
    value: 1,
  });
});

test('in a shaper: a service that is down degrades to words', async () => {
  const embedder = fromLangChainEmbeddings(new HashEmbeddings(() => Promise.reject(new Error('down'))));
  const { chunks, report } = await createShaper({ embedder, errorMessages: true }).shape({
    query: 'q',
    chunks: [{ id: 'a', text: 'one' }],
  });
  expect(chunks).toHaveLength(1);
  expect(report.degradations).toMatchObject([
    { code: 'embedder-failed', message: expect.stringContaining('down') },
  ]);
});

test('a value that is no Embeddings is refused', () => {
  expect(() => fromLangChainEmbeddings({ embedQuery: async () => [] } as never)).toThrow(
    /embeddings must have the methods/,
  );
});
