/** The queue by itself, with time that stands still unless told. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkQueue } from '../../../adapters/http/queue.js';
import type { Run } from '../../../adapters/workers/index.js';

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

test('who has waited long has all of the time when it is its turn', async () => {
  const queue = new WorkQueue(taking(700), { concurrency: 1, maxQueue: 9, timeLimitMs: 1000 });
  const submitted = [queue.submit(JOB, here), queue.submit(JOB, here)];
  await vi.advanceTimersByTimeAsync(1400);
  await expect(Promise.all(submitted)).resolves.toEqual([ANSWER, ANSWER]);
});

test('who waits longer than the limit leaves the queue, with when to come back', async () => {
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
  expect(queue.waiting).toBe(0);
});
