import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { orAborted, pause, withDeadline } from '#internal';

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

  test('fires no matter which objects are collected as garbage meanwhile', async () => {
    // A request holds only the signal of its deadline and its listener.
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

describe('many waits for one signal', () => {
  const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
  const never = () => new Promise<never>(() => {});

  test('share one listener, and end together', async () => {
    const caller = new AbortController();
    const waits = Array.from({ length: 50 }, (_, nth) =>
      nth % 2 === 0 ? orAborted(never(), caller.signal) : pause(60_000, caller.signal),
    );
    expect(listeners(caller.signal)).toBe(1);
    caller.abort(new Error('not needed any more'));
    const ends = await Promise.allSettled(waits);
    expect(new Set(ends.map((end) => (end as PromiseRejectedResult).reason))).toEqual(
      new Set([caller.signal.reason]),
    );
  });

  test('leave no listener', async () => {
    const { signal } = new AbortController();
    for (let times = 0; times < 2; times++) {
      const waits = [orAborted(Promise.resolve(1), signal), pause(1, signal), pause(2, signal)];
      expect(listeners(signal)).toBe(1);
      await Promise.all(waits);
      expect(listeners(signal)).toBe(0);
    }
  });

  test('begin with a signal that has aborted', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(orAborted(never(), signal)).rejects.toThrow('too late');
    await expect(pause(60_000, signal)).rejects.toThrow('too late');
  });
});
