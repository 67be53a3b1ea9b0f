/** Corrective retrieval as a part of an application, whose reviews are answered through the queue. */
import type { DocumentInterface } from '@langchain/core/documents';
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  InMemoryStore,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { createCragGraph, createReviewQueue, type Review } from 'context-shaping/langgraph';
import { describe, expect, onTestFinished, test } from 'vitest';
import { thread } from '../../../adapters/langgraph/review-graphs.js';
import { checkpointers } from '../../../adapters/langgraph/servers.js';
import { documents, fixedGrader, query } from '../../../adapters/langgraph/support.js';

const State = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
});

function application(checkpointer: BaseCheckpointSaver, store: InMemoryStore) {
  const crag = createCragGraph({ grader: fixedGrader(), review: true });
  return new StateGraph(State).addNode('crag', crag).addEdge(START, 'crag').compile({ checkpointer, store });
}

const contextOf = (output: unknown) =>
  (output as typeof State.State).context.map(({ pageContent }) => pageContent);

describe.each(checkpointers.filter(({ available }) => available))('$name', ({ open }) => {
  test('asked, asked anew about another question, answered', async () => {
    const { checkpointer, close } = await open();
    onTestFinished(close);
    const store = new InMemoryStore();
    const graph = application(checkpointer, store);
    await graph.invoke({ query, documents: documents(0.5) }, thread('t'));
    // In another process: a graph and a queue of its own.
    const queue = createReviewQueue({ checkpointer, store });
    const [first] = (await queue.list()) as [Review];
    expect(first).toMatchObject({ threadId: 't', request: { query, round: 1, reasons: ['ambiguous'] } });
    await queue.answer(first, { action: 'edit', query: 'How long do dogs sleep?', veto: ['cats'] });
    expect((await queue.resume(application(checkpointer, store))).failed).toEqual([]);

    const [second] = (await queue.list()) as [Review];
    expect(second).toMatchObject({
      request: { query: 'How long do dogs sleep?', round: 2 },
      answered: false,
    });
    await queue.answer(second, { action: 'answer', answer: 'Twelve hours.' }, { by: 'ann' });
    const { resumed } = await queue.resume(application(checkpointer, store));
    expect(contextOf(resumed[0]?.output)).toContain('Twelve hours.');
    expect(await queue.list()).toEqual([]);
    expect(await store.search(['context-shaping'])).toEqual([]);
  });

  test('what follows on it fails after the review: it goes on from there, and nothing is graded twice', async () => {
    const { checkpointer, close } = await open();
    onTestFinished(close);
    const grader = fixedGrader();
    let broken = true;
    const graph = new StateGraph(State)
      .addNode('crag', createCragGraph({ grader, review: true }))
      .addNode('generate', ({ context }) => {
        if (broken) throw new Error('503');
        return { query: `${context.length} passages` };
      })
      .addEdge(START, 'crag')
      .addEdge('crag', 'generate')
      .compile({ checkpointer });
    await graph.invoke({ query, documents: documents(0.5) }, thread('t'));
    const queue = createReviewQueue({ checkpointer });
    const [review] = (await queue.list()) as [Review];
    await queue.answer(review, 'approve');
    const graded = grader.graded.length;
    expect((await queue.resume(graph)).failed).toMatchObject([{ error: { message: '503' } }]);
    expect(await queue.list()).toMatchObject([{ id: review.id, answered: true, unfinished: true }]);
    broken = false;
    expect((await queue.resume(graph)).resumed).toMatchObject([{ output: { query: '2 passages' } }]);
    expect(grader.graded).toHaveLength(graded);
    expect(await queue.list()).toEqual([]);
  });

  test('what an application itself answers wrongly is asked again, and the queue lists that question', async () => {
    const { checkpointer, close } = await open();
    onTestFinished(close);
    const graph = application(checkpointer, new InMemoryStore());
    await graph.invoke({ query, documents: documents(0.5) }, thread('t'));
    const queue = createReviewQueue({ checkpointer });
    const [first] = (await queue.list()) as [Review];
    const claim = await queue.claim(first, { by: 'ann' });
    await graph.invoke(new Command({ resume: 'perhaps' }), thread('t'));
    const [again] = (await queue.list()) as [Review];
    expect(again).toMatchObject({ request: { problem: expect.stringContaining('"perhaps"') } });
    await expect(queue.answer(claim!, 'approve')).rejects.toThrow(/is not open|asked again/);
    await queue.answer(again, 'approve');
    const { resumed } = await queue.resume(graph);
    expect(contextOf(resumed[0]?.output)).toHaveLength(2);
  });
});
