import { ContextualCompressionRetriever } from '@langchain/classic/retrievers/contextual_compression';
import { EmbeddingsFilter } from '@langchain/classic/retrievers/document_compressors/embeddings_filter';
import { BM25Retriever } from '@langchain/community/retrievers/bm25';
import type { BaseRetrieverInterface } from '@langchain/core/retrievers';
import { ensureConfig, RunnableLambda } from '@langchain/core/runnables';
import { ContextShapingError } from 'context-shaping';
import { ContextShapingCompressor, ShapedRetriever } from 'context-shaping/langchain';
import { describe, expect, test, vi } from 'vitest';
import { HashEmbeddings, pause } from './hash-embeddings.js';
import { FixedRetriever, frozenHarbour, harbour, QUERY, recorder } from './support.js';

test('what the retriever found, shaped: over BM25Retriever', async () => {
  const documents = frozenHarbour();
  const retriever = new ShapedRetriever({
    retriever: BM25Retriever.fromDocuments(documents, { k: 6 }),
    compressor: { k: 3 },
  });
  const found = await retriever.invoke(QUERY);
  expect(found).toHaveLength(3);
  for (const each of found) expect(documents).toContain(each);
});

test('a compressor, its fields, another compressor, or nothing', async () => {
  const base = new FixedRetriever(harbour());
  const compressor = new ContextShapingCompressor({ k: 1 });
  expect(new ShapedRetriever({ retriever: base, compressor }).compressor).toBe(compressor);
  expect(await new ShapedRetriever({ retriever: base }).invoke(QUERY)).toHaveLength(5);
  const filter = new EmbeddingsFilter({ embeddings: new HashEmbeddings(), k: 2 });
  expect(await new ShapedRetriever({ retriever: base, compressor: filter }).invoke(QUERY)).toHaveLength(2);
});

test('runs are nested: retriever and compressor beneath the shaped retriever, its own name and id kept', async () => {
  const { handler, runs, named, events } = recorder();
  const runId = crypto.randomUUID();
  const retriever = new ShapedRetriever({ retriever: new FixedRetriever(harbour()), compressor: { k: 3 } });
  await retriever.invoke(QUERY, { callbacks: [handler], runId, runName: 'mine' });
  expect(named('mine')).toMatchObject({ kind: 'retriever', id: runId, parent: undefined });
  expect(runs.map(({ kind, parent, end }) => [kind, parent, end])).toEqual([
    ['retriever', undefined, 'ok'],
    ['retriever', runId, 'ok'],
    ['chain', runId, 'ok'],
  ]);
  expect(new Set(runs.map(({ id }) => id)).size).toBe(3);
  expect(events).toHaveLength(1);
});

test('what the retriever inside runs without a config is nested too', async () => {
  const { handler, named } = recorder();
  const inner = RunnableLambda.from(() => 'rewritten').withConfig({ runName: 'rewrite' });
  const base = new FixedRetriever(harbour(), () => inner.invoke(QUERY));
  const outer = RunnableLambda.from((query: string) =>
    new ShapedRetriever({ retriever: base }).invoke(query),
  );
  await outer.invoke(QUERY, { callbacks: [handler] });
  expect(named('rewrite').parent).toBe(named('ShapedRetriever').id);
});

test('signal, configurable, tags and metadata reach the retriever inside, also through the context', async () => {
  const seen: unknown[] = [];
  const base = new FixedRetriever(harbour(), async () => seen.push(ensureConfig().configurable));
  const { signal } = new AbortController();
  const config = { signal, configurable: { tenant: 'acme' }, tags: ['t'], metadata: { m: 1 } };
  await new ShapedRetriever({ retriever: base }).invoke(QUERY, config);
  expect(base.configs[0]).toMatchObject({
    configurable: { tenant: 'acme' },
    tags: ['t'],
    metadata: { m: 1 },
  });
  expect(base.configs[0]?.signal).toBe(signal);
  expect(seen).toEqual([{ tenant: 'acme' }]);
});

test('callers at the same time do not see each other’s configurable', async () => {
  const base = new FixedRetriever(harbour(), () => pause(5));
  const retriever = new ShapedRetriever({ retriever: base });
  const tenants = Array.from({ length: 20 }, (_, at) => `tenant-${at}`);
  await Promise.all(tenants.map((tenant) => retriever.invoke(QUERY, { configurable: { tenant } })));
  expect(base.configs.map(({ configurable }) => configurable?.tenant)).toEqual(tenants);
});

test('inside ContextualCompressionRetriever, which gives callbacks where options belong', async () => {
  const { handler, named, events } = recorder();
  const retriever = new ContextualCompressionRetriever({
    baseRetriever: new ShapedRetriever({ retriever: new FixedRetriever(harbour()), compressor: { k: 3 } }),
    baseCompressor: new ContextShapingCompressor({ k: 1 }),
  });
  expect(await retriever.invoke(QUERY, { callbacks: [handler], runName: 'ccr' })).toHaveLength(1);
  expect(named('ShapedRetriever').parent).toBe(named('ccr').id);
  expect(events).toHaveLength(2);
});

describe('abort', () => {
  const stuck = new FixedRetriever(harbour(), () => new Promise(() => {}));
  test('stops waiting for a retriever that ignores the signal, and closes its run', async () => {
    const { handler, named } = recorder();
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = new ShapedRetriever({ retriever: stuck }).invoke(QUERY, {
      signal: controller.signal,
      callbacks: [handler],
    });
    setTimeout(() => controller.abort(reason), 20);
    await expect(call).rejects.toBe(reason);
    expect(named('ShapedRetriever').end).toBe('error');
  });
  test('an aborted signal starts nothing', async () => {
    const base = new FixedRetriever(harbour());
    await expect(
      new ShapedRetriever({ retriever: base }).invoke(QUERY, { signal: AbortSignal.abort(new Error('no')) }),
    ).rejects.toThrow('no');
    expect(base.configs).toEqual([]);
  });
  test('a timeout is a signal', async () => {
    await expect(new ShapedRetriever({ retriever: stuck }).invoke(QUERY, { timeout: 20 })).rejects.toThrow(
      /timeout/i,
    );
  });
  test('reaches the embedder of the compressor', async () => {
    const embed = vi.fn(
      (_: readonly string[], { signal }: { signal?: AbortSignal }) =>
        new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const controller = new AbortController();
    const retriever = new ShapedRetriever({
      retriever: new FixedRetriever(harbour()),
      compressor: { embedder: { embed } },
    });
    const call = retriever.invoke(QUERY, { signal: controller.signal });
    void vi.waitFor(() => expect(embed).toHaveBeenCalled()).then(() => controller.abort(new Error('enough')));
    await expect(call).rejects.toThrow('enough');
    expect(embed.mock.calls[0]?.[1].signal?.aborted).toBe(true);
  });
});

test('a retriever that fails fails the call, with its own error', async () => {
  const failure = new Error('index is down');
  const retriever = new ShapedRetriever({ retriever: new FixedRetriever([], () => Promise.reject(failure)) });
  await expect(retriever.invoke(QUERY)).rejects.toBe(failure);
});

test('no fields in traces; no retriever, no ShapedRetriever', () => {
  const retriever = new ShapedRetriever({
    retriever: new FixedRetriever(harbour()),
    metadata: { secret: 'hunter2' },
  });
  expect(JSON.stringify(retriever)).not.toContain('hunter2');
  const make = () => new ShapedRetriever({ retriever: {} as BaseRetrieverInterface });
  expect(make).toThrow(ContextShapingError);
  expect(make).toThrow(/retriever must be a retriever/);
});
