/** Hands requests to the worker threads, within the limits of the service. */
import { defined, within } from 'context-shaping/kit';
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
      const answer = error instanceof Unanswered && answersOf(timeLimitMs)[error.why];
      if (!answer) throw error;
      const [detail, remedy, retryAfter] = answer;
      throw new HttpProblem(problem(503, detail, { remedy }), defined({ 'retry-after': retryAfter }));
    }
  };
}

/** Detail, remedy, and the seconds after which a client may ask again. */
const answersOf = (milliseconds: number): Record<string, [string, string, string?]> => ({
  full: ['All workers are busy and the queue is full.', 'Retry in one second.', '1'],
  waited: [`No worker was free within ${milliseconds} ms.`, 'Retry later.', '1'],
  late: [
    `The work was not finished within ${milliseconds} ms.`,
    'Send fewer or shorter chunks, or retry later.',
  ],
  closed: ['The service is shutting down.', 'Retry later.', '1'],
});

/** Worker threads, or the main thread in their place: it works on all requests at once. */
export async function startWorkers(
  { workers, setup, maxChunks }: ResolvedServiceOptions,
  onDeath: (error: unknown) => void,
): Promise<Threads> {
  const forWorkers = { setup, maxChunks } satisfies WorkerOptions;
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
