import { Command, InMemoryStore, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import { ContextShapingError } from 'context-shaping';
import { createReviewQueue, indexReview, type ReviewQueueOptions } from 'context-shaping/langgraph';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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
import { checkpointers, missing, type Opened } from '../../../adapters/langgraph/servers.js';
import { mustHaveAll } from '../../../must-have-all.js';

test.runIf(mustHaveAll)('all checkpointers can be tried', () => expect(missing()).toEqual([]));

const postgres = checkpointers.find(({ name }) => name === 'PostgreSQL');

const refusal = (problem: RegExp) =>
  expect.objectContaining({ kind: 'invalid-input', problem: expect.stringMatching(problem) });

describe.each(checkpointers.filter(({ available }) => available))('$name', ({ open }) => {
  let opened: Opened;
  let time = Date.parse('2030-01-01T00:00:00Z');
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());
  const setUp = (options: Partial<ReviewQueueOptions> = {}) => {
    const { checkpointer } = opened;
    const queue = createReviewQueue({ checkpointer, leaseMs: 1000, now: () => time, ...options });
    return { checkpointer, queue };
  };

  test('a request that an earlier release saved is listed without its conflicts, which had another form', async () => {
    const { checkpointer, queue } = setUp();
    const older = { ids: ['price', 'old'], indices: [0, 2], kinds: ['number'], differences: [['3'], ['2']] };
    const value = { ...request('What does it cost?'), version: 1, conflicts: [older] };
    await new StateGraph(State)
      .addNode('review', () => ({ log: [interrupt(value)] }))
      .addEdge(START, 'review')
      .compile({ checkpointer })
      .invoke({ query: 'What does it cost?' }, thread('t'));
    expect(await queue.list()).toMatchObject([{ request: { query: 'What does it cost?', conflicts: [] } }]);
  });

  test('a review is listed, answered and resumed, and leaves nothing behind', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer });
    const paused = await graph.invoke({ query: 'What does it cost?' }, thread('t'));
    const [review] = await queue.list();
    expect(review).toEqual({
      id: (paused as unknown as { __interrupt__: { id: string }[] }).__interrupt__[0]?.id,
      threadId: 't',
      since: expect.stringMatching(/^20\d\d-.*Z$/),
      request: request('What does it cost?'),
      answered: false,
    });
    expect(await queue.get(review!.id)).toEqual(review);
    await expect(queue.resume(graph)).resolves.toEqual({ resumed: [], failed: [] });

    const answer = await queue.answer(review!, { action: 'approve', pin: ['price'] }, { by: 'ann' });
    expect(answer).toEqual({ action: 'approve', pin: ['price'], by: 'ann' });
    expect(await queue.list()).toEqual([{ ...review, answered: true }]);
    expect(await queue.resume(graph)).toEqual({
      resumed: [
        { threadId: 't', reviews: [review!.id], output: { query: 'What does it cost?', log: [answer] } },
      ],
      failed: [],
    });
    expect(await queue.list()).toEqual([]);
    expect(await queue.get(review!.id)).toBeUndefined();
    for await (const { config } of checkpointer.list({ configurable: {} })) {
      expect(config.configurable?.thread_id).toBe('t');
    }
  });

  test('oldest first, no matter which was looked at last; by thread; no more than the limit', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer });
    for (const name of ['b', 'a', '1', 'c']) await graph.invoke({ query: name }, thread(name));
    const listed = async (options = {}) => (await queue.list(options)).map(({ threadId }) => threadId);
    expect(await listed()).toEqual(['b', 'a', '1', 'c']);
    expect(await listed({ limit: 2 })).toEqual(['b', 'a']);
    expect(await listed({ threadId: '1' })).toEqual(['1']);
    expect(await listed({ threadId: 'nobody' })).toEqual([]);
    await queue.answer((await queue.list())[0]!, 'approve');
    await queue.resume(graph);
    expect(await listed()).toEqual(['a', '1', 'c']);
  });

  test('a claim keeps others away until it is released or has run out', async () => {
    const { checkpointer, queue } = setUp();
    await asking({ checkpointer }).invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    const claim = await queue.claim(review!.id, { by: 'ann' });
    expect(claim).toMatchObject({ id: review!.id, threadId: 't', by: 'ann' });
    expect(await queue.get(review!)).toMatchObject({
      claim: { by: 'ann', until: new Date(time + 1000).toISOString() },
    });
    expect(await queue.claim(review!, { by: 'bob' })).toBeUndefined();
    expect(await queue.claim(review!, { by: 'ann' })).toBeUndefined();
    await expect(queue.answer(review!, 'approve')).rejects.toEqual(refusal(/claimed by ann/));
    await expect(queue.answer(review!, 'approve', { by: 'bob' })).rejects.toEqual(refusal(/claimed by ann/));

    expect(await queue.release(claim!)).toBe(true);
    expect(await queue.release(claim!)).toBe(false);
    const second = await queue.claim(review!, { by: 'bob' });
    expect(second?.by).toBe('bob');
    time += 1001;
    expect((await queue.get(review!))?.claim).toBeUndefined();
    const third = await queue.claim(review!, { by: 'ann', leaseMs: 5000 });
    expect(third?.until).toBe(new Date(time + 5000).toISOString());
    expect(await queue.renew(second!)).toBeUndefined();
    await expect(queue.answer(second!, 'approve')).rejects.toEqual(refusal(/claimed by ann/));
    expect(await queue.answer(third!, 'approve')).toEqual({ action: 'approve', by: 'ann' });
  });

  test('a claim can be renewed, even after it has run out, while no other worker has it', async () => {
    const { checkpointer, queue } = setUp();
    await asking({ checkpointer }).invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    const claim = await queue.claim(review!, { by: 'ann' });
    for (let beat = 0; beat < 12; beat++) {
      time += beat === 11 ? 5000 : 900;
      expect((await queue.renew(claim!))?.until).toBe(new Date(time + 1000).toISOString());
    }
    expect(await queue.claim(review!, { by: 'bob' })).toBeUndefined();
  });

  test('the holder of a review may answer it by name, from elsewhere', async () => {
    const { checkpointer, queue } = setUp();
    await asking({ checkpointer }).invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    await queue.claim(review!, { by: 'ann' });
    expect(await queue.answer(review!.id, 'refuse', { by: 'ann' })).toEqual({ action: 'refuse', by: 'ann' });
  });

  test('what cannot be answered says why, and is not recorded', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer });
    await graph.invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    await expect(queue.answer('no such id', 'approve')).rejects.toEqual(refusal(/not open/));
    await expect(queue.answer(review!, { action: 'approve', pin: ['x'] })).rejects.toMatchObject({
      kind: 'invalid-input',
      field: 'answer.pin[0]',
    });
    expect((await queue.get(review!))?.answered).toBe(false);
    await queue.answer(review!, { action: 'answer', answer: '300 euros', by: 'ann' });
    expect(await queue.claim(review!, { by: 'bob' })).toBeUndefined();
    await expect(queue.answer(review!, 'approve')).rejects.toEqual(refusal(/has an answer already, by ann/));
    await queue.resume(graph);
    await expect(queue.answer(review!, 'approve')).rejects.toEqual(refusal(/not open/));
  });

  test('of twenty claims at once one wins, of twenty answers one', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer });
    await graph.invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    const each = Array.from({ length: 20 }, (_, at) => `person ${at}`);
    const claims = await Promise.all(each.map((by) => queue.claim(review!, { by })));
    const [claim, ...others] = claims.filter((each) => each !== undefined);
    expect(others).toEqual([]);
    await queue.release(claim!);
    const answers = await Promise.allSettled(each.map((by) => queue.answer(review!, 'approve', { by })));
    const [answer, ...more] = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(more).toEqual([]);
    expect((await queue.resume(graph)).resumed).toMatchObject([{ output: { log: [answer] } }]);
  });

  test('of several workers at once one continues a thread', async () => {
    const { checkpointer, queue } = setUp({ now: undefined });
    let runs = 0;
    const graph = asking({ checkpointer }, async (answer) => {
      runs++;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return answer;
    });
    await graph.invoke({ query: 'q' }, thread('t'));
    await queue.answer((await queue.list())[0]!, 'approve');
    const all = await Promise.all(Array.from({ length: 5 }, () => queue.resume(graph)));
    expect(all.flatMap(({ resumed }) => resumed)).toHaveLength(1);
    expect(all.flatMap(({ failed }) => failed)).toEqual([]);
    expect(runs).toBe(1);
  });

  test('reviews side by side: each is answered by its id, all answers there go in at once', async () => {
    const { checkpointer, queue } = setUp();
    const graph = askingSideBySide({ checkpointer });
    await graph.invoke({ query: '' }, thread('t'));
    const reviews = await queue.list();
    expect(reviews.map(({ request }) => request.query).sort()).toEqual(['a', 'b', 'c']);
    const about = (query: string) => reviews.find(({ request }) => request.query === query)!;
    await queue.answer(about('c'), 'approve');
    await queue.answer(about('a'), 'refuse');
    const { resumed } = await queue.resume(graph);
    expect(resumed[0]?.reviews.sort()).toEqual([about('a').id, about('c').id].sort());
    expect((await queue.list()).map(({ id }) => id)).toEqual([about('b').id]);
    await expect(queue.answer(about('a'), 'approve')).rejects.toEqual(refusal(/not open/));
    await queue.answer(about('b'), { action: 'edit', query: 'other' });
    expect((await queue.resume(graph)).resumed).toHaveLength(1);
    expect(await queue.list()).toEqual([]);
    // A request to the graph's own user is neither listed nor answered.
    const { tasks } = await graph.getState(thread('t'));
    const waiting = tasks.filter(({ name }) => name === 'other').flatMap(({ interrupts }) => interrupts);
    expect(waiting).toMatchObject([{ value: { question: 'What is your name?' } }]);
    await graph.invoke(new Command({ resume: { [waiting[0]!.id as string]: 'Kim' } }), thread('t'));
    expect((await graph.getState(thread('t'))).values.log).toEqual([
      'a: refuse',
      'b: edit',
      'c: approve',
      'Kim',
    ]);
  });

  test('a review within subgraphs, one of which a node calls', async () => {
    const { checkpointer, queue } = setUp();
    const graph = askingWithin({ checkpointer });
    await graph.invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    await queue.answer(review!.id, 'approve', { by: 'ann' });
    expect((await queue.resume(graph)).resumed).toMatchObject([
      { reviews: [review!.id], output: { log: [{ action: 'approve', by: 'ann' }] } },
    ]);
  });

  test('a node that asks again asks a new question, under its old id or a new one, and the old claim does not answer it', async () => {
    const { checkpointer, queue } = setUp();
    const graph = askingTwice({ checkpointer }, () => {});
    await graph.invoke({ query: 'q' }, thread('t'));
    const [first] = await queue.list();
    const claim = await queue.claim(first!, { by: 'ann' });
    await queue.answer(claim!, 'approve');
    expect((await queue.resume(graph)).resumed).toMatchObject([{ output: { __interrupt__: [{}] } }]);
    const [second] = await queue.list();
    expect(second).toMatchObject({ answered: false, request: { problem: 'Say more.' } });
    await expect(queue.answer(claim!, 'approve')).rejects.toEqual(refusal(/is not open|asked again/));
    await queue.answer(second!, 'refuse');
    expect((await queue.resume(graph)).resumed).toMatchObject([
      { output: { log: [{ action: 'approve', by: 'ann' }, { action: 'refuse' }] } },
    ]);
  });

  test('a run that fails stays answered; the answer is not taken for that to the next question', async () => {
    const { checkpointer, queue } = setUp();
    let broken = true;
    const graph = askingTwice({ checkpointer }, () => {
      if (broken) throw new Error('no disk');
    });
    await graph.invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    await queue.answer(review!, 'approve');
    for (let attempt = 0; attempt < 2; attempt++) {
      const { resumed, failed } = await queue.resume(graph);
      expect(resumed).toEqual([]);
      expect(failed).toMatchObject([{ threadId: 't', reviews: [review!.id], error: { message: 'no disk' } }]);
      expect(await queue.list()).toMatchObject([{ answered: true }]);
    }
    broken = false;
    expect((await queue.resume(graph)).resumed).toMatchObject([{ reviews: [review!.id] }]);
    expect(await queue.list()).toMatchObject([{ answered: false, request: { problem: 'Say more.' } }]);
  });

  test('a run that fails after the review stays in the list, and goes on from there', async () => {
    const { checkpointer, queue } = setUp();
    let broken = true;
    let reviewed = 0;
    const graph = askingFirst(
      { checkpointer },
      () => {
        if (broken) throw new Error('503');
        return 'generated';
      },
      () => reviewed++,
    );
    await graph.invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    const answer = await queue.answer(review!, 'approve', { by: 'ann' });
    for (const options of [{}, { threadId: 't' }]) {
      const { resumed, failed } = await queue.resume(graph, options);
      expect(resumed).toEqual([]);
      expect(failed).toMatchObject([{ threadId: 't', reviews: [review!.id], error: { message: '503' } }]);
      const listed = { ...review, answered: true, unfinished: true };
      expect(await queue.list()).toEqual([listed]);
      expect(await queue.list({ threadId: 't' })).toEqual([listed]);
      expect(await queue.get(review!.id)).toEqual(listed);
    }
    expect(await queue.claim(review!, { by: 'bob' })).toBeUndefined();
    await expect(queue.answer(review!, 'refuse')).rejects.toEqual(refusal(/has an answer already, by ann/));

    broken = false;
    expect(await queue.resume(graph)).toEqual({
      resumed: [{ threadId: 't', reviews: [review!.id], output: { query: 'q', log: [answer, 'generated'] } }],
      failed: [],
    });
    expect(reviewed).toBe(1);
    expect(await queue.list()).toEqual([]);
    expect(await queue.resume(graph)).toEqual({ resumed: [], failed: [] });
    for await (const { config } of checkpointer.list({ configurable: {} })) {
      expect(config.configurable?.thread_id).toBe('t');
    }
  });

  test('runs that fail again and again record nothing more', async () => {
    const { checkpointer, queue } = setUp();
    const fail = () => {
      throw new Error('503');
    };
    await askingFirst({ checkpointer }, fail).invoke({ query: 'q' }, thread('late'));
    await asking({ checkpointer }, fail).invoke({ query: 'q' }, thread('at once'));
    for (const review of await queue.list()) await queue.answer(review, 'approve');
    const writes = async () => {
      let count = 0;
      for await (const { pendingWrites = [] } of checkpointer.list({ configurable: {} })) {
        count += pendingWrites.length;
      }
      return count;
    };
    const resume = async () => {
      await queue.resume(askingFirst({ checkpointer }, fail), { threadId: 'late' });
      await queue.resume(asking({ checkpointer }, fail), { threadId: 'at once' });
      return writes();
    };
    await resume();
    const after = await resume();
    for (let times = 0; times < 3; times++) expect(await resume()).toBe(after);
  });

  test('after a run that failed its application goes on by itself, or begins anew: nothing is done twice', async () => {
    const { checkpointer, queue } = setUp();
    const generated: string[] = [];
    let broken = true;
    const graph = askingFirst({ checkpointer }, (_, { query }) => {
      if (broken) throw new Error('503');
      generated.push(query);
      return 'generated';
    });
    for (const name of ['goes on', 'begins anew']) await graph.invoke({ query: name }, thread(name));
    for (const review of await queue.list()) await queue.answer(review, 'approve');
    expect((await queue.resume(graph)).failed).toHaveLength(2);
    broken = false;
    await graph.invoke(null, thread('goes on'));
    await graph.invoke({ query: 'another question' }, thread('begins anew'));
    expect(generated).toEqual(['goes on']);
    expect(await queue.resume(graph)).toMatchObject({ resumed: [{ threadId: 'goes on' }], failed: [] });
    expect(generated).toEqual(['goes on']);
    expect(await queue.list()).toMatchObject([{ answered: false, request: { query: 'another question' } }]);
  });

  test('a run that failed after the review waits for the graph that asked', async () => {
    const { checkpointer, queue } = setUp();
    let broken = true;
    const graph = askingFirst({ checkpointer }, () => {
      if (broken) throw new Error('503');
      return 'generated';
    });
    await graph.invoke({ query: 'q' }, thread('t'));
    await queue.answer((await queue.list())[0]!, 'approve');
    await queue.resume(graph);
    broken = false;
    const { failed } = await queue.resume(askingWithin({ checkpointer }));
    expect(failed).toMatchObject([{ threadId: 't', error: { kind: 'invalid-input', field: 'graph' } }]);
    expect((await queue.resume(graph)).resumed).toMatchObject([{ output: { log: [{}, 'generated'] } }]);
  });

  test('one thread’s failure does not keep others back; a graph that did not ask says so', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer }, (answer, { query }) => {
      if (query === 'bad') throw new Error('bad');
      return answer;
    });
    for (const name of ['bad', 'good']) await graph.invoke({ query: name }, thread(name));
    await askingWithin({ checkpointer }).invoke({ query: 'q' }, thread('other'));
    for (const review of await queue.list()) await queue.answer(review, 'approve');
    const { resumed, failed } = await queue.resume(graph);
    expect(resumed.map(({ threadId }) => threadId)).toEqual(['good']);
    const errors = new Map(failed.map(({ threadId, error }) => [threadId, error]));
    expect(errors.get('bad')).toMatchObject({ message: 'bad' });
    expect(ContextShapingError.isInstance(errors.get('other'))).toBe(true);
    expect((await queue.list()).map(({ answered }) => answered)).toEqual([true, true]);
  });

  test('threads that fail every time do not hold up those behind them, however few are continued at once', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer }, (answer, { query }) => {
      if (query.startsWith('bad')) throw new Error('bad');
      return answer;
    });
    for (const name of ['bad 1', 'bad 2', 'good']) await graph.invoke({ query: name }, thread(name));
    for (const review of await queue.list()) await queue.answer(review, 'approve');
    const { resumed, failed } = await queue.resume(graph, { limit: 1 });
    expect(resumed.map(({ threadId }) => threadId)).toEqual(['good']);
    expect(failed.map(({ threadId }) => threadId).sort()).toEqual(['bad 1', 'bad 2']);
  });

  test('a graph that did not ask leaves the thread as it was for the one that did', async () => {
    const { checkpointer, queue } = setUp();
    const other = askingWithin({ checkpointer });
    await other.invoke({ query: 'q' }, thread('t'));
    await queue.answer((await queue.list())[0]!, 'approve');
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await queue.resume(asking({ checkpointer }))).failed).toMatchObject([{ threadId: 't' }]);
    }
    expect((await queue.resume(other)).resumed).toMatchObject([{ output: { log: [{ action: 'approve' }] } }]);
    expect(await queue.list()).toEqual([]);
  });

  test('only the claimant answers, or the person named by the answer', async () => {
    const { checkpointer, queue } = setUp();
    for (const name of ['a', 'b', 'c']) await asking({ checkpointer }).invoke({ query: name }, thread(name));
    const [a, b, c] = await queue.list();
    const claim = await queue.claim(a!, { by: 'ann' });
    const answer = { action: 'approve', by: 'bob' };
    expect(await queue.answer(claim!, answer)).toEqual({ action: 'approve', by: 'ann' });
    expect(await queue.answer(b!, answer, { by: 'ann' })).toEqual({ action: 'approve', by: 'ann' });
    await queue.claim(c!, { by: 'bob' });
    expect(await queue.answer(c!, answer)).toEqual(answer);
    expect(answer.by).toBe('bob');
  });

  test('a deleted thread is not waited for, and its records go', async () => {
    const { checkpointer, queue } = setUp();
    await asking({ checkpointer }).invoke({ query: 'q' }, thread('t'));
    const [review] = await queue.list();
    await queue.answer(review!, 'approve');
    await checkpointer.deleteThread('t');
    expect(await queue.list()).toEqual([]);
    await expect(queue.answer(review!, 'approve')).rejects.toEqual(refusal(/not open/));
    expect(await queue.resume(asking({ checkpointer }))).toEqual({ resumed: [], failed: [] });
    for await (const { config } of checkpointer.list({ configurable: {} })) expect(config).toBeUndefined();
  });

  test('a value that is no request is not listed, under any name', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer });
    await graph.invoke({ query: undefined as unknown as string }, thread('t'));
    expect(await queue.list()).toEqual([]);
  });

  test('texts with any characters', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer });
    const text = 'a\u0000b\u001b[31m 🙂';
    await graph.invoke({ query: text }, thread('t'));
    const [review] = await queue.list();
    expect(review?.request.query).toBe(text);
    const answer = { action: 'answer', answer: text, by: text };
    await queue.answer(review!, answer);
    expect((await queue.resume(graph)).resumed).toMatchObject([{ output: { log: [answer] } }]);
  });

  test('only one thread, or a few; in the order in which they were answered', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer });
    for (const name of ['a', 'b', 'c']) await graph.invoke({ query: name }, thread(name));
    for (const review of (await queue.list()).reverse()) {
      time += 1;
      await queue.answer(review, 'approve');
    }
    const resumed = async (options: { limit?: number; threadId?: string }) =>
      (await queue.resume(graph, options)).resumed.map(({ threadId }) => threadId);
    expect(await resumed({ threadId: 'b' })).toEqual(['b']);
    expect(await resumed({ limit: 1 })).toEqual(['c']);
    expect(await resumed({})).toEqual(['a']);
  });

  test('records of a thread that its application continued by itself go with the next resume', async () => {
    const { checkpointer, queue } = setUp();
    const graph = asking({ checkpointer });
    for (const name of ['claimed', 'answered']) await graph.invoke({ query: name }, thread(name));
    for (const review of await queue.list()) {
      if (review.threadId === 'answered') await queue.answer(review, 'approve');
      else await queue.claim(review, { by: 'ann' });
      await graph.invoke(new Command({ resume: 'by itself' }), thread(review.threadId));
    }
    expect(await queue.list()).toEqual([]);
    time += 1001;
    expect(await queue.resume(graph)).toEqual({ resumed: [], failed: [] });
    const threads = new Set<unknown>();
    for await (const { config } of checkpointer.list({ configurable: {} })) {
      threads.add(config.configurable?.thread_id);
    }
    expect(threads).toEqual(new Set(['claimed', 'answered']));
  });

  test('an abort ends the run with its own reason, and the thread is free at once', async () => {
    const { checkpointer, queue } = setUp();
    const stop = new AbortController();
    const graph = asking({ checkpointer }, async (answer) => {
      stop.abort(new Error('enough'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      return answer;
    });
    await graph.invoke({ query: 'q' }, thread('t'));
    await queue.answer((await queue.list())[0]!, 'approve');
    await expect(queue.resume(graph, { signal: stop.signal })).rejects.toThrow('enough');
    expect((await queue.resume(asking({ checkpointer }))).resumed).toHaveLength(1);
  });

  test('context and configuration go to the graph', async () => {
    const { checkpointer, queue } = setUp();
    const seen: unknown[] = [];
    const graph = asking({ checkpointer });
    await graph.invoke({ query: 'q' }, thread('t'));
    await queue.answer((await queue.list())[0]!, 'approve');
    const spy = {
      invoke(input: Parameters<typeof graph.invoke>[0], config: Parameters<typeof graph.invoke>[1]) {
        seen.push(config);
        return graph.invoke(input, config);
      },
    };
    const { resumed } = await queue.resume(spy, { config: { tags: ['x'], configurable: { user: 'u' } } });
    expect(resumed).toHaveLength(1);
    expect(seen).toMatchObject([
      { tags: ['x'], configurable: { user: 'u', thread_id: 't' }, durability: 'sync' },
    ]);
  });
});

