/** The parts of contract suites: named checks that throw plain errors, for any test runner. */
import type { Failed } from '../../src/index.js';

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

/** @throws Error, if the lists have not the same lengths, or a number is farther from another than the tolerance. */
function near(
  actual: readonly ArrayLike<number>[],
  expected: readonly ArrayLike<number>[],
  tolerance: number,
  what: string,
): void {
  const lengths = (lists: readonly ArrayLike<number>[]) => lists.map(({ length }) => length);
  same(lengths(actual), lengths(expected), `how many, ${what}`);
  for (const [place, list] of actual.entries())
    for (const [at, number] of Array.from(list).entries()) {
      const other = expected[place]?.[at] as number;
      const isNear = Math.abs(number - other) <= tolerance;
      hold(isNear, `${at} of ${place}, ${what}: ${number} is not ${other} within ${tolerance}`);
    }
}

/** Returns an answer, and throws if it is a failure. */
export function answered<Result>(result: Result | Failed | undefined): Result {
  const { failure } = (result ?? { failure: 'absent' }) as Partial<Failed>;
  if (failure !== undefined) throw new Error(`no answer: ${failure}`);
  return result as Result;
}

/** An object and all it holds, frozen; typed arrays cannot be frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) {
    return value;
  }
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** The checks of the identity that an object of a port gives. */
export const hasIdentity = {
  'says of itself what a port may say': async (subject: object) => {
    const {
      specificationVersion: version = 'v1',
      provider = '-',
      modelId = '-',
      identify = () => '-',
    } = subject as Record<string, unknown> & { identify?: (call?: object) => unknown };
    hold(version === 'v1', `specificationVersion must be 'v1', and is ${String(version)}`);
    const names = { provider, modelId, identify: await identify.call(subject) };
    for (const [name, value] of Object.entries(names))
      hold(typeof value === 'string' && value !== '', `${name} must be a name, and is ${String(value)}`);
    same(await identify.call(subject, {}), names.identify, 'name');
  },
};

/** A port that answers a list of requests with numbers. */
interface Answering<T, R> {
  /** At least two, of which two have different answers. */
  requests: readonly R[];
  tolerance: number;
  /** Asks, checks what this port alone promises, and returns the numbers of each answer. */
  ask(
    subject: T,
    requests: readonly R[],
    call: { signal?: AbortSignal | undefined },
  ): Promise<ArrayLike<number>[]>;
}

/** The checks of such a port. */
export const answers = <T, R>({ requests, tolerance, ask }: Answering<T, R>) => ({
  'answers each request, in their order, the same each time': async (subject: T) => {
    const forwards = await ask(subject, frozen(structuredClone(requests) as readonly R[]), {});
    same(forwards.length, requests.length, 'number of answers');
    const distinct = new Set(forwards.map((numbers) => Array.from(numbers).join()));
    hold(distinct.size > 1, 'all answers are the same');
    near(await ask(subject, requests, {}), forwards, tolerance, 'asked again');
    near((await ask(subject, requests.toReversed(), {})).reverse(), forwards, tolerance, 'in reverse');
  },
  'asks nothing for nothing': async (subject: T) => same(await ask(subject, [], {}), [], 'answers'),
  'does nothing for a signal that is aborted': async (subject: T) => {
    const reason = new Error('not wanted any more');
    const outcome = await ask(subject, requests, { signal: AbortSignal.abort(reason) }).then(
      () => 'a result',
      (error: unknown) => error,
    );
    hold(
      outcome === reason,
      `it must reject with the reason of its signal, and ended with ${String(outcome)}`,
    );
  },
  'works after a call that was aborted': async (subject: T) => {
    const reason = new Error('took too long');
    const controller = new AbortController();
    const outcome = ask(subject, requests, controller).catch((error: unknown) => {
      hold(error === reason, `an aborted call rejects with ${String(error)}`);
    });
    controller.abort(reason);
    await outcome;
    same((await ask(subject, requests, {})).length, requests.length, 'number of answers');
  },
  'does not mix calls at the same time': async (subject: T) => {
    const alone = await ask(subject, requests, {});
    const [again, reversed] = await Promise.all([
      ask(subject, requests, {}),
      ask(subject, requests.toReversed(), {}),
    ]);
    near(again, alone, tolerance, 'at the same time');
    near(reversed.reverse(), alone, tolerance, 'at the same time, in reverse');
  },
});
