/** Ends the retries of LangChain's classes where a connection is refused. All other errors are retried as before. */
import { connectionProblem } from '../../src/internal.js';

/** The part of LangChain's `AsyncCaller` that decides whether a call is repeated; it throws to end the retries. */
interface Caller {
  onFailedAttempt?(error: unknown): unknown;
}

/** The same caller, which does not repeat a call if nothing listens at the address. */
function failingFast<T extends object>(caller: T): T {
  const { onFailedAttempt } = caller as Caller;
  return inheriting(caller, {
    onFailedAttempt(error: unknown) {
      if (connectionProblem(error) !== undefined) throw error;
      return onFailedAttempt?.call(caller, error);
    },
  });
}

/** A sequence that begins with a binding of a model that has a class for each API. */
const DEEPEST = 3;

/**
 * Calls `host`, or rather an object that inherits from it and whose callers fail fast. The host stays as it is. A host
 * whose class has private fields cannot be inherited from, and is called itself.
 */
export function withFastFailures<T extends object>(
  host: T,
): <R>(call: (host: T) => Promise<R>) => Promise<R> {
  let fast = copyOf(host, 0);
  return async (call) => {
    if (fast === undefined) return call(host);
    try {
      return await call(fast);
    } catch (error) {
      if (!isAboutPrivateField(error)) throw error;
      fast = undefined;
      return call(host);
    }
  };
}

/** `undefined`, if the object has no caller. */
function copyOf<T extends object>(host: T, depth: number): T | undefined {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(host) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const isCaller = name === 'caller' && typeof (value as Caller).onFailedAttempt === 'function';
    const copy = isCaller ? failingFast(value) : depth < DEEPEST ? copyOf(value, depth + 1) : undefined;
    if (copy !== undefined) changed[name] = copy;
  }
  return Object.keys(changed).length === 0 ? undefined : inheriting(host, changed);
}

/** An object that inherits from the host and has some fields of its own. The host stays as it is. */
export const inheriting = <T extends object>(host: T, own: Record<string, unknown>): T =>
  Object.create(
    host,
    Object.fromEntries(
      Object.entries(own).map(([name, value]) => [
        name,
        { value, writable: true, enumerable: true, configurable: true },
      ]),
    ),
  ) as T;

/** As V8, JavaScriptCore and SpiderMonkey word it; V8 has other words for private methods than for private fields. */
const isAboutPrivateField = (error: unknown) =>
  error instanceof TypeError &&
  /\bprivate\b|^(Receiver|Object) must be (an instance of )?class/i.test(error.message);
