import { ContextualCompressionRetriever } from '@langchain/classic/retrievers/contextual_compression';
import { DocumentCompressorPipeline } from '@langchain/classic/retrievers/document_compressors';
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { BM25Retriever } from '@langchain/community/retrievers/bm25';
import { CallbackManager } from '@langchain/core/callbacks/manager';
import { Document } from '@langchain/core/documents';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnableLambda, RunnablePassthrough, RunnableSequence } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import { createShaper } from 'context-shaping';
import { explain } from 'context-shaping/explain';
import {
  ContextShapingCompressor,
  EVICTED_EVENT,
  formatDocument,
  ShapedRetriever,
} from 'context-shaping/langchain';
import { describe, expect, test, vi } from 'vitest';
import { ids } from '../../support.js';
import { HashEmbeddings } from './hash-embeddings.js';
import { FixedRetriever, frozenHarbour, harbour, QUERY, recorder } from './support.js';

const withIds = (documents: { id?: string | undefined }[]) => documents.map(({ id }) => id);

describe('callbacks in their three shapes', () => {
  test('a manager with a parent run: a child run, and the event on it', async () => {
    const { handler, runs, events, named } = recorder();
    const parent = crypto.randomUUID();
    const manager = new CallbackManager(parent);
    manager.addHandler(CallbackManager.fromHandlers(handler).handlers[0] as never);
    await new ContextShapingCompressor({ k: 3 }).compressDocuments(harbour(), QUERY, manager);
    expect(runs).toMatchObject([{ kind: 'chain', name: 'ContextShapingCompressor', parent, end: 'ok' }]);
    expect(events.map(({ name, runId }) => [name, runId])).toEqual([
      [EVICTED_EVENT, named('ContextShapingCompressor').id],
    ]);
  });
  test('handlers: a run of its own', async () => {
    const { handler, runs, events } = recorder();
    await new ContextShapingCompressor({ k: 3 }).compressDocuments(harbour(), QUERY, [handler]);
    expect(runs).toMatchObject([{ name: 'ContextShapingCompressor', parent: undefined, end: 'ok' }]);
    expect(events).toHaveLength(1);
  });
  test('none: nothing to tell, the same result', async () => {
    const documents = await new ContextShapingCompressor({ k: 3 }).compressDocuments(harbour(), QUERY);
    const told = await new ContextShapingCompressor({ k: 3 }).compressDocuments(harbour(), QUERY, [
      recorder().handler,
    ]);
    expect(documents).toEqual(told);
    expect(documents[0]?.id).toBe('h0');
  });
  test('none, within a run: that run is the parent', async () => {
    const { handler, named, events } = recorder();
    const compressor = new ContextShapingCompressor({ k: 3 });
    const chain = RunnableLambda.from((query: string) =>
      compressor.compressDocuments(harbour(), query),
    ).withConfig({ runName: 'outer' });
    await chain.invoke(QUERY, { callbacks: [handler] });
    expect(named('ContextShapingCompressor').parent).toBe(named('outer').id);
    expect(events).toHaveLength(1);
  });
});

test('the event has the kept and the evicted chunks, and the reasons; a call without evictions has one too', async () => {
  const { handler, events } = recorder();
  const compressor = new ContextShapingCompressor({ k: 3 });
  const { report } = await compressor.shape(harbour(), QUERY, { callbacks: [handler] });
  const { evicted, tokens, digest } = report;
  expect(events[0]?.data).toEqual({ kept: ids(report.kept), evicted, tokens, digest });
  expect(evicted.map(({ id, reason }) => [id, reason])).toEqual(
    expect.arrayContaining([['h2', 'exact-duplicate']]),
  );
  expect(JSON.parse(JSON.stringify(events[0]?.data))).toEqual(events[0]?.data);
  await compressor.compressDocuments(harbour().slice(0, 1), QUERY, [handler]);
  expect(events[1]?.data).toMatchObject({ kept: ['h0'], evicted: [] });
});

test('the result of shape can be explained, with the changes that help', async () => {
  const shaped = await new ContextShapingCompressor({ k: 3 }).shape(harbour(), QUERY);
  const left = shaped.report.evicted.find(({ reason }) => reason === 'outranked');
  const { counterfactuals } = await explain(shaped, left?.id as string);
  expect(counterfactuals?.k).toBeDefined();
});

test('onEvict and onReport hear of it; one that throws costs no document', async () => {
  const onEvict = vi.fn(() => Promise.reject(new Error('full disk')));
  const onReport = vi.fn();
  const { documents, report } = await new ContextShapingCompressor({ k: 3, onEvict, onReport }).shape(
    harbour(),
    QUERY,
  );
  expect(documents).toHaveLength(3);
  expect(onEvict).toHaveBeenCalledTimes(3);
  expect(onReport).toHaveBeenCalledOnce();
  expect(report.degradations[0]?.code).toBe('observer-failed');
});

