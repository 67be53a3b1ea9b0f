/** The work on a large output, with a limit of time. */
import { Worker } from 'node:worker_threads';
import { within } from 'context-shaping/kit';
import { Passes } from './flags.js';
import type { ShapedOutput, Task } from './shape-output.js';

/** The answer of a thread: the outcome, or the reason why the output passes. */
export type Answer = { shaped: ShapedOutput | undefined } | { reason: string };

/**
 * As {@link shapeOutput}. The work is that of a processor, which no timer of its own thread interrupts.
 *
 * @throws Passes if the time of the flags is over.
 */
export async function shapedInTime(task: Task, signal: AbortSignal): Promise<ShapedOutput | undefined> {
  const { timeout } = task.flags;
  const worker = startWorker(task);
  const work = async (stop: AbortSignal) =>
    worker === undefined ? (await import('./shape-output.js')).shapeOutput(task, stop) : outcomeOf(worker);
  const late = () => new Passes(`it takes more than ${timeout} seconds`);
  return within(1000 * timeout, signal, work, late).finally(() => void worker?.terminate());
}

/** Undefined in the sources: Node 20 loads TypeScript in no thread. */
function startWorker(task: Task): Worker | undefined {
  const address = import.meta.resolve?.('#hook-worker');
  return address === undefined || address.endsWith('.ts')
    ? undefined
    : new Worker(new URL(address), { workerData: task });
}

const outcomeOf = (worker: Worker): Promise<ShapedOutput | undefined> =>
  new Promise((resolve, reject) => {
    worker.once('message', (answer: Answer) =>
      'reason' in answer ? reject(new Passes(answer.reason)) : resolve(answer.shaped),
    );
    worker.once('error', reject);
    worker.once('exit', () => reject(new Passes('its thread ended')));
  });
