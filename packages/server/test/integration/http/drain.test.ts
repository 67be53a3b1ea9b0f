/** A service that tells its load balancer before it refuses requests. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask, gate, post, service } from '../../http/support.js';

const BODY = ask('When?', 'It opened in 1932.', 'Cats sleep.');
/** Less than other time limits of the service, which the test must not reach. */
const DRAIN_MS = 10_000;

/** A service that listens; `drained` ends the time of draining. */
async function listening(options: Parameters<typeof service>[0] = {}) {
  const one = await service({ drainMs: DRAIN_MS, ...options });
  const url = await one.listen();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return { one, url, drained: () => void vi.advanceTimersByTime(DRAIN_MS) };
}

test('while it drains, it says so, accepts requests, and ends each connection with the answer', async () => {
  const { one, url, drained } = await listening();
  const ready = async () => (await fetch(`${url}/ready`)).status;
  expect(await ready()).toBe(200);
  expect((await post(`${url}/v1/shape`, BODY)).headers.get('connection')).toBe('keep-alive');
  const closed = [one.close(), one.close()];
  expect(await ready()).toBe(503);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const answer = await post(`${url}/v1/shape`, BODY);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect((await answer.json()).chunks).toHaveLength(2);
  drained();
  await Promise.all(closed);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});

test('connections from before the drain are answered, and then ended', async () => {
  const { one, url, drained } = await listening();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  const request = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n';
  socket.write(request);
  await once(socket, 'data');
  const closed = one.close();
  const rest = text(socket);
  socket.write(request);
  expect(await rest).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
  drained();
  await closed;
});

test('finishes requests that were accepted in the drain', async () => {
  const { opened, open } = gate();
  const { opened: isAsked, open: asked } = gate();
  const embed = async (texts: readonly string[]) => {
    asked();
    await opened;
    return texts.map((_, at) => [1, at]);
  };
  const { one, url, drained } = await listening({ setup: { embedder: { embed } } });
  const closed = one.close();
  const answer = post(`${url}/v1/shape`, BODY);
  await isAsked;
  drained();
  open();
  expect((await answer).status).toBe(200);
  await closed;
});

test('with no time for it, or before it listens, it does not drain', async () => {
  const { one } = await listening({ drainMs: 0 });
  await one.close();
  const unheard = await service({ drainMs: DRAIN_MS });
  await unheard.close();
});
