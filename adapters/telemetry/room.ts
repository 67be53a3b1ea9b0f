import type { Attributes } from '@opentelemetry/api';

/** Collects attributes up to a number of them. */
export class Room {
  readonly attributes: Attributes = {};
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get left(): number {
    return this.#left;
  }

  /** Adds all of them or none. An attribute without a value is left out. */
  add(entries: readonly (readonly [name: string, value: Attributes[string] | undefined])[]): boolean {
    const given = entries.filter(([, value]) => value !== undefined);
    if (given.length > this.#left) return false;
    for (const [name, value] of given) this.attributes[name] = value as Attributes[string];
    this.#left -= given.length;
    return true;
  }
}
