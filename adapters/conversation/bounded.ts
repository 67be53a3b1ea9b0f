/** A map with a greatest weight. The entries that were not used for longest go first. */
export class Bounded<T> {
  readonly #entries = new Map<string, { value: T; weight: number }>();
  readonly #most: number;
  readonly #weigh: (key: string, value: T) => number;
  #weight = 0;

  constructor(most: number, weigh: (key: string, value: T) => number = () => 1) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T): void {
    this.#drop(key);
    const weight = this.#weigh(key, value);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
