import { afterEach, describe, expect, test, vi } from 'vitest';
import { finish, type Steps } from '../../src/math/steps.js';
import { Pacer } from '../../src/runtime/pacer.js';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['as Node has it', setImmediate],
  ['by timers, as in browsers', undefined],
])('pauses let timers run, and an abort arrive: %s', async (_, given) => {
  vi.stubGlobal('setImmediate', given);
  vi.resetModules();
  const { Pacer } = await import('../../src/runtime/pacer.js');
  const controller = new AbortController();
  setTimeout(() => controller.abort('enough'), 30);
  const pacer = new Pacer(controller.signal);
  const work = async () => {
    for (;;) if (pacer.due()) await pacer.pause();
  };
  await expect(work()).rejects.toBe('enough');
});

describe('a computation in steps', () => {
  function* counted(most: number): Steps<number> {
    let sum = 0;
    for (let each = 1; each <= most; each++) {
      sum += each;
      yield;
    }
    return sum;
  }

  test('gives the same at once and with pauses', async () => {
    expect(finish(counted(1000))).toBe(500_500);
    await expect(new Pacer().run(counted(1000))).resolves.toBe(500_500);
  });

  test('ends when its signal is aborted', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort('enough'), 30);
    function* endless(): Steps<never> {
      for (;;) yield;
    }
    await expect(new Pacer(controller.signal).run(endless())).rejects.toBe('enough');
  });
});
