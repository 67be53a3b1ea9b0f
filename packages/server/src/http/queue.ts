/**
 * The queue of accepted requests: the first to come is the first served. The service has its own queue because it must tell
 * waiting jobs from running ones: a waiting job can be dropped without terminating a thread.
 */

import { within } from 'context-shaping/kit';
import type { Answer, Job, Run } from '../workers/jobs.js';
import { HttpProblem, problem } from '../workers/problems.js';

interface Limits {
  /** Jobs that run at a time. */
  concurrency: number;
  maxQueue: number;
  timeLimitMs: number;
}

/** The turn of a job, which waits until it starts. */
interface Turn {
  isRunning: boolean;
  start(): void;
}

export class WorkQueue {
  readonly #run: Run;
  readonly #limits: Limits;
  readonly #onStart: (seconds: number) => void;
  readonly #waiting = new Set<Turn>();
  #running = 0;

  /** @param onStart gets how long a job that starts has waited. */
  constructor(run: Run, limits: Limits, onStart: (seconds: number) => void = () => {}) {
    this.#run = run;
    this.#limits = limits;
    this.#onStart = onStart;
  }

  /** Number of waiting jobs. */
  get length(): number {
    return this.#waiting.size;
  }

  /**
   * @param left aborts when the client disconnects. A waiting job then leaves the queue; a running job gets the signal.
   * @throws HttpProblem 503 if the queue is full or the time limit is reached; the reason of `left`.
   */
  async submit(job: Job, left: AbortSignal): Promise<Answer> {
    const { timeLimitMs } = this.#limits;
    const began = performance.now();
    const turn: Turn = { isRunning: false, start() {} };
    try {
      await within(timeLimitMs, left, () => this.#started(turn), notFree);
      this.#onStart((performance.now() - began) / 1000);
      // The work has the full time limit, no matter how long the job waited. Under load the running jobs have waited
      // longest, and terminating their threads would make the next jobs wait even longer.
      const run = (late: AbortSignal) => this.#run(job, { late, left });
      return await within(timeLimitMs, undefined, run, tookTooLong);
    } finally {
      this.#waiting.delete(turn);
      if (turn.isRunning) this.#free();
    }
  }

  async #started(turn: Turn): Promise<void> {
    const { concurrency, maxQueue } = this.#limits;
    if (this.#running < concurrency) {
      this.#running += 1;
      turn.isRunning = true;
      return;
    }
    if (this.#waiting.size >= maxQueue) throw busy();
    this.#waiting.add(turn);
    await new Promise<void>((resolve) => {
      turn.start = resolve;
    });
  }

  /** Gives a free place directly to the next job, so that no new job can take it. */
  #free(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next.isRunning = true;
    next.start();
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
