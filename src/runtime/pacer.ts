import { lazily } from './lazily.js';

/** A pause takes a few microseconds in Node, so shorter slices cost nothing there; in browsers it takes up to 4 ms. */
const SLICE_MILLISECONDS = 6;

type Scheduler = (next: () => void) => unknown;
const { setImmediate: immediately } = globalThis as { setImmediate?: Scheduler };

/**
 * The next turn of the event loop. Node's `setImmediate` does not wait; timers wait 1 ms, in browsers 4 ms. It is tried
 * once, because the edge runtime of Next.js has a `setImmediate` that throws.
 */
const soon = lazily((): Scheduler => {
  const timer: Scheduler = (next) => setTimeout(next, 0);
  try {
    immediately?.(() => {});
    return immediately ?? timer;
  } catch {
    return timer;
  }
});

/**
 * Lets the loops over texts share the thread and be aborted, and so the time between stages. Between slices of work it
 * yields to the event loop, so that an abort can arrive and other requests of the process continue. With 500 chunks, no
 * other part of a call holds the thread for more than 30 ms. The clock decides only when to pause, never a result.
 */
export class Pacer {
  #since = performance.now();
  constructor(readonly signal?: AbortSignal) {}

  /** Whether it is time to pause. Cheap enough for inner loops: `if (pacer.due()) await pacer.pause();` */
  due(): boolean {
    return performance.now() - this.#since > SLICE_MILLISECONDS;
  }

  /** @throws the signal's reason, if it was aborted. */
  async pause(): Promise<void> {
    this.signal?.throwIfAborted();
    await new Promise<void>((resolve) => soon()(resolve));
    this.signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
