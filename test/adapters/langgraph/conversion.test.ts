/** How often the caller's functions of a document run. */
import type { Document, DocumentInterface } from '@langchain/core/documents';
import { Annotation, Command, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { type CragGraphFields, createCragGraph } from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import { documents, fixedGrader, query, web } from './support.js';

/** Counts the calls by document. */
function counted() {
  const rendered: string[] = [];
  const embedded: string[] = [];
  return {
    rendered,
    embedded,
    options: {
      render: ({ id, pageContent }: DocumentInterface) => {
        rendered.push(String(id));
        return `<doc>${pageContent}</doc>`;
      },
      getEmbedding: ({ id, pageContent }: DocumentInterface) => {
        embedded.push(String(id));
        return [1, pageContent.length / 1000];
      },
    },
  };
}

/** A search and a second shaping, so that every node that reads documents runs; with a review, if it is asked for. */
const fieldsOf = ({ options }: ReturnType<typeof counted>): CragGraphFields => ({
  ...options,
  grader: fixedGrader(),
  webSearch: async () => [web('found', 0.4), web('other', 0.1)],
});

const ALL = ['cats', 'dogs', 'found', 'other'];

describe('render and getEmbedding run once per document', () => {
  test('with a search, a review by a function, and refining', async () => {
    const counts = counted();
    const review = { onReview: async () => ({ action: 'approve', veto: ['dogs'] }) };
    const graph = createCragGraph({ ...fieldsOf(counts), review });
    const { report } = await graph.invoke({ query, documents: documents(0.4) });
    expect(report.crag?.reviews).toHaveLength(1);
    expect(report.crag?.path).toEqual(expect.arrayContaining(['search', 'refine']));
    expect(report.stages.filter(({ name }) => name === 'budget')).toHaveLength(3);
    expect(counts.rendered.sort()).toEqual(ALL);
    expect(counts.embedded.sort()).toEqual(ALL);
  });

  test('in each of several runs at once, which share their documents', async () => {
    const counts = counted();
    const graph = createCragGraph(fieldsOf(counts));
    const shared = documents(0.4);
    const runs = Array.from({ length: 3 }, () => graph.invoke({ query, documents: shared }));
    const [first, ...others] = await Promise.all(runs);
    for (const { report } of others) expect(report.digest).toBe(first?.report.digest);
    expect(counts.rendered.sort()).toEqual(ALL.flatMap((id) => [id, id, id]));
    expect(counts.embedded.sort()).toEqual(ALL.flatMap((id) => [id, id, id]));
  });

  test('again for a document that was changed between two runs', async () => {
    const counts = counted();
    const graph = createCragGraph({ ...counts.options, grader: fixedGrader() });
    const [document] = documents(0.9);
    const tokens = async () =>
      (await graph.invoke({ query, documents: [document as DocumentInterface] })).report.tokens.input;
    const before = await tokens();
    (document as Document).pageContent += ' They also sleep at night, and in the afternoon.';
    expect(await tokens()).toBeGreaterThan(before);
    expect(counts.rendered).toEqual(['cats', 'cats']);
  });

  test('inside another graph', async () => {
    const counts = counted();
    const State = Annotation.Root({
      query: Annotation<string>,
      documents: Annotation<DocumentInterface[]>,
      context: Annotation<DocumentInterface[]>,
    });
    const graph = new StateGraph(State)
      .addNode('crag', createCragGraph(fieldsOf(counts)))
      .addEdge(START, 'crag')
      .addEdge('crag', END)
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ query, documents: documents(0.4) }, { configurable: { thread_id: '1' } });
    expect(counts.rendered.sort()).toEqual(ALL);
  });
});

test('after an interrupt they run once more, and neither vectors nor renderings are in a checkpoint', async () => {
  const counts = counted();
  const checkpointer = new MemorySaver();
  const graph = createCragGraph({ ...fieldsOf(counts), review: true, checkpointer });
  const config = { configurable: { thread_id: '1' } };
  await graph.invoke({ query, documents: documents(0.4) }, config);
  expect(counts.rendered.sort()).toEqual(ALL);
  for await (const { checkpoint, metadata, config: saved } of checkpointer.list(config)) {
    expect(JSON.stringify([checkpoint, metadata, saved])).not.toMatch(/<doc>|conversion/);
    expect(Object.getOwnPropertySymbols(saved.configurable ?? {})).toEqual([]);
  }
  await graph.invoke(new Command({ resume: 'approve' }), config);
  expect(counts.rendered.sort()).toEqual(ALL.flatMap((id) => [id, id]));
  expect(counts.embedded.sort()).toEqual(ALL.flatMap((id) => [id, id]));
});