describe('with a store', () => {
  test('only threads that were entered are read; those that are through are taken out', async () => {
    const checkpointer = new MemorySaver();
    const store = new InMemoryStore();
    checkpointer.list = () => {
      throw new Error('all checkpoints were read');
    };
    const queue = createReviewQueue({ checkpointer, store });
    const graph = asking({ checkpointer, store });
    for (const name of ['a', 'b']) await graph.invoke({ query: name }, thread(name));
    const reviews = await queue.list();
    expect(reviews.map(({ threadId }) => threadId)).toEqual(['a', 'b']);
    expect(await queue.get(reviews[1]!.id)).toEqual(reviews[1]);
    expect(await queue.claim(reviews[1]!.id, { by: 'ann' })).toBeDefined();
  });

  test('a resume takes its thread out of the index; stale entries go after a day', async () => {
    const checkpointer = new MemorySaver();
    const store = new InMemoryStore();
    let time = Date.now();
    const queue = createReviewQueue({ checkpointer, store, now: () => time });
    const graph = asking({ checkpointer, store });
    const indexed = async () => (await store.search(['context-shaping', 'reviews'])).map(({ key }) => key);
    await graph.invoke({ query: 'q' }, thread('t'));
    await queue.answer((await queue.list())[0]!, 'approve');
    await queue.resume(graph);
    expect(await indexed()).toEqual([]);
    await indexReview(store, 'never asked');
    expect(await queue.list()).toEqual([]);
    // Its node may be about to ask.
    expect(await indexed()).toEqual(['never asked']);
    time += 25 * 60 * 60 * 1000;
    expect(await queue.list()).toEqual([]);
    expect(await indexed()).toEqual([]);
  });

  test.skipIf(!postgres?.available)('of PostgreSQL, several pages of it', async () => {
    const { connection, checkpointer, close } = await (postgres as NonNullable<typeof postgres>).open();
    const [address, schema] = connection.split('#') as [string, string];
    const store = PostgresStore.fromConnString(address, { schema });
    onTestFinished(async () => {
      await store.stop();
      await close();
    });
    await store.setup();
    const graph = asking({ checkpointer, store });
    await graph.invoke({ query: 'q' }, thread('t'));
    await Promise.all(Array.from({ length: 401 }, (_, at) => indexReview(store, `waits no more ${at}`)));
    const queue = createReviewQueue({ checkpointer, store });
    const reviews = await queue.list();
    expect(reviews.map(({ threadId }) => threadId)).toEqual(['t']);
    await queue.answer(reviews[0]!.id, 'approve');
    expect((await queue.resume(graph)).resumed).toHaveLength(1);
    expect(await store.get(['context-shaping', 'reviews'], 't')).toBeNull();
  });

  test('a thread whose run failed after the review stays in the index', async () => {
    const checkpointer = new MemorySaver();
    const store = new InMemoryStore();
    let time = Date.now();
    const queue = createReviewQueue({ checkpointer, store, now: () => time });
    let broken = true;
    const graph = askingFirst({ checkpointer, store }, () => {
      if (broken) throw new Error('503');
      return 'generated';
    });
    await graph.invoke({ query: 'q' }, thread('t'));
    await queue.answer((await queue.list())[0]!, 'approve');
    expect((await queue.resume(graph)).failed).toHaveLength(1);
    time += 25 * 60 * 60 * 1000;
    for (let times = 0; times < 2; times++) expect(await queue.list()).toMatchObject([{ unfinished: true }]);
    broken = false;
    expect((await queue.resume(graph)).resumed).toHaveLength(1);
    expect(await queue.list()).toEqual([]);
    expect(await store.search(['context-shaping', 'reviews'])).toEqual([]);
  });

  test('more threads than a store tells at once', async () => {
    const checkpointer = new MemorySaver();
    const store = new InMemoryStore();
    const graph = asking({ checkpointer, store });
    const names = Array.from({ length: 450 }, (_, at) => `thread ${at}`);
    for (const name of names) await graph.invoke({ query: name }, thread(name));
    const listed = await createReviewQueue({ checkpointer, store }).list();
    expect(new Set(listed.map(({ threadId }) => threadId))).toEqual(new Set(names));
  });
});

