/** One piece of work that several callers wait for. Any of them may leave; when the last does, it is aborted. */
export class SharedWork<T> {
  readonly #abort = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;
  #over = false;

  /** @param onOver called once: when the work has ended, or when nobody waits for it any more. */
  constructor(work: (signal: AbortSignal) => Promise<T>, onOver: (work: SharedWork<T>) => void) {
    const over = () => {
      if (!this.#over) onOver(this);
      this.#over = true;
    };
    this.#abort.signal.addEventListener('abort', over, { once: true });
    this.#result = work(this.#abort.signal).finally(over);
    // When all have left, nobody hears of the failure: that is no unhandled rejection.
    this.#result.catch(() => {});
  }

  /** @throws the signal's reason as soon as it aborts; the work goes on for those who still wait. */
  async wait(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    this.#waiting += 1;
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([this.#result, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#over) this.#abort.abort(new Error('Nobody waits for these vectors any more.'));
    }
  }
}
