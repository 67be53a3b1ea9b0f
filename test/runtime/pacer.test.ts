import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['as Node has it', setImmediate],
  ['by timers, as in browsers', undefined],
  [
    'by timers, as in the edge runtime of Next.js',
    () => {
      throw new Error('A Node.js API is used (setImmediate) which is not supported in the Edge Runtime.');
    },
  ],
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
