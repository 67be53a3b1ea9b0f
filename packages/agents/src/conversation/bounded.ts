/** A map with a greatest weight. The entries that were not used for longest go first. */
export class Bounded<T> {
  readonly #entries = new Map<string, T>();
  #weight = 0;

  constructor(
    private readonly most: number,
    private readonly weigh: (key: string, value: T) => number,
  ) {}

  get(key: string): T | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    this.#drop(key);
    this.#entries.set(key, value);
    this.#weight += this.weigh(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.most) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined || !this.#entries.delete(key)) return;
    this.#weight -= this.weigh(key, value);
  }
}