describe('ContextualCompressionRetriever', () => {
  test('over BM25Retriever', async () => {
    const baseRetriever = BM25Retriever.fromDocuments(frozenHarbour(), { k: 6 });
    const retriever = new ContextualCompressionRetriever({
      baseRetriever,
      baseCompressor: new ContextShapingCompressor({ k: 3 }),
    });
    const { handler, named, events } = recorder();
    const documents = await retriever.invoke(QUERY, { callbacks: [handler], runName: 'ccr' });
    expect(documents).toHaveLength(3);
    expect(withIds(documents)).not.toContain('h2');
    expect(named('ContextShapingCompressor').parent).toBe(named('ccr').id);
    expect(events).toHaveLength(1);
  });
  test('over a vector store, the compressor with the same LangChain embeddings', async () => {
    const embeddings = new HashEmbeddings();
    const store = await MemoryVectorStore.fromDocuments(harbour(), embeddings);
    const retriever = new ContextualCompressionRetriever({
      baseRetriever: store.asRetriever(6),
      baseCompressor: new ContextShapingCompressor({ k: 3, embedder: embeddings }),
    });
    embeddings.requests.length = 0;
    const documents = await retriever.invoke(QUERY);
    expect(documents).toHaveLength(3);
    // The store's own query, then the compressor's query and its five distinct passages.
    expect(embeddings.requests.map(({ method, texts }) => [method, texts.length])).toEqual([
      ['query', 1],
      ['query', 1],
      ['documents', 5],
    ]);
  });
});

test('DocumentCompressorPipeline: after a splitter', async () => {
  const compressor = new ContextShapingCompressor({ k: 2 });
  const pipeline = new DocumentCompressorPipeline({
    transformers: [new RecursiveCharacterTextSplitter({ chunkSize: 90, chunkOverlap: 0 }), compressor],
  });
  const { handler, events } = recorder();
  const long = new Document({
    pageContent: harbour()
      .map(({ pageContent }) => pageContent)
      .join('\n\n'),
  });
  const documents = await pipeline.compressDocuments([long], QUERY, [handler]);
  expect(documents).toHaveLength(2);
  expect(documents.map(({ pageContent }) => pageContent).join()).toContain('1932');
  expect(events).toHaveLength(1);
});

describe('in an LCEL chain', () => {
  const chain = () => {
    const retriever = new ShapedRetriever({
      retriever: new FixedRetriever(frozenHarbour()),
      compressor: { k: 3 },
    });
    return RunnableSequence.from([
      {
        context: retriever.pipe((documents) => documents.map(formatDocument).join('\n\n')),
        question: new RunnablePassthrough<string>(),
      },
      ChatPromptTemplate.fromTemplate('Context:\n{context}\n\nQuestion: {question}'),
      new FakeListChatModel({ responses: ['In 1932.'] }),
      new StringOutputParser(),
    ]);
  };
  test('it answers from the shaped context', async () => {
    const prompts: string[] = [];
    const handleChatModelStart = (_: unknown, messages: { content: unknown }[][]) =>
      void prompts.push(String(messages[0]?.[0]?.content));
    expect(await chain().invoke(QUERY, { callbacks: [{ handleChatModelStart }] })).toBe('In 1932.');
    expect(prompts[0]).toContain('[id: h0, source: harbour-0.md]\nThe harbour bridge');
    expect(prompts[0]).not.toContain('THE HARBOUR');
  });
  test('streamEvents sees the event', async () => {
    const events = [];
    for await (const event of chain().streamEvents(QUERY, { version: 'v2' })) {
      if (event.event === 'on_custom_event') events.push(event);
    }
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      name: EVICTED_EVENT,
      data: { kept: expect.any(Array), evicted: expect.any(Array) },
    });
  });
});

describe('abort', () => {
  const slow = { embed: () => new Promise<never>(() => {}) };
  test('before and during the call', async () => {
    const compressor = new ContextShapingCompressor({ embedder: slow });
    const reason = new Error('changed my mind');
    await expect(compressor.shape(harbour(), QUERY, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const call = compressor.shape(harbour(), QUERY, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    await expect(call).rejects.toBe(reason);
  });
  test('through the signal of the enclosing run', async () => {
    const compressor = new ContextShapingCompressor({ embedder: slow });
    let seen: unknown;
    const chain = RunnableLambda.from(async (query: string) =>
      compressor.compressDocuments(harbour(), query).catch((error) => {
        seen = error;
        throw error;
      }),
    );
    const controller = new AbortController();
    const call = chain.invoke(QUERY, { signal: controller.signal });
    const reason = new Error('user left');
    setTimeout(() => controller.abort(reason), 20);
    await expect(call).rejects.toBe(reason);
    await vi.waitFor(() => expect(seen).toBe(reason));
  });
});

test('100 calls at once on one compressor: each as if it were alone', async () => {
  const compressor = new ContextShapingCompressor({ k: 3, embedder: new HashEmbeddings() });
  const queries = [QUERY, 'How many lanes does the bridge carry?', 'Who paints the arch?'];
  const alone = await Promise.all(queries.map((query) => compressor.shape(frozenHarbour(), query)));
  const calls = await Promise.all(
    Array.from({ length: 100 }, (_, at) => compressor.shape(frozenHarbour(), queries[at % 3] as string)),
  );
  for (const [at, { documents, report }] of calls.entries()) {
    expect(report.digest).toBe(alone[at % 3]?.report.digest);
    expect(withIds(documents)).toEqual(withIds(alone[at % 3]?.documents ?? []));
  }
  expect(new Set(alone.map(({ report }) => report.digest)).size).toBe(3);
});

test('a ready shaper is used as it is, and document options go with it', async () => {
  const shaper = createShaper({ k: 2 });
  const compressor = new ContextShapingCompressor({ shaper, citeSources: 'sources' });
  expect(compressor.shaper).toBe(shaper);
  const documents = await compressor.compressDocuments(harbour(), QUERY);
  expect(documents).toHaveLength(2);
  expect(documents.find(({ id }) => id === 'h0')?.metadata.sources).toHaveLength(2);
});
