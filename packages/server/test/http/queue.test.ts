/** The queue by itself, with time that stands still unless told. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkQueue } from '../../src/http/queue.js';
import type { Job, Run } from '../../src/workers/jobs.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const JOB = { kind: 'shape', body: new Uint8Array(), isJson: true } as const;
const ANSWER = { status: 200, contentType: 'text/plain', body: '' };
const here = new AbortController().signal;

/** Takes so long, unless it is ended. */
const taking =
  (milliseconds: number): Run =>
  (_job, { late }) =>
    new Promise((resolve, reject) => {
      setTimeout(resolve, milliseconds, ANSWER);
      late.addEventListener('abort', () => reject(late.reason));
    });

test('a request that has waited long has the full time limit in its turn', async () => {
  const queue = new WorkQueue(taking(700), { concurrency: 1, maxQueue: 9, timeLimitMs: 1000 });
  const submitted = [queue.submit(JOB, here), queue.submit(JOB, here)];
  await vi.advanceTimersByTimeAsync(1400);
  await expect(Promise.all(submitted)).resolves.toEqual([ANSWER, ANSWER]);
});

test('a request that waits longer than the limit leaves the queue, with the time to come back', async () => {
  const run = vi.fn(taking(1500));
  const queue = new WorkQueue(run, { concurrency: 1, maxQueue: 9, timeLimitMs: 2000 });
  const submitted = Promise.allSettled([1, 2, 3].map(() => queue.submit(JOB, here)));
  await vi.advanceTimersByTimeAsync(3000);
  expect(await submitted).toMatchObject([
    { value: ANSWER },
    { value: ANSWER },
    { reason: { problem: { status: 503 }, headers: { 'retry-after': '1' } } },
  ]);
  expect(run).toHaveBeenCalledTimes(2);
  expect(queue.length).toBe(0);
});

/** Lets the test end each job. */
function byHand(limits: { concurrency: number; maxQueue: number }) {
  const running: { job: Job; end: () => void }[] = [];
  const run: Run = (job) =>
    new Promise((resolve) => {
      running.push({ job, end: () => resolve(ANSWER) });
    });
  const queue = new WorkQueue(run, { ...limits, timeLimitMs: 1000 });
  const outcomes: (number | 'left')[] = [];
  const submit = (job: Job, left: AbortSignal = new AbortController().signal) => {
    const at = outcomes.push(0) - 1;
    queue.submit(job, left).then(
      ({ status }) => {
        outcomes[at] = status;
      },
      (error) => {
        outcomes[at] = error?.problem?.status ?? 'left';
      },
    );
    return vi.advanceTimersByTimeAsync(0);
  };
  const end = (at: number) => {
    running.splice(at, 1)[0]?.end();
    return vi.advanceTimersByTimeAsync(0);
  };
  return { running, outcomes, submit, end, waiting: () => queue.length };
}

test('a full queue refuses new jobs, and the others run in the order of their arrival', async () => {
  const { running, outcomes, submit, end, waiting } = byHand({ concurrency: 2, maxQueue: 3 });
  const jobs = Array.from({ length: 6 }, (): Job => ({ ...JOB }));
  for (const job of jobs) await submit(job);
  expect([outcomes, waiting()]).toEqual([[0, 0, 0, 0, 0, 503], 3]);
  await end(1);
  expect(running.map(({ job }) => jobs.indexOf(job))).toEqual([0, 2]);
  while (running.length > 0) await end(0);
  expect(outcomes).toEqual([200, 200, 200, 200, 200, 503]);
});

test('a job whose client leaves in the moment of its turn gives the place to the next', async () => {
  const { running, outcomes, submit, end } = byHand({ concurrency: 1, maxQueue: 3 });
  const left = new AbortController();
  await submit(JOB);
  await submit(JOB, left.signal);
  await submit(JOB);
  const ended = end(0);
  left.abort(new Error('left'));
  await ended;
  expect([outcomes, running.length]).toEqual([[200, 'left', 0], 1]);
});

test('for any arrivals and departures: places are used, the queue is short, each job ends once and in turn', async () => {
  const step = fc.oneof(
    fc.record({ leaves: fc.boolean() }),
    fc.record({ end: fc.nat(4) }),
    fc.record({ leave: fc.nat(9) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 6 }),
      async (steps, concurrency, maxQueue) => {
        const { running, outcomes, submit, end, waiting } = byHand({ concurrency, maxQueue });
        const controllers: AbortController[] = [];
        const began: Job[] = [];
        const submitted: Job[] = [];
        for (const each of steps) {
          if ('leaves' in each) {
            const job = { ...JOB };
            const controller = new AbortController();
            if (each.leaves) controllers.push(controller);
            submitted.push(job);
            await submit(job, controller.signal);
          } else if ('end' in each) await end(each.end % Math.max(1, running.length));
          else {
            controllers.splice(each.leave, 1)[0]?.abort(new Error('left'));
            await vi.advanceTimersByTimeAsync(0);
          }
          for (const { job } of running) if (!began.includes(job)) began.push(job);
          expect(running.length).toBeLessThanOrEqual(concurrency);
          expect(waiting()).toBeLessThanOrEqual(maxQueue);
          if (waiting() > 0) expect(running.length).toBe(concurrency);
        }
        while (running.length > 0) {
          await end(0);
          for (const { job } of running) if (!began.includes(job)) began.push(job);
        }
        expect(waiting()).toBe(0);
        expect(outcomes).not.toContain(0);
        const order = began.map((job) => submitted.indexOf(job));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      },
    ),
    { numRuns: 300 },
  );
});
