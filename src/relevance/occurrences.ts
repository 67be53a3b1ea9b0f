/** Counts of the question's terms in each passage, as a sparse matrix. */
export class Occurrences {
  /** The entries of a passage are `starts[place]` up to, not including, `starts[place + 1]`. */
  readonly starts: number[] = [0];
  /** The distinct terms of each passage, in order of first occurrence; `times` has their counts. */
  readonly terms: number[] = [];
  readonly times: number[] = [];
  /** Number of passages with each term. */
  readonly frequencies: Float64Array;
  readonly #last: Int32Array;
  #start = 0;

  /** @param size number of distinct terms of the question. */
  constructor(size: number) {
    this.frequencies = new Float64Array(size);
    this.#last = new Int32Array(size).fill(-1);
  }

  /** Counts one occurrence of the term in the current passage. */
  add(term: number): void {
    const last = this.#last[term] as number;
    if (last >= this.#start) {
      this.times[last] = (this.times[last] as number) + 1;
      return;
    }
    this.#last[term] = this.terms.length;
    this.terms.push(term);
    this.times.push(1);
    this.frequencies[term] = (this.frequencies[term] as number) + 1;
  }

  /** Ends the current passage and begins the next. */
  next(): void {
    this.#start = this.terms.length;
    this.starts.push(this.#start);
  }
}
