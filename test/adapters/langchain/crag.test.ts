/** A compressor that corrects its own result, in every place where LangChain takes a compressor. */
import { ContextualCompressionRetriever } from '@langchain/classic/retrievers/contextual_compression';
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { createShaper, type ShapingReport } from 'context-shaping';
import { ContextShapingCompressor, EVICTED_EVENT, ShapedRetriever } from 'context-shaping/langchain';
import { CRAG_EVENT, type CragOptions, createCragGraph } from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import { documents, fixedGrader, query, web } from '../langgraph/support.js';
import { FixedRetriever } from './support.js';

const idsOf = (found: readonly DocumentInterface[]) => found.map(({ id }) => id).sort();

/** Counts the paid calls. */
function paying(grade: number): { crag: CragOptions; paid: string[] } {
  const grader = fixedGrader();
  const paid = grader.graded;
  return {
    paid,
    crag: {
      grader,
      async webSearch(words) {
        paid.push(`search ${words}`);
        return [web('found', grade)];
      },
    },
  };
}

describe('on its own', () => {
  test('hands on what corrective retrieval finds, with one ledger of all', async () => {
    const reports: ShapingReport[] = [];
    const compressor = new ContextShapingCompressor({
      ...{ k: 5, onReport: (report) => void reports.push(report) },
      crag: paying(0.9).crag,
    });
    const { documents: shaped, report } = await compressor.shape(documents(0.1), query);
    expect(idsOf(shaped)).toEqual(['found']);
    expect(report.crag).toMatchObject({ verdict: 'correct', outcome: 'context' });
    expect(report.evicted.map(({ id, reason }) => [id, reason])).toEqual([
      ['cats', 'low-grade'],
      ['dogs', 'low-grade'],
    ]);
    expect(reports).toEqual([report]);
  });

  test('the observers of a ready shaper get the whole report, too', async () => {
    const reports: ShapingReport[] = [];
    const shaper = createShaper({ onReport: (report) => void reports.push(report) });
    const compressor = new ContextShapingCompressor({ shaper, crag: paying(0.9).crag });
    const { report } = await compressor.shape(documents(0.1), query);
    expect(reports).toEqual([report]);
  });

  test('one instance serves several calls at once', async () => {
    const compressor = new ContextShapingCompressor({
      crag: {
        ...paying(0.9).crag,
        rewrite: async ({ query: text }) => text,
        webSearch: async (text) => [web(text, 0.9)],
      },
    });
    const asked = ['one', 'two', 'three'];
    const answers = await Promise.all(asked.map((text) => compressor.shape(documents(0.5), text)));
    expect(answers.map(({ report }) => report.input)).toEqual(asked.map((text) => ['cats', 'dogs', text]));
  });

  test('its steps are runs inside that of the compressor, and its events reach handlers', async () => {
    const runs: string[] = [];
    const events: string[] = [];
    await new ContextShapingCompressor({ crag: { grader: fixedGrader() } }).compressDocuments(
      documents(0.5),
      query,
      [
        {
          handleChainStart: (_chain, _inputs, _id, parent, _tags, _metadata, _type, name) =>
            void runs.push(`${parent === undefined ? '' : 'inner '}${name}`),
          handleCustomEvent: (name) => void events.push(name),
        },
      ],
    );
    expect(runs.slice(0, 2)).toEqual(['ContextShapingCompressor', 'inner crag']);
    expect(runs).toContain('inner refine');
    expect(new Set(events)).toEqual(new Set([EVICTED_EVENT, CRAG_EVENT]));
  });

  test('documents of a wrong form are refused as without it', async () => {
    const make = (crag: boolean) => new ContextShapingCompressor({ crag }).shape(null as never, query);
    const refused = { kind: 'invalid-input', field: 'documents' };
    await expect(make(false)).rejects.toMatchObject(refused);
    await expect(make(true)).rejects.toMatchObject(refused);
  });

  test('crag: true judges by words alone, and needs nothing', async () => {
    const compressor = new ContextShapingCompressor({ crag: true });
    const { report } = await compressor.shape(documents(0), query);
    expect(report.crag).toMatchObject({ grader: 'relevance', searches: [] });
    expect(report.kept.length + report.evicted.length).toBe(2);
  });

  test('a bundle gives it the function that makes the graph', async () => {
    const compressor = new ContextShapingCompressor({ crag: paying(0.9).crag, createCragGraph });
    const { report } = await compressor.shape(documents(0.1), query);
    expect(report.crag).toMatchObject({ verdict: 'correct' });
    expect(() => new ContextShapingCompressor({ createCragGraph })).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field: 'createCragGraph' }),
    );
  });

  test('a review that could interrupt nothing is refused with a remedy', async () => {
    const compressor = new ContextShapingCompressor({ crag: { grader: fixedGrader(), review: true } });
    await expect(compressor.compressDocuments(documents(0.5), query)).rejects.toMatchObject({
      name: 'ContextShapingError',
      kind: 'invalid-options',
      field: 'review',
      message: expect.stringContaining('checkpointer'),
    });
  });

  test('a query with its vector and answer goes along', async () => {
    const compressor = new ContextShapingCompressor({ crag: { grader: fixedGrader() } });
    const { report } = await compressor.shape(documents(0.9), {
      text: query,
      embedding: new Float32Array([1, 0]),
      answer: 'Most of the day.',
    });
    expect(report.query).toBe(query);
  });

  test('wrong options are refused at once', () => {
    const make = () => new ContextShapingCompressor({ crag: { maxConcurrency: -1 } });
    expect(make).toThrow(expect.objectContaining({ kind: 'invalid-options', field: 'crag.maxConcurrency' }));
    const without = () => new ContextShapingCompressor({ crag: { grader: 'ecs' } });
    expect(without).toThrow(expect.objectContaining({ kind: 'invalid-options', field: 'crag.grader' }));
  });

  test('an abort stops it', async () => {
    const controller = new AbortController();
    const compressor = new ContextShapingCompressor({
      crag: {
        grader: {
          name: 'slow',
          grade: () => {
            controller.abort(new Error('enough'));
            return new Promise(() => {});
          },
        },
      },
    });
    await expect(compressor.shape(documents(0.5), query, { signal: controller.signal })).rejects.toThrow();
  });
});