test('an answer that another worker has used and deleted before its writer looks again was recorded', async () => {
  class Quick extends MemorySaver {
    override async putWrites(...args: Parameters<MemorySaver['putWrites']>) {
      await super.putWrites(...args);
      const [, [[, value] = []]] = args as [unknown, [[string, unknown]?], string];
      const { answer } = (value ?? {}) as { answer?: unknown };
      if (answer !== undefined) await createReviewQueue({ checkpointer }).resume(asking({ checkpointer }));
    }
  }
  const checkpointer = new Quick();
  await asking({ checkpointer }).invoke({ query: 'q' }, thread('t'));
  const queue = createReviewQueue({ checkpointer });
  const answer = await queue.answer((await queue.list())[0]!, 'approve', { by: 'ann' });
  expect((await asking({ checkpointer }).getState(thread('t'))).values.log).toEqual([answer]);
});

describe('a run that takes longer than a lease', () => {
  const setUp = async () => {
    const checkpointer = new MemorySaver();
    let runs = 0;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slow = asking({ checkpointer }, async (answer) => {
      runs++;
      await over;
      return answer;
    });
    await slow.invoke({ query: 'q' }, thread('t'));
    const queue = createReviewQueue({ checkpointer, leaseMs: 600 });
    await queue.answer((await queue.list())[0]!, 'approve');
    return { checkpointer, queue, slow, runs: () => runs, end };
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1000));

  test('keeps its thread', async () => {
    const { queue, slow, runs, end } = await setUp();
    const first = queue.resume(slow);
    await pause();
    expect(await queue.resume(slow)).toEqual({ resumed: [], failed: [] });
    end();
    expect((await first).resumed).toHaveLength(1);
    expect(runs()).toBe(1);
  });

  test('ends when another worker has taken it', async () => {
    const { checkpointer, queue, slow } = await setUp();
    const first = queue.resume(slow);
    await pause();
    // Its clock is wrong: to it the lease has run out.
    const other = createReviewQueue({ checkpointer, now: () => Date.now() + 60_000 });
    expect((await other.resume(asking({ checkpointer }))).resumed).toHaveLength(1);
    // The next renewal ends it: its node would never end.
    expect(await first).toMatchObject({
      resumed: [],
      failed: [{ error: { message: 'Another worker has taken the thread.' } }],
    });
  });
});

