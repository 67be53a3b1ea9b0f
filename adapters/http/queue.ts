/**
 * The queue of accepted requests: first come, first served. The service has its own queue because it must tell waiting
 * jobs from running ones: a waiting job can be dropped without terminating a thread.
 */

import { withDeadline } from '../../src/internal.js';
import type { Answer, Job, OnStage, Run } from '../workers/index.js';
import { HttpProblem, problem } from '../workers/index.js';

interface Limits {
  /** Maximum jobs that run at a time. */
  concurrency: number;
  maxQueue: number;
  timeLimitMs: number;
}

export class WorkQueue {
  readonly #run: Run;
  readonly #limits: Limits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(run: Run, limits: Limits) {
    this.#run = run;
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @param left aborts when the client disconnects. A waiting job then leaves the queue; a running job gets the signal.
   * @throws HttpProblem 503 at once if the queue is full, or when the time limit is reached; the reason of `left`.
   */
  async submit(job: Job, left: AbortSignal, onStage?: OnStage): Promise<Answer> {
    const { concurrency, maxQueue, timeLimitMs } = this.#limits;
    if (this.#running >= concurrency && this.#waiting.length >= maxQueue) throw busy();
    await within(timeLimitMs, notFree, (late) => this.#turn([left, late]));
    try {
      // The work has the full time limit, no matter how long the job waited. Under load the running jobs have waited
      // longest, and terminating their threads would make the next jobs wait even longer.
      return await within(timeLimitMs, tookTooLong, (late) => this.#run(job, { late, left }, onStage));
    } finally {
      this.#next();
    }
  }

  async #turn(signals: readonly AbortSignal[]): Promise<void> {
    for (const signal of signals) signal.throwIfAborted();
    if (this.#running < this.#limits.concurrency) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = ({ target }: Event) => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject((target as AbortSignal).reason);
      };
      const start = () => {
        for (const signal of signals) signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(start);
      for (const signal of signals) signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Passes the free place directly to the next job, so that no new job can take it. */
  #next(): void {
    const start = this.#waiting.shift();
    if (start === undefined) this.#running -= 1;
    else start();
  }
}

const busy = () =>
  new HttpProblem(
    problem(503, 'All workers are busy and the queue is full.', { remedy: 'Retry in one second.' }),
    { 'retry-after': '1' },
  );

const notFree = (milliseconds: number) =>
  new HttpProblem(problem(503, `No worker was free within ${milliseconds} ms.`, { remedy: 'Retry later.' }), {
    'retry-after': '1',
  });

const tookTooLong = (milliseconds: number) =>
  new HttpProblem(
    problem(503, `The work was not finished within ${milliseconds} ms.`, {
      remedy: 'Send fewer or shorter chunks, or retry later.',
    }),
  );

async function within<T>(
  milliseconds: number,
  reason: (milliseconds: number) => HttpProblem,
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, isLate, clear } = withDeadline(undefined, milliseconds);
  try {
    return await work(signal as AbortSignal);
  } catch (error) {
    throw isLate() ? reason(milliseconds) : error;
  } finally {
    clear();
  }
}
