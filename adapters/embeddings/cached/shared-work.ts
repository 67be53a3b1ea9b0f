/** Work that several callers wait for. Each caller may leave. When the last one leaves, the work is aborted. */
export class SharedWork<T> {
  /** Await it only after {@link join}. */
  readonly result: Promise<T>;
  readonly #abort = new AbortController();
  #waiting = 0;
  #over = false;

  /** @param onOver called once: when the work has ended, or when its last caller has left. */
  constructor(work: (signal: AbortSignal) => Promise<T>, onOver: (work: SharedWork<T>) => void) {
    const over = () => {
      if (!this.#over) onOver(this);
      this.#over = true;
    };
    this.#abort.signal.addEventListener('abort', over, { once: true });
    this.result = work(this.#abort.signal).finally(over);
  }

  join(): void {
    this.#waiting += 1;
  }

  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0 && !this.#over)
      this.#abort.abort(new Error('No call waits for these vectors any more.'));
  }
}
