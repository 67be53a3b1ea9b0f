/** The parts of contract suites: named checks that throw plain errors, for any test runner. */
import type { Failed } from '../../../src/index.js';

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

/** @throws Error, if a number is farther from another than the tolerance. */
export function near(actual: number, expected: number, tolerance: number, what: string): void {
  hold(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} is not ${expected} within ${tolerance}`);
}

/** @throws Error, if the lists have not the same lengths, or a number is farther from another than the tolerance. */
export function nearEach(
  actual: readonly ArrayLike<number>[],
  expected: readonly ArrayLike<number>[],
  tolerance: number,
  what: string,
): void {
  const lengths = (lists: readonly ArrayLike<number>[]) => lists.map(({ length }) => length);
  same(lengths(actual), lengths(expected), `how many, ${what}`);
  for (const [place, list] of actual.entries()) {
    const other = Array.from(expected[place] as ArrayLike<number>);
    for (const [at, number] of other.entries())
      near(list[at] as number, number, tolerance, `${at} of ${place}, ${what}`);
  }
}

/** Returns an answer, and throws if it is a failure. */
export function answered<Result>(result: Result | Failed | undefined): Result {
  const { failure } = (result ?? { failure: 'absent' }) as Partial<Failed>;
  if (failure !== undefined) throw new Error(`no answer: ${failure}`);
  return result as Result;
}

type Calls<T> = Readonly<Record<string, (subject: T, call: { signal: AbortSignal }) => Promise<unknown>>>;

/** Every call with a signal obeys this. */
export const obeysAborts = <T>(calls: Calls<T>) => ({
  'does nothing for a signal that is aborted': async (subject: T) => {
    const reason = new Error('not wanted any more');
    for (const [name, call] of Object.entries(calls))
      await rejectsWith(reason, () => call(subject, { signal: AbortSignal.abort(reason) }), name);
  },
});

/** @throws Error, if a call that is aborted after its begin rejects with another reason. It may also succeed. */
export async function abortLate<T>(subject: T, calls: Calls<T>): Promise<void> {
  const reason = new Error('took too long');
  for (const call of Object.values(calls)) {
    const controller = new AbortController();
    const outcome = call(subject, controller).then(
      () => undefined,
      (error: unknown) => hold(error === reason, `an aborted call rejects with ${String(error)}`),
    );
    controller.abort(reason);
    await outcome;
  }
}

/** @throws Error, if the call does not reject with this very reason. */
export async function rejectsWith(reason: unknown, call: () => unknown, what: string): Promise<void> {
  let outcome: unknown = 'a result';
  try {
    await call();
  } catch (error) {
    if (error === reason) return;
    outcome = error;
  }
  throw new Error(`${what} must reject with the reason of its signal, and ended with ${String(outcome)}`);
}

/** An object and all it holds, frozen; typed arrays cannot be frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) {
    return value;
  }
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** @throws Error, if what an object of a port says of itself is malformed. */
export function checkIdentity(subject: object): void {
  const { specificationVersion = 'v1', provider = '-', modelId = '-' } = subject as Record<string, unknown>;
  hold(
    specificationVersion === 'v1',
    `specificationVersion must be 'v1', and is ${String(specificationVersion)}`,
  );
  for (const [name, value] of Object.entries({ provider, modelId })) {
    hold(typeof value === 'string' && value !== '', `${name} must be a name, and is ${String(value)}`);
  }
}

/** The identity of a port with a model. */
export const hasIdentity = {
  'says of itself what a port may say': checkIdentity,
  'has one name': async (subject: { identify(call?: object): Promise<string> }) => {
    const name = await subject.identify();
    hold(typeof name === 'string' && name !== '', `the name is ${String(name)}`);
    same(await subject.identify({}), name, 'name');
  },
};
