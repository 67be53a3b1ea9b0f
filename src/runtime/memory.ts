/** Keeps values of one run of the pipeline for later runs on the same pool. */

/** Keeps values by the objects from which they were computed. */
export interface Memory {
  /** Returns one list for all lists of the same objects in the same order, so that values can be kept by it. */
  list<T extends object>(objects: readonly T[]): readonly T[];
  /** Returns the value that was kept for the object under this name; otherwise computes it, and keeps it. */
  of<T>(object: object, name: string, compute: () => T): T;
  /**
   * The same for a promise. Runs that share a memory follow each other, so the value is computed once.
   *
   * @param mayKeep says after the computation whether the value may be kept. Absent: it may.
   */
  awaited<T>(
    object: object,
    name: string,
    compute: () => T | Promise<T>,
    mayKeep?: (() => boolean) | undefined,
  ): Promise<T>;
  /** A number of the object, unique within this memory. */
  numberOf(object: object): number;
  /** Whether values are kept. Otherwise it is no use to compute more than this run needs. */
  readonly isLasting: boolean;
}

/** The memory of a single run: keeps nothing. */
export const NO_MEMORY: Memory = {
  list: (objects) => objects,
  of: (_object, _name, compute) => compute(),
  awaited: async (_object, _name, compute) => compute(),
  numberOf: () => 0,
  isLasting: false,
};

/**
 * Most lists that are kept. While a budget changes step by step, a stage meets about as many lists as there are chunks,
 * and each only for a few steps in a row.
 */
const MOST_LISTS = 64;

/** A memory for many runs. It forgets the lists that were not met for the longest time, with their values. */
export class LastingMemory implements Memory {
  readonly #values = new WeakMap<object, Map<string, unknown>>();
  readonly #numbers = new WeakMap<object, number>();
  readonly #lists = new Map<string, readonly object[]>();
  #count = 0;
  readonly isLasting = true;

  list<T extends object>(objects: readonly T[]): readonly T[] {
    if (this.#values.has(objects)) return objects;
    const key = objects.map((each) => this.numberOf(each)).join(' ');
    const known = (this.#lists.get(key) as readonly T[] | undefined) ?? objects;
    this.#lists.delete(key);
    this.#lists.set(key, known);
    if (this.#lists.size > MOST_LISTS) this.#lists.delete(this.#lists.keys().next().value as string);
    return known;
  }

  of<T>(object: object, name: string, compute: () => T): T {
    const values = this.#valuesOf(object);
    if (!values.has(name)) values.set(name, compute());
    return values.get(name) as T;
  }

  async awaited<T>(
    object: object,
    name: string,
    compute: () => T | Promise<T>,
    mayKeep = () => true,
  ): Promise<T> {
    const values = this.#valuesOf(object);
    if (values.has(name)) return values.get(name) as T;
    const value = await compute();
    if (mayKeep()) values.set(name, value);
    return value;
  }

  numberOf(object: object): number {
    let number = this.#numbers.get(object);
    if (number === undefined) {
      number = this.#count++;
      this.#numbers.set(object, number);
    }
    return number;
  }

  #valuesOf(object: object): Map<string, unknown> {
    let values = this.#values.get(object);
    if (values === undefined) {
      values = new Map();
      this.#values.set(object, values);
    }
    return values;
  }
}
