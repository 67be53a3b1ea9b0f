/** The parts of contract suites: named checks that throw plain errors, for any test runner. */

/** One check of a contract: `for (const { name, run } of checks) test(name, run);`. */
export interface ContractCheck {
  /** The requirement, as a sentence. Unique within its suite. */
  readonly name: string;
  /** Resolves if it holds; else rejects with an error that describes the finding. */
  run(): Promise<void>;
}

/** The checks of a suite: each gets a subject of its own. */
export function suite<T>(
  make: () => T | Promise<T>,
  checks: Readonly<Record<string, (subject: T) => Promise<void> | void>>,
): ContractCheck[] {
  return Object.entries(checks).map(([name, check]) => ({ name, run: async () => check(await make()) }));
}

/** @throws Error with the message, if it does not hold. */
export function hold(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

/** @throws Error, if the two are not the same as JSON. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  hold(one === other, `${what}: expected ${other}, found ${one}`);
}

/** An object and all it holds, frozen; typed arrays cannot be frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) {
    return value;
  }
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
