/** How many calls run at once: a few ({@link concurrently}), or one ({@link turns}); and how many texts a call has. */
import { orAborted } from '../../src/internal.js';

/**
 * Calls `work` for each item, starting in order, with at most `atOnce` calls under way. If one call throws, no
 * further call starts, the signal of the running calls aborts, and the error is rethrown.
 *
 * @returns the results in the order of the items.
 */
export async function concurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal, index: number) => Promise<R>,
): Promise<R[]> {
  signal?.throwIfAborted();
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      stop.throwIfAborted();
      const index = next++;
      results[index] = await work(items[index] as T, stop, index);
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(workers);
    signal?.throwIfAborted();
    throw error;
  }
  return results;
}

/** Runs one piece of work at a time, in the order of the calls. A failure does not stop later work. */
type Turns = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Makes a queue of its own. */
export function turns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    const done = last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    last = done.catch(() => undefined);
    return orAborted(done, signal);
  };
}

/** The questions in batches, in their order. */
export const batchesOf = <Question>(questions: readonly Question[], batchSize: number): Question[][] =>
  Array.from({ length: Math.ceil(questions.length / batchSize) }, (_, batch) =>
    questions.slice(batch * batchSize, (batch + 1) * batchSize),
  );
