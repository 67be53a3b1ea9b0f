/** Reviews that wait in a checkpointer: listed, and continued with an answer. */
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation, Command, interrupt, isInterrupted, START, StateGraph } from '@langchain/langgraph';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { createCragGraph, type PendingReview, pendingReviews, resume } from 'context-shaping/langgraph';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  asking,
  askingFirst,
  askingSideBySide,
  askingTwice,
  askingWithin,
  request,
  State,
  thread,
} from '../../../adapters/langgraph/review-graphs.js';
import { checkpointers, connect, missing, type Opened } from '../../../adapters/langgraph/servers.js';
import { documents, fixedGrader, query } from '../../../adapters/langgraph/support.js';
import { mustHaveAll } from '../../../must-have-all.js';

test.runIf(mustHaveAll)('all checkpointers can be tried', () => expect(missing()).toEqual([]));

const approve = { action: 'approve' };
const refuse = { action: 'refuse' };
const refusal = (problem: RegExp) =>
  expect.objectContaining({ kind: 'invalid-input', problem: expect.stringMatching(problem) });

const Parent = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
});

describe.each(checkpointers.filter(({ available }) => available))('$name', ({ shared, open }) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());
  const list = (threadId?: string) => pendingReviews(opened.checkpointer, { threadId });
  const only = async (): Promise<PendingReview> => {
    const [review, ...others] = await list();
    if (review === undefined) throw new Error('no review waits');
    expect(others).toEqual([]);
    return review;
  };

  test('a review is listed, and its thread goes on with the answer', async () => {
    const graph = asking(opened);
    const paused = await graph.invoke({ query: 'What does it cost?' }, thread('t'));
    if (!isInterrupted(paused)) throw new Error('nobody is asked');
    const review = await only();
    expect(review).toEqual({
      id: expect.stringMatching(`^${paused.__interrupt__[0]?.id}\\.`),
      threadId: 't',
      interruptId: paused.__interrupt__[0]?.id,
      since: expect.stringMatching(/^20\d\d-.*Z$/),
      request: request('What does it cost?'),
    });
    expect(JSON.parse(JSON.stringify(review))).toEqual(review);

    const answer = { action: 'approve', keep: ['price'], by: 'ann' };
    const { log } = await resume(graph, review, answer);
    expect(log).toEqual([answer]);
    expect(await list()).toEqual([]);
    await expect(resume(graph, review, answer)).rejects.toEqual(refusal(/not open/));
  });

  test('oldest first; by thread', async () => {
    for (const name of ['b', 'a', '1', 'c']) await asking(opened).invoke({ query: name }, thread(name));
    const threads = async (threadId?: string) => (await list(threadId)).map((review) => review.threadId);
    expect(await threads()).toEqual(['b', 'a', '1', 'c']);
    expect(await threads('1')).toEqual(['1']);
    expect(await threads('nobody')).toEqual([]);
  });

  test('a thread with more than a page of newer checkpoints before it', async () => {
    await asking(opened).invoke({ query: 'q' }, thread('t'));
    for (let at = 0; at < 1001; at++) {
      const config = { configurable: { thread_id: 'busy', checkpoint_ns: '' } };
      const checkpoint = { ...emptyCheckpoint(), id: uuid6(at) };
      await opened.checkpointer.put(config, checkpoint, { source: 'loop', step: at, parents: {} }, {});
    }
    expect(await only()).toMatchObject({ threadId: 't' });
  }, 60_000);

  test('what cannot be understood changes nothing', async () => {
    const graph = asking(opened);
    await graph.invoke({ query: 'q' }, thread('t'));
    const review = await only();
    await expect(resume(graph, review, { action: 'approve', keep: ['x'] })).rejects.toMatchObject({
      kind: 'invalid-input',
      field: 'answer.keep.0',
    });
    expect(await only()).toEqual(review);
  });

  test('reviews side by side: each is answered by itself, and other interrupts are left alone', async () => {
    const graph = askingSideBySide(opened);
    await graph.invoke({ query: '' }, thread('t'));
    const questions = async () => (await list()).map((review) => review.request.query).sort();
    expect(await questions()).toEqual(['a', 'b', 'c']);
    for (const [about, answer] of [
      ['c', approve],
      ['a', refuse],
      ['b', { action: 'answer', answer: 'other' }],
    ] as const) {
      const before = await questions();
      await resume(
        graph,
        (await list()).find((each) => each.request.query === about) as PendingReview,
        answer,
      );
      expect(await questions()).toEqual(before.filter((each) => each !== about));
    }
    const { tasks } = await graph.getState(thread('t'));
    const waiting = tasks.filter(({ name }) => name === 'other').flatMap(({ interrupts }) => interrupts);
    await graph.invoke(new Command({ resume: { [waiting[0]?.id as string]: 'Kim' } }), thread('t'));
    const { values } = await graph.getState(thread('t'));
    expect(values.log).toEqual(['a: refuse', 'b: answer', 'c: approve', 'Kim']);
  });

  test('a value that is no request of this version is not listed', async () => {
    for (const [at, value] of [null, 'x', { kind: 'other' }, { ...request('q'), version: 1 }].entries()) {
      await new StateGraph(State)
        .addNode('review', () => ({ log: [interrupt(value)] }))
        .addEdge(START, 'review')
        .compile(opened)
        .invoke({ query: 'q' }, thread(`t${at}`));
    }
    expect(await list()).toEqual([]);
  });

  test('a review within sub-graphs, one of which a node calls', async () => {
    const graph = askingWithin(opened);
    await graph.invoke({ query: 'q' }, thread('t'));
    expect((await resume(graph, await only(), { action: 'approve', by: 'ann' })).log).toEqual([
      { action: 'approve', by: 'ann' },
    ]);
  });

  test('a node that asks again asks a new question, which the old review does not answer', async () => {
    const graph = askingTwice(opened, () => {});
    await graph.invoke({ query: 'q' }, thread('t'));
    const first = await only();
    await resume(graph, first, approve);
    const second = await only();
    expect(second).toMatchObject({ request: { problem: 'Say more.' } });
    await expect(resume(graph, first, approve)).rejects.toEqual(refusal(/not open/));
    expect((await resume(graph, second, refuse)).log).toEqual([{ action: 'approve' }, { action: 'refuse' }]);
  });

  test('a run that fails before the review is over is listed again, and goes on with that answer', async () => {
    let broken = true;
    const graph = asking(opened, (answer) => {
      if (broken) throw new Error('no disk');
      return answer;
    });
    await graph.invoke({ query: 'q' }, thread('t'));
    const review = await only();
    await expect(resume(graph, review, { action: 'approve', by: 'ann' })).rejects.toThrow('no disk');
    expect(await only()).toEqual(review);
    broken = false;
    expect((await resume(graph, review, refuse)).log).toEqual([{ action: 'approve', by: 'ann' }]);
    expect(await list()).toEqual([]);
  });

  test('context and configuration go to the graph, and an abort ends the run', async () => {
    const graph = askingFirst(opened, () => 'generated');
    await graph.invoke({ query: 'q' }, thread('t'));
    const review = await only();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(resume(graph, review, approve, { signal })).rejects.toThrow();
    expect((await resume(graph, await only(), approve, { configurable: { user: 'ann' } })).log).toHaveLength(
      2,
    );
  });

  test('corrective retrieval in an application: asked, asked anew after another search, answered', async () => {
    const application = (checkpointer = opened.checkpointer) =>
      new StateGraph(Parent)
        .addNode('crag', createCragGraph({ grader: fixedGrader(), review: true, webSearch: async () => [] }))
        .addEdge(START, 'crag')
        .compile({ checkpointer });
    await application().invoke({ query, documents: documents(0.5) }, thread('t'));
    // As in another process: a graph and a connection of its own.
    const other = shared ? await connect(opened.connection) : undefined;
    try {
      const graph = application(other?.checkpointer);
      const first = await only();
      expect(first).toMatchObject({ threadId: 't', request: { query, round: 1, reasons: ['ambiguous'] } });
      await resume(graph, first, { action: 'approve', search: 'How long do dogs sleep?' });
      const second = await only();
      expect(second).toMatchObject({ request: { query, round: 2, searches: [{}, { found: 0 }] } });
      const { context } = await resume(graph, second, {
        action: 'answer',
        answer: 'Twelve hours.',
        by: 'ann',
      });
      expect(context.map(({ pageContent }) => pageContent)).toContain('Twelve hours.');
      expect(await list()).toEqual([]);
    } finally {
      await other?.close();
    }
  });

  test('what follows on corrective retrieval fails after the review: it goes on from there, and nothing is graded twice', async () => {
    const grader = fixedGrader();
    let broken = true;
    const graph = new StateGraph(Parent)
      .addNode('crag', createCragGraph({ grader, review: true }))
      .addNode('generate', ({ context }) => {
        if (broken) throw new Error('503');
        return { query: `${context.length} passages` };
      })
      .addEdge(START, 'crag')
      .addEdge('crag', 'generate')
      .compile(opened);
    await graph.invoke({ query, documents: documents(0.5) }, thread('t'));
    const graded = grader.graded.length;
    await expect(resume(graph, await only(), approve)).rejects.toThrow('503');
    expect(await list()).toEqual([]);
    broken = false;
    expect(await graph.invoke(null, thread('t'))).toMatchObject({ query: '2 passages' });
    expect(grader.graded).toHaveLength(graded);
  });

  test('what an application itself answers wrongly is asked again, as another review', async () => {
    const graph = createCragGraph({ grader: fixedGrader(), review: true, checkpointer: opened.checkpointer });
    await graph.invoke({ query, documents: documents(0.5) }, thread('t'));
    const first = await only();
    await graph.invoke(new Command({ resume: 'perhaps' }), thread('t'));
    const again = await only();
    expect(again).toMatchObject({
      request: { problem: expect.stringContaining('answer.action') },
    });
    await expect(resume(graph, first, approve)).rejects.toEqual(refusal(/not open/));
    expect((await resume(graph, again, approve)).context).toHaveLength(2);
  });
});

test('arguments that are wrong are named', async () => {
  await expect(pendingReviews({} as never)).rejects.toMatchObject({
    kind: 'invalid-input',
    field: 'checkpointer',
  });
  const alone = createCragGraph({ grader: fixedGrader() });
  const review = { threadId: 't', id: 'x' };
  await expect(resume(alone, review, approve)).rejects.toMatchObject({
    kind: 'invalid-input',
    field: 'graph',
  });
});