test('a checkpointer that keeps the last of two writes is refused before anything depends on it', async () => {
  class LastOneWins extends MemorySaver {
    override async putWrites(...args: Parameters<MemorySaver['putWrites']>) {
      const [{ configurable }, , task] = args;
      const key = JSON.stringify([
        configurable?.thread_id,
        configurable?.checkpoint_ns,
        configurable?.checkpoint_id,
      ]);
      delete (this.writes[key] as Record<string, unknown> | undefined)?.[`${task},0`];
      await super.putWrites(...args);
    }
  }
  const checkpointer = new LastOneWins();
  await asking({ checkpointer }).invoke({ query: 'q' }, thread('t'));
  const queue = createReviewQueue({ checkpointer });
  const [review] = await queue.list();
  await expect(queue.claim(review!, { by: 'ann' })).rejects.toMatchObject({
    kind: 'service',
    field: 'checkpointer',
  });
});

test('options that are wrong are named', async () => {
  const checkpointer = new MemorySaver();
  const make = (options: object) => () => createReviewQueue(options as ReviewQueueOptions);
  expect(make({})).toThrow(/^checkpointer must be a checkpointer/);
  expect(make({ checkpointer, leaseMs: 0 })).toThrow(/^leaseMs must be at least 1/);
  expect(make({ checkpointer, leaseMs: 2 ** 31 })).toThrow(/^leaseMs must be at most/);
  expect(make({ checkpointer, lease: 5 })).toThrow(/^lease is not an option/);
  const queue = createReviewQueue({ checkpointer });
  await expect(queue.list({ limit: 0 })).rejects.toThrow(/^limit must be at least 1/);
  await expect(queue.claim('id', { by: '' })).rejects.toThrow(/^by /);
  for (const given of [undefined, null, 5, {}, { id: 7 }, { id: 'a', token: 'b' }] as never[]) {
    const calls = [queue.answer(given, 'approve'), queue.renew(given), queue.release(given)];
    for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
      expect(reason).toEqual(refusal(/^must be a review, the id of a review, or a claim|not open/));
    }
  }
});
