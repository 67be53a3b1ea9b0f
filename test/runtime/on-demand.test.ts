import { expect, test } from 'vitest';
import { onDemand } from '../../src/runtime/on-demand.js';

/** An import that is under way until the test ends it. */
function underWay<T>(module: T) {
  let resolve = (_: T) => {};
  let reject = (_: Error) => {};
  const promise = new Promise<T>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  let started = 0;
  const load = () => {
    started++;
    return promise;
  };
  return { load, end: () => resolve(module), fail: (error: Error) => reject(error), started: () => started };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('imports wait for each other, and a module is imported once', async () => {
  const [one, other] = [underWay('one'), underWay('other')];
  const [loadOne, loadOther] = [onDemand(one.load), onDemand(other.load)];
  const all = Promise.all([loadOne(), loadOther(), loadOne()]);
  await turn();
  expect([one.started(), other.started()]).toEqual([1, 0]);
  one.end();
  await turn();
  expect([one.started(), other.started()]).toEqual([1, 1]);
  other.end();
  expect(await all).toEqual(['one', 'other', 'one']);
  await loadOne();
  expect(one.started()).toBe(1);
});

test('a failed import holds up no other, and is tried again', async () => {
  const failing = underWay('module');
  const load = onDemand(failing.load);
  const failed = load();
  const next = onDemand(async () => 'next')();
  failing.fail(new Error('offline'));
  await expect(failed).rejects.toThrow('offline');
  expect(await next).toBe('next');
  await expect(load()).rejects.toThrow('offline');
  expect(failing.started()).toBe(2);
});
