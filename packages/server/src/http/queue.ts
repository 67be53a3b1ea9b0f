/**
 * The queue of accepted requests, and their places at the workers. The service has its own queue because it must tell
 * waiting jobs from running ones: a waiting job can be dropped without terminating a thread.
 */

import { within } from 'context-shaping/internal';
import type { Answer, Job, OnStage, Run } from '../workers/jobs.js';
import { HttpProblem, problem } from '../workers/problems.js';
import { type Entry, FairQueue, SIZE_CLASSES } from './fair-queue.js';

interface Limits {
  /** Jobs that run at a time. One more runs if it is smaller than all running ones. */
  concurrency: number;
  maxQueue: number;
  timeLimitMs: number;
}

/** A waiting job. */
interface Turn {
  start(place: Place): void;
  refuse(reason: unknown): void;
}

/** A running job. */
interface Place {
  /** Index of its class of size. */
  size: number;
  isExtra: boolean;
}

export class WorkQueue {
  readonly #run: Run;
  readonly #limits: Limits;
  readonly #onStart: (size: string, seconds: number) => void;
  readonly #waiting = new FairQueue<Turn>();
  readonly #places = new Set<Place>();

  /** @param onStart gets the class of size of each job that starts, and how long it waited. */
  constructor(run: Run, limits: Limits, onStart: (size: string, seconds: number) => void = () => {}) {
    this.#run = run;
    this.#limits = limits;
    this.#onStart = onStart;
  }

  /** Numbers of waiting jobs, by class of size. */
  get waiting(): [size: string, jobs: number][] {
    return this.#waiting.lengths.map((length, size) => [nameOf(size), length]);
  }

  /**
   * @param left aborts when the client disconnects. A waiting job then leaves the queue; a running job gets the signal.
   * @throws HttpProblem 503 if the queue is full, at once or when a job of a shorter class needs the place; also if the
   * time limit is reached; the reason of `left`.
   */
  async submit(job: Job, left: AbortSignal, onStage?: OnStage): Promise<Answer> {
    const { timeLimitMs } = this.#limits;
    const began = performance.now();
    const place = await within(timeLimitMs, left, (stop) => this.#turn(job.body.length, stop), notFree);
    this.#onStart(nameOf(place.size), (performance.now() - began) / 1000);
    try {
      // The work has the full time limit, no matter how long the job waited. Under load the running jobs have waited
      // longest, and terminating their threads would make the next jobs wait even longer.
      const run = (late: AbortSignal) => this.#run(job, { late, left }, onStage);
      return await within(timeLimitMs, undefined, run, tookTooLong);
    } finally {
      this.#places.delete(place);
      this.#fill();
    }
  }

  #turn(bytes: number, signal: AbortSignal): Promise<Place> {
    return new Promise<Place>((resolve, reject) => {
      const settle = (end: () => void) => {
        signal.removeEventListener('abort', leave);
        end();
      };
      const leave = () => {
        this.#waiting.remove(entry);
        settle(() => reject(signal.reason));
      };
      signal.addEventListener('abort', leave);
      const turn: Turn = {
        start: (place) => settle(() => resolve(place)),
        refuse: (reason) => settle(() => reject(reason)),
      };
      const entry = this.#waiting.add(turn, bytes);
      this.#fill();
      if (this.#waiting.length > this.#limits.maxQueue) this.#waiting.pop(entry.size)?.value.refuse(busy());
    });
  }

  /** Gives free places directly to waiting jobs, so that no new job can take them. */
  #fill(): void {
    const { concurrency } = this.#limits;
    const taken = (isExtra: boolean) => [...this.#places].filter((place) => place.isExtra === isExtra).length;
    while (this.#waiting.length > 0 && taken(false) < concurrency) this.#begin(this.#waiting.shift(), false);
    const smallest = Math.min(...Array.from(this.#places, ({ size }) => size));
    if (taken(true) === 0) this.#begin(this.#waiting.shiftBelow(smallest), true);
    if (this.#places.size === 0) this.#waiting.reset();
  }

  #begin(entry: Entry<Turn> | undefined, isExtra: boolean): void {
    if (entry === undefined) return;
    const place = { size: entry.size, isExtra };
    this.#places.add(place);
    entry.value.start(place);
  }
}

const nameOf = (size: number): string => (SIZE_CLASSES[size] as (typeof SIZE_CLASSES)[number]).name;

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
