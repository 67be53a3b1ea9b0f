/**
 * The order in which waiting requests are served: start-time fair queueing over classes of size. P. Goyal, H. Vin and
 * H. Cheng, "Start-time Fair Queuing" (SIGCOMM 1996); with several places, as SFQ(D) by W. Jin, J. Chase and J. Kaur,
 * "Interposed Proportional Sharing for a Storage Service Utility" (SIGMETRICS 2004). All classes have the same weight:
 *
 *   start(r)  = max(v at the arrival of r, finish of the request before r in its class)
 *   finish(r) = start(r) + bytes of r
 *   v         = the greatest start of all requests that were served
 *
 * The first request of the class with the least start is served next; ties go to the smaller class. So every class with
 * waiting requests is served as many bytes as each other one, but for one request. No class starves: the start of a
 * waiting request stays, and those of the other classes grow with each request that is served before it.
 */

/** Classes of size, ascending. A request belongs to the first class with room for its bytes. */
export const SIZE_CLASSES: readonly { name: string; mostBytes: number }[] = [
  { name: '64 KiB', mostBytes: 2 ** 16 },
  { name: '256 KiB', mostBytes: 2 ** 18 },
  { name: '1 MiB', mostBytes: 2 ** 20 },
  { name: '4 MiB', mostBytes: 2 ** 22 },
  { name: '16 MiB', mostBytes: 2 ** 24 },
  { name: 'larger', mostBytes: Number.POSITIVE_INFINITY },
];

/** A waiting request. */
export interface Entry<T> {
  value: T;
  bytes: number;
  /** Index of its class in {@link SIZE_CLASSES}. */
  size: number;
  /** The virtual time `v` at its arrival. */
  arrival: number;
}

interface SizeClass<T> {
  finish: number;
  /** In the order of arrival. */
  waiting: Entry<T>[];
}

export class FairQueue<T> {
  readonly #classes = SIZE_CLASSES.map((): SizeClass<T> => ({ finish: 0, waiting: [] }));
  #virtualTime = 0;

  /** Numbers of waiting requests, by class. */
  get lengths(): number[] {
    return this.#classes.map(({ waiting }) => waiting.length);
  }

  get length(): number {
    return this.lengths.reduce((sum, length) => sum + length, 0);
  }

  add(value: T, bytes: number): Entry<T> {
    const size = SIZE_CLASSES.findIndex(({ mostBytes }) => bytes <= mostBytes);
    const entry = { value, bytes, size, arrival: this.#virtualTime };
    this.#classes[size]?.waiting.push(entry);
    return entry;
  }

  /** Removes a waiting request. The order of the others is the same as if it had never arrived. */
  remove(entry: Entry<T>): void {
    const { waiting } = this.#classes[entry.size] as SizeClass<T>;
    waiting.splice(waiting.indexOf(entry), 1);
  }

  /** Removes and returns the next request in the fair order. */
  shift(): Entry<T> | undefined {
    let next: { start: number; size: number } | undefined;
    for (const [size, { finish, waiting }] of this.#classes.entries()) {
      if (waiting[0] === undefined) continue;
      const start = Math.max(waiting[0].arrival, finish);
      if (next === undefined || start < next.start) next = { start, size };
    }
    if (next === undefined) return undefined;
    const served = this.#classes[next.size] as SizeClass<T>;
    const entry = served.waiting.shift() as Entry<T>;
    served.finish = next.start + entry.bytes;
    this.#virtualTime = Math.max(this.#virtualTime, next.start);
    return entry;
  }

  /** Removes and returns the first request of the smallest class below `size`. The fair order does not count it. */
  shiftBelow(size: number): Entry<T> | undefined {
    return this.#classes
      .slice(0, size)
      .find(({ waiting }) => waiting.length > 0)
      ?.waiting.shift();
  }

  /**
   * Removes and returns the newest request of the class with most waiting requests, so that no class can keep another
   * one out. Ties go to the class `own`, then to the smaller class.
   */
  pop(own: number): Entry<T> | undefined {
    const { lengths } = this;
    const most = Math.max(...lengths);
    const longest = lengths[own] === most ? own : lengths.indexOf(most);
    return this.#classes[longest]?.waiting.pop();
  }

  /** Forgets all served requests. Call this when nothing is waiting or running. */
  reset(): void {
    this.#virtualTime = 0;
    for (const each of this.#classes) each.finish = 0;
  }
}
