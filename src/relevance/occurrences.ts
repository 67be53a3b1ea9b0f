/** How often passages have the terms of a question. */
export class Occurrences {
  /** Those of a passage are from `starts[place]` to `starts[place + 1]`. */
  readonly starts: number[] = [0];
  /** Per passage each term that it has, in the order in which they come, and beside it how often. */
  readonly terms: number[] = [];
  readonly times: number[] = [];
  /** Per term, how many passages have it. */
  readonly frequencies: Float64Array;
  readonly #last: Int32Array;
  #start = 0;

  /** @param size how many terms the question has. */
  constructor(size: number) {
    this.frequencies = new Float64Array(size);
    this.#last = new Int32Array(size).fill(-1);
  }

  /** The passage that is being read has the term once more. */
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

  /** The passage ends. */
  next(): void {
    this.#start = this.terms.length;
    this.starts.push(this.#start);
  }
}
