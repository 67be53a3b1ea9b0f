const SLICE_MILLISECONDS = 12;

/**
 * Lets long computations share the thread and be aborted: between slices of work it gives the event
 * loop a turn, so that an abort can arrive and other requests of the process go on. The clock decides
 * only when to pause, never a result.
 */
export class Pacer {
  #since = performance.now();
  constructor(readonly signal?: AbortSignal) {}

  /** Is it time to pause? Cheap enough for inner loops: `if (pacer.due()) await pacer.pause();` */
  due(): boolean {
    return performance.now() - this.#since > SLICE_MILLISECONDS;
  }

  /** @throws the signal's reason, if it was aborted. */
  async pause(): Promise<void> {
    this.signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
