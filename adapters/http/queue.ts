/**
 * Requests that were accepted, first come first served. It is the service's own because only a queue that knows who
 * waits and who runs can let go of one that waits, without ending the thread of one that runs.
 */

import type { Answer, Job, OnStage } from './jobs.js';
import { HttpProblem, problem } from './problems.js';

/** Why work on a job ends before there is an answer. */
export interface Ends {
  /** The time is up. */
  late: AbortSignal;
  /** Nobody waits for the answer any more. */
  left: AbortSignal;
}

/** Does a job; rejects with a signal's reason: at once if it is late, and as soon as it can if the caller has left. */
export type Run = (job: Job, ends: Ends, onStage: OnStage | undefined) => Promise<Answer>;

interface Limits {
  /** How many jobs run at a time. */
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
   * @param left aborted when nobody waits for the answer any more: a job that waits leaves the queue; one that runs
   *   is told.
   * @throws HttpProblem 503, at once if the queue is full, or when the time is up. The signal's reason, if it left.
   */
  async submit(job: Job, left: AbortSignal, onStage?: OnStage): Promise<Answer> {
    const { concurrency, maxQueue, timeLimitMs } = this.#limits;
    if (this.#running >= concurrency && this.#waiting.length >= maxQueue) throw busy();
    await within(timeLimitMs, notFree, (late) => this.#turn([left, late]));
    try {
      // All of the time, however long it waited: under load those whose turn it is have waited longest, and a thread
      // that is ended before it is done makes the next ones wait even longer.
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

  /** Whoever is next takes the place over, so that nobody who comes in between can. */
  #next(): void {
    const start = this.#waiting.shift();
    if (start === undefined) this.#running -= 1;
    else start();
  }
}

const busy = () =>
  new HttpProblem(
    problem(503, 'All workers are busy and the queue is full.', { remedy: 'Ask again in a second.' }),
    { 'retry-after': '1' },
  );

const notFree = (milliseconds: number) =>
  new HttpProblem(
    problem(503, `No worker was free within ${milliseconds} ms.`, { remedy: 'Ask again later.' }),
    { 'retry-after': '1' },
  );

const tookTooLong = (milliseconds: number) =>
  new HttpProblem(
    problem(503, `There was no answer within ${milliseconds} ms.`, {
      remedy: 'Send fewer or shorter chunks, or ask again later.',
    }),
  );

async function within<T>(
  milliseconds: number,
  reason: (milliseconds: number) => HttpProblem,
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(reason(milliseconds)), milliseconds);
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
  }
}
