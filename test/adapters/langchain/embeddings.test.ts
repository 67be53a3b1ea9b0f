import { ContextShapingError, createShaper } from 'context-shaping';
import { fromLangChainEmbeddings, type LangChainEmbeddingsOptions } from 'context-shaping/langchain';
import { describe, expect, test } from 'vitest';
import { HashEmbeddings, pause, vectorOf } from './hash-embeddings.js';

const texts = (count: number) =>
  Array.from({ length: count }, (_, at) => `passage number ${at} about topic${at}`);

test('the query through embedQuery, the others in batches through embedDocuments, in the order of the texts', async () => {
  const embeddings = new HashEmbeddings();
  const given = texts(8);
  const vectors = await fromLangChainEmbeddings(embeddings, { batchSize: 3 }).embed(given, { queryIndex: 2 });
  expect(vectors).toEqual(given.map((text, at) => vectorOf(text, at === 2 ? 'query' : 'documents')));
  expect(embeddings.requests).toEqual([
    { method: 'query', texts: [given[2]] },
    { method: 'documents', texts: [given[0], given[1], given[3]] },
    { method: 'documents', texts: [given[4], given[5], given[6]] },
    { method: 'documents', texts: [given[7]] },
  ]);
});

test('without a query, with a query alone, and with nothing: no empty batch is sent', async () => {
  const embeddings = new HashEmbeddings();
  const embedder = fromLangChainEmbeddings(embeddings, { batchSize: 2 });
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

test('requests of one call under way are bounded', async () => {
  const embeddings = new HashEmbeddings(() => pause(5));
  const embedder = fromLangChainEmbeddings(embeddings, { batchSize: 1, maxConcurrency: 3 });
  await embedder.embed(texts(10), { queryIndex: 0 });
  expect(embeddings.requests).toHaveLength(10);
  expect(embeddings.peak).toBe(3);
});

describe('a failed request', () => {
  const failing = (times: number, error: Error) => {
    let left = times;
    return new HashEmbeddings(async () => {
      if (left-- > 0) throw error;
    });
  };
  test('is repeated by the class alone', async () => {
    const embeddings = failing(1, new Error('503'));
    await expect(fromLangChainEmbeddings(embeddings).embed(texts(2), {})).rejects.toThrow('503');
    expect(embeddings.requests).toHaveLength(1);
  });
  test('drops those that wait', async () => {
    const embeddings = failing(1, Object.assign(new Error('bad key'), { status: 401 }));
    const embedder = fromLangChainEmbeddings(embeddings, { batchSize: 1, maxConcurrency: 1 });
    await expect(embedder.embed(texts(20), {})).rejects.toThrow('bad key');
    await pause(30);
    expect(embeddings.requests.length).toBeLessThan(4);
    // And the queue is free for the next call.
    expect(await embedder.embed(texts(1), {})).toHaveLength(1);
  });
});

describe('abort', () => {
  test('before: nothing is sent', async () => {
    const embeddings = new HashEmbeddings();
    const reason = new Error('no');
    await expect(
      fromLangChainEmbeddings(embeddings).embed(texts(3), { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
    expect(embeddings.requests).toEqual([]);
  });
  test('during: waiting stops at once, and queued texts are dropped', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const embeddings = new HashEmbeddings(() => gate);
    const embedder = fromLangChainEmbeddings(embeddings, { batchSize: 1, maxConcurrency: 2 });
    const controller = new AbortController();
    const call = embedder.embed(texts(10), { signal: controller.signal });
    await pause(20);
    controller.abort('a reason that is no error');
    await expect(call).rejects.toBe('a reason that is no error');
    release();
    await pause(20);
    expect(embeddings.requests).toHaveLength(2);
    expect(await embedder.embed(texts(1), {})).toHaveLength(1);
  });
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

test.each<[object, string, unknown]>([
  [{ batchSize: 0 }, 'batchSize', 0],
  [{ maxConcurrency: 1.5 }, 'maxConcurrency', 1.5],
  [{ retries: 3 }, 'retries', 3],
])('%j is refused', (options, field, value) => {
  try {
    fromLangChainEmbeddings(new HashEmbeddings(), options as LangChainEmbeddingsOptions);
    expect.unreachable();
  } catch (error) {
    expect(ContextShapingError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ kind: 'invalid-options', field, value });
  }
});

test('a value that is no Embeddings is refused', () => {
  expect(() => fromLangChainEmbeddings({ embedQuery: async () => [] } as never)).toThrow(
    /embeddings must have the methods/,
  );
});
