import { orAborted } from '../../src/internal.js';

/** Makes a function that does one piece of work after another, in the order they come, whatever becomes of each. */
export function turns(): <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
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
