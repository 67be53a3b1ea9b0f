/** Reviews whose queue stops at any of its steps, and many that do all they can at the same time. */
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { ContextShapingError } from 'context-shaping';
import { type Claim, createReviewQueue } from 'context-shaping/langgraph';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asking, askingFirst, askingTwice, thread } from '../../../adapters/langgraph/review-graphs.js';
import { checkpointers, connect, type Opened } from '../../../adapters/langgraph/servers.js';

const CHANGES = new Set(['put', 'putWrites', 'deleteThread']);

/** Stops before its nth change, or right after it, as a process does that is killed: nothing is done from then on. */
function stopping(checkpointer: BaseCheckpointSaver, at: number, when: 'before' | 'after') {
  let changes = 0;
  let stopped = false;
  const stop = () => {
    stopped = true;
    throw new Error('killed');
  };
  const killed = new Proxy(checkpointer, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (stopped) return stop();
        const isLast = CHANGES.has(String(name)) && ++changes === at;
        if (isLast && when === 'before') return stop();
        const result: unknown = value.apply(target, args);
        return isLast ? Promise.resolve(result).then(stop) : result;
      };
    },
  });
  return { killed, wasStopped: () => stopped };
}

const threadsIn = async (checkpointer: BaseCheckpointSaver) => {
  const threads = new Set<unknown>();
  for await (const { config } of checkpointer.list({ configurable: {} })) {
    threads.add(config.configurable?.thread_id);
  }
  return threads;
};

describe.each(checkpointers.filter(({ available }) => available))('$name', ({ shared, open }) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  test.each([
    ['before', 'one node'],
    ['after', 'one node'],
    ['before', 'a node after the review'],
    ['after', 'a node after the review'],
  ] as const)('killed %s any change, of %s: answered and continued once', async (when, nodes) => {
    const compiled = nodes === 'one node' ? asking : askingFirst;
    const generated = nodes === 'one node' ? [] : ['generated'];
    const { checkpointer } = opened;
    let time = 0;
    const options = { leaseMs: 1000, now: () => time };
    let steps = 0;
    for (let at = 1, went = true; went; at++) {
      const name = `t${at}`;
      await compiled({ checkpointer }).invoke({ query: name }, thread(name));
      const { killed, wasStopped } = stopping(checkpointer, at, when);
      let answered = false;
      try {
        const queue = createReviewQueue({ checkpointer: killed, ...options });
        const claim = await queue.claim((await queue.list())[0]!, { by: 'ann' });
        await queue.answer(claim!, 'approve');
        answered = true;
        await queue.resume(compiled({ checkpointer: killed }));
      } catch {
        // As if it had never come back.
      }
      went = wasStopped();
      if (went) steps = at;
      time += 2000;

      const queue = createReviewQueue({ checkpointer, ...options });
      const graph = compiled({ checkpointer });
      const [review] = await queue.list();
      if (review !== undefined && !review.answered) {
        expect(answered).toBe(false);
        await queue.answer(review, 'approve', { by: 'bob' });
      }
      await queue.resume(graph);
      const { values } = await graph.getState(thread(name));
      const by = answered ? 'ann' : expect.stringMatching(/ann|bob/);
      expect(values.log).toEqual([{ action: 'approve', by }, ...generated]);
      expect(await queue.list()).toEqual([]);
      time += 2000;
      await queue.resume(graph);
    }
    expect(steps).toBeGreaterThan(10);
    // A killed process that continued a thread may leave one log behind, for the next process that continues it.
    const left = [...(await threadsIn(checkpointer))].filter((name) => !/^t\d|resume/.test(String(name)));
    expect(left).toEqual([]);
  });

  test('many at once claim, answer, release and continue: one answer each, none lost, none twice', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `t${at}`);
    const { checkpointer, connection } = opened;
    for (const name of names) await asking({ checkpointer }).invoke({ query: name }, thread(name));
    const others = shared ? await Promise.all([1, 2, 3].map(() => connect(connection))) : [];
    const recorded: [threadId: string, by: unknown][] = [];
    const given: [threadId: string, by: unknown][] = [];
    let seed = 7;
    const chance = (share: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed / 2 ** 31 < share;
    };
    const actor = async (me: string, own: BaseCheckpointSaver) => {
      const queue = createReviewQueue({ checkpointer: own });
      const graph = asking({ checkpointer: own }, (answer, { query }) => {
        given.push([query, (answer as { by: unknown }).by]);
        return answer;
      });
      const act = async (claim: Claim) => {
        if (chance(0.3)) return void (await queue.release(claim));
        if (chance(0.3)) await queue.renew(claim);
        recorded.push([claim.threadId, (await queue.answer(claim, 'approve')).by]);
      };
      for (;;) {
        const reviews = await queue.list();
        if (reviews.length === 0) return;
        for (const review of reviews) {
          try {
            if (chance(0.5)) {
              const { by } = await queue.answer(review, 'approve', { by: me });
              recorded.push([review.threadId, by]);
            } else {
              const claim = await queue.claim(review, { by: me });
              if (claim !== undefined) await act(claim);
            }
          } catch (error) {
            if (!ContextShapingError.isInstance(error) || error.kind !== 'invalid-input') throw error;
          }
          if (chance(0.4)) expect((await queue.resume(graph)).failed).toEqual([]);
        }
      }
    };
    try {
      const savers = [checkpointer, ...others.map((other) => other.checkpointer)];
      await Promise.all(Array.from({ length: 8 }, (_, at) => actor(`${at}`, savers[at % savers.length]!)));
    } finally {
      for (const { close } of others) await close();
    }
    expect(recorded.map(([name]) => name).sort()).toEqual([...names].sort());
    expect(given.toSorted()).toEqual(recorded.toSorted());
    for (const name of names) {
      const { values } = await asking({ checkpointer }).getState(thread(name));
      expect(values.log).toHaveLength(1);
    }
  });

  test('a worker that was too late to continue a thread does not keep others from its next answer', async () => {
    const { checkpointer } = opened;
    const graph = askingTwice({ checkpointer }, () => {});
    await graph.invoke({ query: 'q' }, thread('t'));
    const queue = createReviewQueue({ checkpointer });
    await queue.answer((await queue.list())[0]!, 'approve');

    let goOn = () => {};
    const over = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let claims = () => {};
    const claiming = new Promise<void>((resolve) => {
      claims = resolve;
    });
    const late = Object.create(checkpointer) as BaseCheckpointSaver;
    late.putWrites = async (...args) => {
      const [, [[, value] = []]] = args as [unknown, [[string, unknown]?], string];
      if ((value as { token?: unknown } | null)?.token !== undefined) {
        claims();
        await over;
      }
      return checkpointer.putWrites(...args);
    };
    const tooLate = createReviewQueue({ checkpointer: late }).resume(graph);
    await claiming;
    expect((await queue.resume(graph)).resumed).toHaveLength(1);
    goOn();
    expect(await tooLate).toEqual({ resumed: [], failed: [] });

    await queue.answer((await queue.list())[0]!, 'refuse');
    expect((await queue.resume(graph)).resumed).toMatchObject([
      { output: { log: [{}, { action: 'refuse' }] } },
    ]);
  });
});
