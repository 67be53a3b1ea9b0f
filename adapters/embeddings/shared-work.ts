/** One piece of work that several callers wait for. Any of them may leave; when the last does, it is aborted. */
export class SharedWork<T> {
  /** To be awaited by those who have joined. */
  readonly result: Promise<T>;
  readonly #abort = new AbortController();
  #waiting = 0;
  #over = false;

  /** @param onOver called once: when the work has ended, or when nobody waits for it any more. */
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
      this.#abort.abort(new Error('Nobody waits for these vectors any more.'));
  }
}
