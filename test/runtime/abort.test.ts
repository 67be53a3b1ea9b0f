import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withDeadline } from '#internal';

const aborted = (signal: AbortSignal | undefined) =>
  new Promise<unknown>((resolve) => signal?.addEventListener('abort', () => resolve(signal.reason)));

describe('withDeadline', () => {
  test('aborts when the time is up, and says so', async () => {
    const { signal, isLate } = withDeadline(new AbortController().signal, 5);
    expect(isLate()).toBe(false);
    expect(await aborted(signal)).toMatchObject({ name: 'TimeoutError', message: 'No answer within 5 ms.' });
    expect(isLate()).toBe(true);
  });

  test('aborts as the caller does, and is not late then', async () => {
    const caller = new AbortController();
    const { signal, isLate, clear } = withDeadline(caller.signal, 60_000);
    onTestFinished(clear);
    const reason = new Error('not needed any more');
    caller.abort(reason);
    expect(signal?.reason).toBe(reason);
    expect(isLate()).toBe(false);
  });

  test('is over once it is cleared', async () => {
    const { signal, clear } = withDeadline(undefined, 1);
    clear();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(signal?.aborted).toBe(false);
  });

  test('without a limit it is the signal of the caller', () => {
    const { signal } = new AbortController();
    expect(withDeadline(signal, undefined).signal).toBe(signal);
    expect(withDeadline(undefined, null).signal).toBeUndefined();
  });

  test('fires whatever is collected as garbage meanwhile', async () => {
    // What a request holds of its deadline is the signal and its listener.
    const waits = Array.from({ length: 200 }, () =>
      aborted(withDeadline(new AbortController().signal, 20).signal),
    );
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let times = 0; times < 2; times++) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    await expect(Promise.all(waits)).resolves.toHaveLength(200);
  });
});
