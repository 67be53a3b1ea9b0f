import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContextShapingError } from 'context-shaping';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { concurrently } from '../../../adapters/logprobs/concurrently.js';
import { JsonService, messageIn, refusalOf } from '../../../adapters/logprobs/json-service.js';
import { pauseAfter } from '../../../adapters/logprobs/retries.js';

type Handler = (request: IncomingMessage, response: ServerResponse, text: string) => void;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server that does with its requests, in turn, what the handlers say; the last one does for all further ones. */
async function serving(...handlers: Handler[]): Promise<{ address: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const handler = handlers[Math.min(asked.length, handlers.length - 1)] as Handler;
    asked.push(request);
    handler(request, response, Buffer.concat(parts).toString());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const FINE = answer(200, { fine: true });

type Options = ConstructorParameters<typeof JsonService>[0];
const serviceAt = (baseUrl: string, more: Partial<Options> = {}) =>
  new JsonService({ baseUrl, headers: {}, timeoutMs: 5000, maxRetries: 2, ...more });

async function errorOf(promise: Promise<unknown>): Promise<ContextShapingError> {
  const error = await promise.then(
    (value) => expect.unreachable(JSON.stringify(value)),
    (thrown: unknown) => thrown,
  );
  return ContextShapingError.isInstance(error) ? error : expect.unreachable(String(error));
}

/** Everything of an error that may be logged. */
const told = (error: Error): string => `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;

describe('what is sent', () => {
  test('JSON to a path below the address, with key and headers', async () => {
    let sent = '';
    const { address, asked } = await serving((request, response, text) => {
      sent = text;
      FINE(request, response, text);
    });
    const service = serviceAt(`${address}/deep//`, {
      apiKey: 'k'.repeat(9),
      headers: { 'X-Team': 'search' },
    });
    expect(await service.post('/v1/things', { a: [1, 'ü'] })).toEqual({ fine: true });
    expect(JSON.parse(sent)).toEqual({ a: [1, 'ü'] });
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/deep/v1/things' });
    expect(asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${'k'.repeat(9)}`,
      'content-type': 'application/json',
      'x-team': 'search',
    });
    expect(await service.get('v1/things')).toEqual({ fine: true });
    expect(asked[1]).toMatchObject({ method: 'GET', url: '/deep/v1/things' });
    expect(service.requests).toBe(2);
    expect([service.counted().requests, service.nameOf('GET', 'v1')]).toEqual([0, `GET ${address}/deep/v1`]);
  });

  test('an authorization of its own goes over the key, however it is written', async () => {
    const { address, asked } = await serving(FINE);
    await serviceAt(address, { apiKey: 'the key', headers: { Authorization: 'Basic abc' } }).get('x');
    expect(asked[0]?.headers.authorization).toBe('Basic abc');
  });

  test('halves of surrogate pairs as U+FFFD, and nothing else changed', async () => {
    let sent = '';
    const { address } = await serving((request, response, text) => {
      sent = text;
      FINE(request, response, text);
    });
    const texts = ['\ud83d', 'a\ude42b', '\ud83d\ude42', '\\ud83d', '\\\\ud83d', '\\\ud83d', '"\n\u001b'];
    await serviceAt(address).post('x', { texts });
    expect(JSON.parse(sent)).toEqual({
      texts: ['\ufffd', 'a\ufffdb', '🙂', '\\ud83d', '\\\\ud83d', '\\\ufffd', '"\n\u001b'],
    });
  });
});

describe('what is refused before anything is sent', () => {
  test.each([
    ['nowhere', 'must be an address of http or https', 'nowhere'],
    ['localhost:8080', 'must be an address of http or https', 'localhost:8080'],
    ['ftp://me:secret@host/', 'must be an address of http or https', '…@host/'],
    ['me:secret@host', 'must be an address of http or https', '…@host'],
    ['http://me:secret@host/', 'must not hold a name or a password', '…@host/'],
    ['http://secret@host/?key=secret', 'must not hold a name or a password', '…@host/'],
    ['http://:secret@host/#secret', 'must not hold a name or a password', '…@host/'],
  ])('%s', (baseUrl, problem, value) => {
    const make = () => serviceAt(baseUrl);
    expect(make).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field: 'baseUrl', problem, value }),
    );
    expect(make).toThrow(expect.not.objectContaining({ message: expect.stringContaining('secret') }));
  });

  test.each([
    [{ apiKey: 'secret\nkey' }, 'apiKey'],
    [{ apiKey: 'secret–key' }, 'apiKey'],
    [{ headers: { 'x-api-key': 'secret\rkey' } }, 'headers.x-api-key'],
    [{ headers: { 'no name': 'secret' } }, 'headers.no name'],
  ])('%o', (options, field) => {
    const make = () => serviceAt('http://127.0.0.1:9', options);
    const is = { kind: 'invalid-options', field, value: '…', problem: 'cannot be sent as a header' };
    expect(make).toThrow(expect.objectContaining(is));
    expect(make).toThrow(expect.not.objectContaining({ message: expect.stringContaining('secret') }));
  });
});

describe('what is tried again', () => {
  test.each([408, 425, 429, 500, 502, 503, 504])('%d', async (status) => {
    const { address, asked } = await serving(answer(status, 'busy', { 'retry-after': '0' }), FINE);
    const service = serviceAt(address);
    expect(await service.get('x')).toEqual({ fine: true });
    expect([asked.length, service.requests]).toEqual([2, 2]);
  });

  test.each([400, 401, 403, 404, 405, 413, 422, 501])('but not %d', async (status) => {
    const { address, asked } = await serving(answer(status, { detail: 'no' }), FINE);
    const error = await errorOf(serviceAt(address).get('x'));
    expect(error).toMatchObject({ kind: 'service', problem: 'refuses', value: `${status} no` });
    expect(refusalOf(error)).toEqual({ status, body: { detail: 'no' } });
    expect(asked).toHaveLength(1);
  });

  test('as often as it may, then it says why', async () => {
    const { address, asked } = await serving(answer(503, { error: 'loading' }, { 'retry-after': '0' }));
    const error = await errorOf(serviceAt(address, { maxRetries: 3 }).get('x'));
    expect(error).toMatchObject({
      field: `GET ${address}/x`,
      problem: 'refuses',
      value: '503 loading',
      remedy: 'Check that the server runs, that the address is right, and what its log says.',
    });
    expect(asked).toHaveLength(4);
  });

  test('not what is said to be final', async () => {
    const { address, asked } = await serving(
      answer(500, { error: { message: 'never' } }, { 'retry-after': '0' }),
    );
    const isFinal = ({ body }: { body: unknown }) => messageIn(body) === 'never';
    const error = await errorOf(serviceAt(address).post('x', {}, undefined, isFinal));
    expect(refusalOf(error)?.status).toBe(500);
    expect(asked).toHaveLength(1);
  });

  test('half an answer', async () => {
    const broken: Handler = (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"fine":', () => response.destroy());
    };
    const { address, asked } = await serving(broken, FINE);
    expect(await serviceAt(address).get('x')).toEqual({ fine: true });
    expect(asked).toHaveLength(2);
    const again = await serving(broken);
    const error = await errorOf(serviceAt(again.address, { maxRetries: 0 }).get('x'));
    expect(error.problem).toBe('breaks off in the middle of its answer');
  });

  test('a connection that the server closes without an answer', async () => {
    const { address, asked } = await serving(FINE, (request) => request.socket.destroy(), FINE);
    const service = serviceAt(address);
    await service.get('x');
    expect(await service.get('x')).toEqual({ fine: true });
    expect([asked.length, service.requests]).toEqual([3, 3]);
  });

  test('a connection that was kept open, and is closed after all', async () => {
    const { address, asked } = await serving((request, response, text) => {
      response.once('finish', () => request.socket.end());
      FINE(request, response, text);
    });
    const service = serviceAt(address);
    for (let time = 0; time < 20; time++) expect(await service.get('x')).toEqual({ fine: true });
    expect(asked.length).toBeGreaterThanOrEqual(20);
  });

  test('what is no JSON', async () => {
    const { address, asked } = await serving(answer(200, '{"half":'), answer(200, ''), FINE);
    expect(await serviceAt(address).get('x')).toEqual({ fine: true });
    expect(asked).toHaveLength(3);
    const page = await serving(answer(200, '<html>Sign in</html>'));
    const error = await errorOf(serviceAt(page.address, { maxRetries: 0 }).get('x'));
    const problem = 'answers with something that is no JSON';
    expect(error).toMatchObject({ problem, value: '<html>Sign in</html>' });
    expect(refusalOf(error)).toBeUndefined();
  });

  test('what does not come in time', async () => {
    const { address, asked } = await serving(
      () => {},
      (_, response) => response.write('{'),
      FINE,
    );
    expect(await serviceAt(address, { timeoutMs: 60 }).get('x')).toEqual({ fine: true });
    expect(asked).toHaveLength(3);
    for (const late of [() => {}, ((_, response) => response.write('{')) as Handler]) {
      const never = await serving(late);
      const error = await errorOf(serviceAt(never.address, { timeoutMs: 30, maxRetries: 0 }).get('x'));
      expect(error).toMatchObject({
        problem: 'gives no answer in time',
        value: 'nothing within 30 ms',
        remedy: 'Give it more time with `timeoutMs`, or less to do at once.',
      });
    }
  });

  test('a server that is not there', async () => {
    const { address } = await serving(FINE);
    const server = servers.pop() as Server;
    await new Promise((resolve) => server.close(resolve));
    const service = serviceAt(address, { maxRetries: 1 });
    const error = await errorOf(service.get('x'));
    expect(error.problem).toBe('cannot be reached');
    expect(error.value).toMatch(/ECONNREFUSED/);
    expect(service.requests).toBe(2);
  });
});

describe('how long it waits', () => {
  test('twice as long each time, at most ten seconds', () => {
    expect([0, 1, 2, 9].map((attempt) => pauseAfter(attempt, null))).toEqual([250, 500, 1000, 10_000]);
  });

  test('as long as the service asks for, in seconds or until a date', () => {
    expect(['0', ' 3 ', '3600'].map((header) => pauseAfter(5, header))).toEqual([0, 3000, 10_000]);
    vi.useFakeTimers({ now: Date.parse('Wed, 21 Oct 2026 07:28:00 GMT'), toFake: ['Date'] });
    try {
      expect(pauseAfter(5, 'Wed, 21 Oct 2026 07:28:04 GMT')).toBe(4000);
      expect(pauseAfter(5, 'Wed, 21 Oct 2026 07:27:00 GMT')).toBe(0);
      expect(pauseAfter(5, 'Fri, 23 Oct 2026 07:28:04 GMT')).toBe(10_000);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each(['', 'soon', '-'])('as ever, if it asks for “%s”', (header) => {
    expect(pauseAfter(1, header)).toBe(500);
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('are not followed: %d', async (status) => {
    const elsewhere = await serving(FINE);
    const { address, asked } = await serving(answer(status, '', { location: elsewhere.address }));
    const error = await errorOf(serviceAt(address, { apiKey: 'a key of mine' }).post('x', {}));
    expect(error).toMatchObject({
      kind: 'service',
      problem: 'sends to another address',
      value: String(status),
      remedy: 'Give the address that it sends to, if you trust it: keys are not sent on.',
    });
    expect([asked.length, elsewhere.asked.length]).toEqual([1, 0]);
  });
});

describe('errors', () => {
  test('do not repeat a page', async () => {
    const { address } = await serving(answer(500, 'x'.repeat(1_000_000), { 'retry-after': '0' }));
    const error = await errorOf(serviceAt(address, { maxRetries: 0 }).get('x'));
    expect(error.message.length).toBeLessThan(400);
    expect(error.value).toHaveLength(1000);
    expect((error.cause as Error).message).toHaveLength(1000);
  });

  test.each([
    ['as text', (secret: string) => answer(401, `The key ${secret} is not known.`)],
    ['as JSON', (secret: string) => answer(401, { error: { message: `${secret}?` } })],
    ['as no JSON', (secret: string) => answer(200, `<p>${secret}</p>`)],
  ])('do not repeat a key that the server repeats %s', async (_, handler) => {
    const secret = 'sk-0123456789';
    const { address } = await serving(handler(secret));
    for (const options of [
      { apiKey: secret },
      { headers: { Authorization: `Bearer ${secret}` } },
      { headers: { 'X-API-Key': secret } },
    ]) {
      const error = await errorOf(serviceAt(address, { ...options, maxRetries: 0 }).get('x'));
      expect(told(error)).not.toContain(secret);
      expect(JSON.stringify(refusalOf(error) ?? '')).not.toContain(secret);
      expect(error.value).toContain('…');
    }
  });

  test('a word that stands for a key is left in answers and errors', async () => {
    const { address } = await serving(answer(200, { none: 1 }), answer(400, 'There are none.'));
    const service = serviceAt(address, { apiKey: 'none' });
    expect(await service.get('x')).toEqual({ none: 1 });
    expect((await errorOf(service.get('x'))).value).toBe('400 There are none.');
  });

  test.each([
    [401, 'Give the key that the server wants as `apiKey`, or in `headers`.'],
    [403, 'Give a key that may do this as `apiKey`, or in `headers`.'],
    [404, 'Check the address: the server that answers there does not know this path.'],
  ])('say what to do about %d', async (status, remedy) => {
    const { address } = await serving(answer(status, {}));
    expect(await errorOf(serviceAt(address).get('x'))).toMatchObject({ remedy, value: `${status} {}` });
  });

  test.each([
    [{ error: { message: 'a' } }, 'a'],
    [{ error: 'a' }, 'a'],
    [{ message: 'a' }, 'a'],
    [{ detail: 'a' }, 'a'],
    ['a', 'a'],
    [{ detail: [{ msg: 'a' }] }, ''],
    [null, ''],
    [7, ''],
  ])('the message in %o is “%s”', (body, message) => {
    expect(messageIn(body)).toBe(message);
  });
});

describe('an abort', () => {
  const reason = new Error('not wanted any more');

  test('before it begins sends nothing', async () => {
    const { address, asked } = await serving(FINE);
    const service = serviceAt(address);
    await expect(service.get('x', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect([asked.length, service.requests]).toEqual([0, 0]);
  });

  test.each<[string, Handler]>([
    ['for an answer', () => {}],
    ['for the rest of an answer', (_, response) => response.write('{')],
    ['for the next attempt', answer(503, 'busy', { 'retry-after': '10' })],
  ])('while it waits %s is prompt, and closes the connection', async (_, handler) => {
    let closed: Promise<unknown> = Promise.resolve();
    const controller = new AbortController();
    const { address, asked } = await serving((request, response, text) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      handler(request, response, text);
      setTimeout(() => controller.abort(reason), 20);
    });
    await expect(serviceAt(address).get('x', controller.signal)).rejects.toBe(reason);
    await closed;
    expect(asked).toHaveLength(1);
  });

  test('leaves nothing behind at a signal that is used again', async () => {
    const { address } = await serving(answer(503, 'busy', { 'retry-after': '0' }));
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    await errorOf(serviceAt(address, { maxRetries: 1 }).get('x', signal));
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  });
});

describe('concurrently', () => {
  test('gives results in order, begun in order, so many at once', async () => {
    const begun: number[] = [];
    let active = 0;
    let most = 0;
    const results = await concurrently([5, 1, 3, 2, 4], 2, undefined, async (item, _, place) => {
      begun.push(place);
      most = Math.max(most, ++active);
      for (let turn = 0; turn < item; turn++) await Promise.resolve();
      active--;
      return item * 10;
    });
    expect(results).toEqual([50, 10, 30, 20, 40]);
    expect([begun, most]).toEqual([[0, 1, 2, 3, 4], 2]);
    expect(await concurrently([], 2, undefined, () => Promise.reject(new Error('never')))).toEqual([]);
  });

  test('the first that fails ends it, and is thrown', async () => {
    const begun: number[] = [];
    const told: unknown[] = [];
    const failure = new Error('the second');
    const all = concurrently([0, 1, 2, 3], 2, undefined, async (item, signal) => {
      begun.push(item);
      if (item === 1) throw failure;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      told.push(signal.reason);
    }).catch((error) => {
      told.push(error);
    });
    await all;
    expect(begun).toEqual([0, 1]);
    expect(told).toEqual([failure]);
  });

  test('an abort is its reason, and begins nothing more', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    let begun = 0;
    const all = concurrently([1, 2, 3], 1, controller.signal, async () => {
      begun++;
      controller.abort(reason);
    });
    await expect(all).rejects.toBe(reason);
    expect(begun).toBe(1);
    await expect(concurrently([], 1, controller.signal, async () => 1)).rejects.toBe(reason);
  });
});
