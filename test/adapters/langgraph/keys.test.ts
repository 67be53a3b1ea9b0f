/** The keys that the graph shares with its parent. */
import type { DocumentInterface } from '@langchain/core/documents';
import { RunnableLambda } from '@langchain/core/runnables';
import { Annotation, Command, END, MemorySaver, START, StateGraph, StateSchema } from '@langchain/langgraph';
import type { ShapingReport } from 'context-shaping';
import { type CragGraph, type CragKeys, createCragGraph, type Verdict } from 'context-shaping/langgraph';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { documents, fixedGrader, idsOf, query, web } from './support.js';

const fields = { grader: fixedGrader(), webSearch: async () => [web('found', 0.9)] };
/** LangGraph's tutorial has these keys. */
const tutorial = { query: 'question', context: 'documents' } as const;
const thread = { configurable: { thread_id: 't' } };

describe('a key map', () => {
  test('renames input and output, in the types as well', async () => {
    const graph = createCragGraph({
      ...fields,
      keys: { query: 'question', documents: 'docs', context: 'passages', verdict: 'how', report: 'ledger' },
    });
    const output = await graph.invoke({ question: query, docs: documents(0.1) });
    expectTypeOf(output).toEqualTypeOf<{
      passages: DocumentInterface[];
      how: Verdict;
      ledger: ShapingReport;
    }>();
    expect(Object.keys(output).sort()).toEqual(['how', 'ledger', 'passages']);
    expect(idsOf(output.passages)).toEqual(['found']);
    const usual = await createCragGraph(fields).invoke({ query, documents: documents(0.1) });
    expect([output.how, output.ledger.digest]).toEqual([usual.verdict, usual.report.digest]);
  });

  test('lets the context replace the documents of the parent', async () => {
    const State = Annotation.Root({
      question: Annotation<string>,
      documents: Annotation<DocumentInterface[]>,
      verdict: Annotation<Verdict>,
    });
    const graph = new StateGraph(State)
      .addNode('retrieve', () => ({ documents: documents(0.1) }))
      .addNode('crag', createCragGraph({ ...fields, keys: tutorial }))
      .addEdge(START, 'retrieve')
      .addEdge('retrieve', 'crag')
      .addEdge('crag', END)
      .compile({ checkpointer: new MemorySaver() });
    for (let run = 0; run < 2; run++) {
      const output = await graph.invoke({ question: query }, thread);
      expect([output.question, output.verdict, idsOf(output.documents)]).toEqual([
        query,
        'correct',
        ['found'],
      ]);
    }
  });

  test('may use the names of the graph’s own channels', async () => {
    const keys = { query: 'answer', documents: 'found', context: 'kept', verdict: 'path', report: 'rounds' };
    const graph = createCragGraph({
      ...fields,
      keys,
      review: { on: ['before-search'] },
      checkpointer: new MemorySaver(),
    });
    const paused = await graph.invoke({ answer: query, found: documents(0.1) } as never, thread);
    expect(paused).toHaveProperty('__interrupt__');
    const output = (await graph.invoke(new Command({ resume: true }), thread)) as Record<string, unknown>;
    expect([output.path, idsOf(output.kept as DocumentInterface[])]).toEqual(['correct', ['found']]);
    expect((output.rounds as ShapingReport).crag?.reviews).toHaveLength(1);
  });

  test('names the keys of the parent in errors', async () => {
    const graph = createCragGraph({ keys: tutorial });
    await expect(graph.invoke({ documents: [] } as never)).rejects.toMatchObject({
      field: 'question',
      remedy: expect.stringContaining('{ question, documents }'),
    });
  });

  test.each<[unknown, string, string]>([
    [{ query: 'search' }, 'keys.query', 'node of the graph'],
    [{ query: '' }, 'keys.query', 'must be a name'],
    [{ query: '__start__' }, 'keys.query', 'must be a name'],
    [{ report: 'branch:to:x' }, 'keys.report', 'must be a name'],
    [{ query: 5 }, 'keys.query', 'must be a string'],
    [{ question: 'query' }, 'keys.question', 'is not an option'],
    [{ context: 'report' }, 'keys.report', 'is also the key of keys.context'],
    [{ query: 'documents' }, 'keys.documents', 'is also the key of keys.query'],
    [{ documents: 'verdict' }, 'keys.verdict', 'is also the key of keys.documents'],
    [['query'], 'keys', 'must be an object'],
  ])('%j is refused', (keys, field, problem) => {
    expect(() => createCragGraph({ keys: keys as CragKeys })).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field, message: expect.stringContaining(problem) }),
    );
  });
});

describe('a parent without the key of the context', () => {
  const Parent = Annotation.Root({
    query: Annotation<string>,
    documents: Annotation<DocumentInterface[]>,
    report: Annotation<ShapingReport>,
    docs: Annotation<DocumentInterface[]>,
  });
  type State = typeof Parent.State;
  const input = { query, documents: documents(0.9) };
  const grader = fixedGrader();
  const crag = createCragGraph({ grader });
  const parentOf = (node: unknown) =>
    new StateGraph(Parent)
      .addNode('crag', node as CragGraph)
      .addEdge(START, 'crag')
      .addEdge('crag', END)
      .compile();

  test.each<[string, unknown]>([
    ['the graph', crag],
    ['the graph with a config', crag.withConfig({ tags: ['retrieval'] })],
    [
      'a graph around it',
      new StateGraph(Parent)
        .addNode('inner', crag as never)
        .addEdge(START, 'inner')
        .compile(),
    ],
    ['a sequence that ends with the graph', RunnableLambda.from((state: State) => state).pipe(crag as never)],
  ])('is an error before the first step, where the node is %s', async (_, node) => {
    await expect(parentOf(node).invoke(input)).rejects.toMatchObject({
      kind: 'invalid-options',
      field: 'keys.context',
      remedy: expect.stringContaining('Add the key context to the state of the parent'),
    });
    expect(grader.graded).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['calls the graph', async (state: State) => ({ docs: (await crag.invoke(state)).context })],
    [
      'hands its config on',
      async (state: State, config: object) => ({ docs: (await crag.invoke(state, config)).context }),
    ],
    ['pipes the output on', crag.pipe(({ context }) => ({ docs: context }))],
    [
      'calls it in a runnable',
      RunnableLambda.from(async (state: State, config) => ({
        docs: (await crag.invoke(state, config)).context,
      })),
    ],
  ])('is none where the node %s', async (_, node) => {
    const { docs } = await parentOf(node).invoke(input);
    expect(idsOf(docs)).toEqual(['cats', 'dogs']);
  });

  test('has the key when its state is a schema, and before the key has a value', async () => {
    const Schema = new StateSchema({
      query: z.string(),
      documents: z.array(z.custom<DocumentInterface>()),
      context: z.array(z.custom<DocumentInterface>()).optional(),
    });
    const graph = new StateGraph(Schema)
      .addNode('crag', crag as never)
      .addEdge(START, 'crag')
      .compile();
    expect(idsOf((await graph.invoke(input)).context ?? [])).toEqual(['cats', 'dogs']);
  });
});
