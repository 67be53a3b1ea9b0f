/** Hands requests to the worker threads, within the limits of the service. */
import { within } from 'context-shaping/kit';
import type { Answer, Job, Run } from '../workers/jobs.js';
import { HttpProblem, problem } from '../workers/problems.js';
import { createPerform, type WorkerOptions } from '../workers/setup.js';
import { startThreads, type Threads, Unanswered } from '../workers/threads.js';
import type { ResolvedServiceOptions } from './options.js';

/**
 * @param left aborts when the client disconnects.
 * @throws HttpProblem 503 if the queue is full or a time limit is reached; the reason of `left`.
 */
export type Submit = (job: Job, left: AbortSignal) => Promise<Answer>;

/** @param onWait gets the seconds that a request waited for a thread. */
export function createSubmit(
  run: Run,
  { maxQueue, timeLimitMs }: Pick<ResolvedServiceOptions, 'maxQueue' | 'timeLimitMs'>,
  onWait: (seconds: number) => void,
): Submit {
  return async (job, left) => {
    const came = performance.now();
    const onBegin = () => onWait((performance.now() - came) / 1000);
    try {
      return await run(job, left, { maxQueue, waitMs: timeLimitMs, workMs: timeLimitMs, onBegin });
    } catch (error) {
      throw error instanceof Unanswered ? (problemOf(error, timeLimitMs) ?? error) : error;
    }
  };
}

function problemOf({ why }: Unanswered, milliseconds: number): HttpProblem | undefined {
  const later = { 'retry-after': '1' };
  switch (why) {
    case 'full': {
      const remedy = 'Retry in one second.';
      return new HttpProblem(problem(503, 'All workers are busy and the queue is full.', { remedy }), later);
    }
    case 'waited': {
      const detail = `No worker was free within ${milliseconds} ms.`;
      return new HttpProblem(problem(503, detail, { remedy: 'Retry later.' }), later);
    }
    case 'late': {
      const detail = `The work was not finished within ${milliseconds} ms.`;
      const remedy = 'Send fewer or shorter chunks, or retry later.';
      return new HttpProblem(problem(503, detail, { remedy }));
    }
    case 'closed':
      return new HttpProblem(problem(503, 'The service is shutting down.'), later);
    default:
      return undefined;
  }
}

/** Worker threads, or the main thread in their place: it works on all requests at once. */
export async function startWorkers(
  { workers, setup, embedder, maxChunks }: ResolvedServiceOptions,
  onDeath: (error: unknown) => void,
): Promise<Threads> {
  const forWorkers = { setup, embedder, maxChunks } satisfies WorkerOptions;
  if (workers > 0) return startThreads(workers, forWorkers, onDeath);
  const perform = await createPerform(forWorkers);
  const run: Run = (job, left, { workMs, onBegin }) => {
    onBegin?.();
    return within(
      workMs,
      left,
      (signal) => perform(job, signal),
      () => new Unanswered('late'),
    );
  };
  return { run, waiting: () => 0, isAlive: () => true, close: async () => {} };
}
