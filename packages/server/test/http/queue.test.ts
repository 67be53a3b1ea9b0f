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
/** Two jobs, each of another class of size. */
const [SMALL, LARGE] = [1000, 1_000_000].map((length): Job => ({ ...JOB, body: new Uint8Array(length) })) as [
  Job,
  Job,
];
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
  expect(queue.waiting.filter(([, jobs]) => jobs > 0)).toEqual([]);
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
  const waiting = () => queue.waiting.reduce((sum, [, jobs]) => sum + jobs, 0);
  return { queue, running, outcomes, submit, end, waiting };
}

test('while large jobs fill all places, one small job at a time runs beside them', async () => {
  const { running, submit, end, waiting } = byHand({ concurrency: 2, maxQueue: 9 });
  for (const job of [LARGE, LARGE, LARGE, SMALL, SMALL]) await submit(job);
  expect(running.map(({ job }) => job)).toEqual([LARGE, LARGE, SMALL]);
  await end(2);
  expect(running.map(({ job }) => job)).toEqual([LARGE, LARGE, SMALL]);
  await end(2);
  expect(running.map(({ job }) => job)).toEqual([LARGE, LARGE]);
  expect(waiting()).toBe(1);
  await end(0);
  expect(running.map(({ job }) => job)).toEqual([LARGE, LARGE]);
});

test('jobs of one class have no more places than there are workers', async () => {
  for (const job of [SMALL, LARGE]) {
    const { running, submit, waiting } = byHand({ concurrency: 2, maxQueue: 9 });
    for (let count = 0; count < 5; count++) await submit(job);
    expect([running.length, waiting()]).toEqual([2, 3]);
  }
});

test('a full queue refuses the newest jobs of the class that has most of it', async () => {
  const { running, outcomes, submit, end } = byHand({ concurrency: 1, maxQueue: 4 });
  for (const job of [LARGE, LARGE, LARGE, LARGE, LARGE, LARGE]) await submit(job);
  expect(outcomes).toEqual([0, 0, 0, 0, 0, 503]);
  // The first small job runs in the extra place.
  for (const job of [SMALL, SMALL, SMALL, SMALL]) await submit(job);
  expect(outcomes).toEqual([0, 0, 0, 503, 503, 503, 0, 0, 0, 503]);
  await submit(LARGE);
  expect(outcomes.at(-1)).toBe(503);
  while (running.length > 0) await end(0);
  expect(outcomes).toEqual([200, 200, 200, 503, 503, 503, 200, 200, 200, 503, 503]);
});

test('for any arrivals and departures: places are used, the queue is short, each job ends once and in turn', async () => {
  const step = fc.oneof(
    fc.record({ submit: fc.constantFrom(10, 100_000, 500_000, 3_000_000), leaves: fc.boolean() }),
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
          if ('submit' in each) {
            const job = { ...JOB, body: new Uint8Array(each.submit) };
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
          expect(running.length).toBeLessThanOrEqual(concurrency + 1);
          expect(waiting()).toBeLessThanOrEqual(maxQueue);
          if (waiting() > 0) expect(running.length).toBeGreaterThanOrEqual(concurrency);
        }
        while (running.length > 0) {
          await end(0);
          for (const { job } of running) if (!began.includes(job)) began.push(job);
        }
        expect(waiting()).toBe(0);
        expect(outcomes).not.toContain(0);
        for (const { body } of submitted) {
          const order = began
            .filter((job) => job.body.length === body.length)
            .map((job) => submitted.indexOf(job));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
      },
    ),
    { numRuns: 300 },
  );
});
