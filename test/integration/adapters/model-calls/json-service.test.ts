import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContextShapingError } from 'context-shaping';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { Endpoint, messageIn, refusalOf } from '../../../../adapters/model-calls/answers.js';
import { concurrently } from '../../../../adapters/model-calls/calls.js';
import { addressOf, JsonService } from '../../../../adapters/model-calls/json-service.js';
import { pauseAfter, timeoutMs } from '../../../../adapters/model-calls/retries.js';

type Handler = (request: IncomingMessage, response: ServerResponse, text: string) => void;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server that handles its requests by the handlers in turn. The last handler also handles all further requests. */
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

/** All parts of an error that may be logged. */
const told = (error: Error): string => `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;

describe('the request', () => {
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
    expect([service.counted().requests, service.endpoint('GET', 'v1', '').name]).toEqual([
      0,
      `GET ${address}/deep/v1`,
    ]);
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

test.each([
  ['http://host', 'http://host/'],
  [' http://host:1/v1/\n', 'http://host:1/'],
  ['https://host/deep/v1', 'https://host/deep/'],
  ['https://host/v1//', 'https://host/'],
  ['https://host/v1beta', 'https://host/v1beta/'],
  ['https://host/av1', 'https://host/av1/'],
])('an address “%s” is %s', (baseUrl, address) => {
  expect(addressOf(baseUrl).href).toBe(address);
});

test.each([0, 0.5, 1.5, -1, 2 ** 31, Number.NaN])('%d is no time to wait', (value) => {
  expect(timeoutMs().safeParse(value).success).toBe(false);
});

test.each([1, 2 ** 31 - 1])('%d milliseconds are', (value) => {
  expect(timeoutMs().parse(value)).toBe(value);
});

describe('values that are refused before a request', () => {
  test.each([
    ['nowhere', 'nowhere'],
    ['localhost:8080', 'localhost:8080'],
    ['ftp://me:secret@host/', '…@host/'],
    ['me:secret@host', '…@host'],
    ['http://me:secret@host/', '…@host/'],
    ['HTTP://secret@host/?key=secret', '…@host/'],
    ['http://:secret@host/#secret', '…@host/'],
    [' http://host/v1?key=secret ', 'http://host/v1'],
    ['http://host/v1#secret', 'http://host/v1'],
  ])('%s', (baseUrl, value) => {
    const problem = 'must be an http or https address without a user name, a password or a query';
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

describe('failures that are tried again', () => {
  test.each([408, 425, 429, 500, 502, 503, 504])('%d', async (status) => {
    const { address, asked } = await serving(answer(status, 'busy', { 'retry-after': '0' }), FINE);
    const service = serviceAt(address);
    expect(await service.get('x')).toEqual({ fine: true });
    expect([asked.length, service.requests]).toEqual([2, 2]);
  });

  test.each([400, 401, 403, 404, 405, 413, 422, 501])('but not %d', async (status) => {
    const { address, asked } = await serving(answer(status, { detail: 'no' }), FINE);
    const error = await errorOf(serviceAt(address).get('x'));
    expect(error).toMatchObject({ kind: 'service', problem: 'refuses the request', value: `${status} no` });
    expect(refusalOf(error)).toEqual({ status, body: { detail: 'no' }, message: 'no' });
    expect(asked).toHaveLength(1);
  });

  test('as often as it may, then it says why', async () => {
    const { address, asked } = await serving(answer(503, { error: 'loading' }, { 'retry-after': '0' }));
    const error = await errorOf(serviceAt(address, { maxRetries: 3 }).get('x'));
    expect(error).toMatchObject({
      field: `GET ${address}/x`,
      problem: 'refuses the request',
      value: '503 loading',
      remedy: 'Check that the server runs and that the address is right, and read its log.',
    });
    expect(asked).toHaveLength(4);
  });

  test('no second try after a final answer', async () => {
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

  test.each(['<html>Sign in</html>', '{"half":', ''])(
    'no second try after a body that is no JSON: “%s”',
    async (page) => {
      const { address, asked } = await serving(answer(200, page), FINE);
      const error = await errorOf(serviceAt(address).get('x'));
      expect(error).toMatchObject({ problem: 'sends an answer that is not JSON', value: page });
      expect(refusalOf(error)).toBeUndefined();
      expect(asked).toHaveLength(1);
    },
  );

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
        remedy: 'Raise `timeoutMs`, or send less in one request: lower `batchSize` where that option exists.',
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
    expect(error.value).toBe(`connection refused at ${new URL(address).host}`);
    expect(error.remedy).toBe(`Start the server at ${new URL(address).origin}, or correct the address.`);
    expect(service.requests).toBe(1);
  });
});

describe('how long it waits', () => {
  test('twice as long each time, at most ten seconds', () => {
    expect([0, 1, 2, 9].map((attempt) => pauseAfter(attempt, null))).toEqual([250, 500, 1000, 10_000]);
  });

  test('as long as the service asks for, in seconds', () => {
    const headers = ['0', ' 3 ', '1.5', '3600'];
    expect(headers.map((header) => pauseAfter(5, header))).toEqual([0, 3000, 1500, 3_600_000]);
  });

  test('not at all, if it asks for more than ten seconds', async () => {
    const { address, asked } = await serving(answer(429, { error: 'slow down' }, { 'retry-after': '3600' }));
    const error = await errorOf(serviceAt(address).get('x'));
    expect(error).toMatchObject({
      problem: 'refuses the request',
      value: '429 slow down',
      remedy: 'Try again in 3600 s, as the service asks. Calls do not wait that long.',
    });
    expect(refusalOf(error)?.status).toBe(429);
    expect(asked).toHaveLength(1);
  });

  test.each(['', 'soon', '-', '-1', 'Wed, 21 Oct 2026 07:28:04 GMT'])(
    'as ever, if it asks for “%s”',
    (header) => {
      expect(pauseAfter(1, header)).toBe(500);
    },
  );
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('are not followed: %d', async (status) => {
    const elsewhere = await serving(FINE);
    const { address, asked } = await serving(answer(status, '', { location: elsewhere.address }));
    const error = await errorOf(serviceAt(address, { apiKey: 'a key of mine' }).post('x', {}));
    expect(error).toMatchObject({
      kind: 'service',
      problem: 'redirects to another address',
      value: String(status),
      remedy:
        'If you trust the address that it redirects to, give that one: keys are not sent to other addresses.',
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

  test('do not repeat any header that was given', async () => {
    const { address } = await serving(answer(400, 'Team team-of-mine is not known, nor is red.'));
    const service = serviceAt(address, { headers: { 'x-team': 'team-of-mine', 'x-colour': 'red' } });
    expect((await errorOf(service.get('x'))).value).toBe('400 Team … is not known, nor is red.');
  });

  test.each([
    ['a'.repeat(1000), 'a'.repeat(80)],
    [Array(1000).fill('a'), 'array of 1000'],
    [{ a: 1, b: {} }, 'object of a, b'],
    [{}, 'object of nothing'],
    [true, true],
  ])('keep no more of an answer than a glance', (body, value) => {
    const check = () => new Endpoint('GET x', 'None.').read(z.number(), body);
    expect(check).toThrow(expect.objectContaining({ kind: 'service', field: 'GET x', value }));
  });

  test('do not repeat a long name in an answer', () => {
    const body = { ['n'.repeat(1000)]: 'x' };
    const check = () => new Endpoint('GET x', 'None.').read(z.record(z.string(), z.number()), body);
    const problem = `answers with an unexpected value at “.${'n'.repeat(80)}”`;
    expect(check).toThrow(expect.objectContaining({ problem, value: 'x' }));
  });

  test('a word that stands for a key is left in answers and errors', async () => {
    const { address } = await serving(answer(200, { none: 1 }), answer(400, 'There are none.'));
    const service = serviceAt(address, { apiKey: 'none' });
    expect(await service.get('x')).toEqual({ none: 1 });
    expect((await errorOf(service.get('x'))).value).toBe('400 There are none.');
  });

  test.each([
    [401, 'Give the key that the server expects in apiKey or headers.'],
    [403, 'Give a key with permission for this in apiKey or headers.'],
    [404, 'Check the address: the server there does not know this path.'],
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
    [{ error: '{"error":{"message":"a"}}' }, 'a'],
    [{ error: { code: 7 } }, ''],
    [{ message: '{"code":7}' }, '{"code":7}'],
    [{ message: '7' }, '7'],
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
    const results = await concurrently([5, 1, 3, 2, 4], 2, undefined, async (item) => {
      begun.push(item);
      most = Math.max(most, ++active);
      for (let turn = 0; turn < item; turn++) await Promise.resolve();
      active--;
      return item * 10;
    });
    expect(results).toEqual([50, 10, 30, 20, 40]);
    expect([begun, most]).toEqual([[5, 1, 3, 2, 4], 2]);
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
