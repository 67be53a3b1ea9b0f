import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { orAborted, pause, withDeadline, within } from '../../src/internal.js';

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

describe('within', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  // The events of a wait, and after how many milliseconds each comes; 0: before it begins. No two come at once.
  const happening = fc
    .record({
      work: fc.constantFrom('value', 'error', 'throws', 'never'),
      heeds: fc.boolean(),
      times: fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 3, maxLength: 3 }),
      has: fc.record({ abort: fc.boolean(), limit: fc.boolean() }),
      abortsFirst: fc.boolean(),
    })
    .filter(({ work, has, abortsFirst }) => work !== 'never' || has.abort || has.limit || abortsFirst);

  test('the first event decides, the timer is cleared, and nothing is left', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    await fc.assert(
      fc.asyncProperty(happening, async ({ work, heeds, times: [done, over, gone], has, abortsFirst }) => {
        const caller = new AbortController();
        const [reason, failure, late] = ['abort', 'failure', 'late'].map((each) => new Error(each));
        if (abortsFirst) caller.abort(reason);
        else if (has.abort) setTimeout(() => caller.abort(reason), gone);
        let began = false;
        const answer = within(
          has.limit ? over : null,
          caller.signal,
          (signal) => {
            began = true;
            if (work === 'throws') throw failure;
            return new Promise((resolve, reject) => {
              if (heeds) signal.addEventListener('abort', () => reject(signal.reason));
              if (work === 'value') setTimeout(resolve, done, 'value');
              if (work === 'error') setTimeout(reject, done, failure);
            });
          },
          () => late,
        ).then(
          (value) => value,
          (error) => error,
        );
        const settled = answer.then((value) => ({ value, timers: vi.getTimerCount() }));
        for (let at = 0; at <= 7; at++) await vi.advanceTimersByTimeAsync(1);
        const { value, timers } = await settled;
        const events = [
          { at: abortsFirst ? -1 : has.abort ? gone : undefined, is: reason },
          {
            at: work === 'never' ? undefined : work === 'throws' ? 0 : done,
            is: work === 'value' ? 'value' : failure,
          },
          { at: has.limit ? over : undefined, is: late },
        ].filter((each) => each.at !== undefined) as { at: number; is: unknown }[];
        const [first] = events.sort((a, b) => a.at - b.at);
        expect(value).toBe(first?.is);
        expect(began).toBe(!abortsFirst);
        // Those of this test alone.
        const left = abortsFirst ? [] : events.slice(1).filter(({ is }) => is !== late);
        expect(timers).toBe(left.length);
        expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
        vi.clearAllTimers();
      }),
      { numRuns: 300 },
    );
    expect(unhandled).toEqual([]);
  });

  test('says how long it waited', async () => {
    const wait = expect(within(5, undefined, () => new Promise(() => {}))).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'No answer within 5 ms.',
    });
    await vi.advanceTimersByTimeAsync(5);
    await wait;
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