describe('inside a node', () => {
  const State = Annotation.Root({ query: Annotation<string>, context: Annotation<DocumentInterface[]> });
  const ways = (compressor: ContextShapingCompressor, retriever: FixedRetriever) =>
    ({
      compressDocuments: async () => compressor.compressDocuments(documents(0.5), query),
      ContextualCompressionRetriever: () =>
        new ContextualCompressionRetriever({ baseRetriever: retriever, baseCompressor: compressor }).invoke(
          query,
        ),
      ShapedRetriever: () => new ShapedRetriever({ retriever, compressor }).invoke(query),
    }) as const;

  test.each(['compressDocuments', 'ContextualCompressionRetriever', 'ShapedRetriever'] as const)(
    'a review interrupts the graph through %s, and nothing is paid twice when it goes on',
    async (way) => {
      const { crag, paid } = paying(0.5);
      const compressor = new ContextShapingCompressor({ crag: { ...crag, review: true } });
      const retrieve = ways(compressor, new FixedRetriever(documents(0.5)))[way];
      const graph = new StateGraph(State)
        .addNode('retrieve', async () => ({ context: await retrieve() }))
        .addEdge(START, 'retrieve')
        .addEdge('retrieve', END)
        .compile({ checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: '1' } };
      const paused = await graph.invoke({ query }, config);
      expect(paused).toMatchObject({ __interrupt__: [{ value: { kind: 'context_shaping.review', query } }] });
      const { context } = await graph.invoke(
        new Command({ resume: { action: 'approve', keep: ['dogs', 'found'] } }),
        config,
      );
      expect(idsOf(context)).toEqual(['dogs', 'found']);
      expect(paid).toEqual(['cats', 'dogs', 'search How long do cats and dogs sleep?', 'found']);
    },
  );

  test('an interrupt of the grader itself surfaces', async () => {
    const compressor = new ContextShapingCompressor({
      crag: {
        grader: {
          name: 'person',
          batchSize: Number.POSITIVE_INFINITY,
          grade: async (requests) => {
            const grade = interrupt('grade?') as number;
            return requests.map(() => ({ grade }));
          },
        },
      },
    });
    const graph = new StateGraph(State)
      .addNode('retrieve', async () => ({ context: await compressor.compressDocuments(documents(0), query) }))
      .addEdge(START, 'retrieve')
      .addEdge('retrieve', END)
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: '1' } };
    expect(await graph.invoke({ query }, config)).toMatchObject({ __interrupt__: [{ value: 'grade?' }] });
    const { context } = await graph.invoke(new Command({ resume: 0.9 }), config);
    expect(idsOf(context)).toEqual(['cats', 'dogs']);
  });
});
